import API
package import JSON

/// The typed view of a field's value, chosen by its JSON shape alone (reference: connect-api.md, section 10, rule 8).
package enum FieldValue: Sendable, Equatable {
  case text(String)
  case option(Option)
  case options([Option])
  case location(Location)
  /// A shape that nobody knows yet, as received.
  case other(JSONValue)

  /// One entry of a dropdown, or a ticked one of a list of checkboxes.
  package struct Option: Sendable, Equatable {
    /// The heading it stands under.
    package var group: String?
    package var label: String?
    package var value: String

    package init(group: String?, label: String?, value: String) {
      (self.group, self.label, self.value) = (group, label, value)
    }
  }

  /// A point, or an area with a radius. Numbers keep the spelling they were sent with, be it inside a string.
  package struct Location: Sendable, Equatable {
    package var latitude: JSONNumber
    package var longitude: JSONNumber
    /// In metres.
    package var radius: JSONNumber?
    package var address: String?
    package var details: String?
    package var zoom: JSONNumber?

    package init(
      latitude: JSONNumber, longitude: JSONNumber, radius: JSONNumber?, address: String?, details: String?,
      zoom: JSONNumber?
    ) {
      (self.latitude, self.longitude, self.radius) = (latitude, longitude, radius)
      (self.address, self.details, self.zoom) = (address, details, zoom)
    }
  }

  /// Nil for null: there is no value.
  package init?(_ json: JSONValue) {
    switch json {
    case .null: return nil
    case .string(let text): self = .text(text)
    case .object(let object):
      if let option = Option(reading: object) {
        self = .option(option)
      } else if let location = Location(reading: object) {
        self = .location(location)
      } else {
        self = .other(json)
      }
    case .array(let elements):
      let options = elements.compactMap { $0.object.flatMap(Option.init(reading:)) }
      self = options.count == elements.count ? .options(options) : .other(json)
    case .bool, .number: self = .other(json)
    }
  }
}

extension FieldValue.Option {
  fileprivate init?(reading object: JSONObject) {
    guard let value = object["value"], let text = value.string ?? value.identifier else { return nil }
    self.value = text
    group = object.text("group")
    label = object.text("label")
  }
}

extension FieldValue.Location {
  /// Old default values have the long names (C11).
  fileprivate init?(reading object: JSONObject) {
    func number(_ key: String) -> JSONNumber? { object[key]?.lenientNumber }
    guard let latitude = number("lat") ?? number("latitude"), let longitude = number("lng") ?? number("longitude")
    else { return nil }
    (self.latitude, self.longitude) = (latitude, longitude)
    radius = number("radius")
    address = object.text("address")
    details = object.text("description")
    zoom = number("zoom")
  }
}
