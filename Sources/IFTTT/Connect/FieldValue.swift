package import JSON

/// The typed view of a field's value, chosen by its JSON shape only (docs/api/connect.md R8).
package enum FieldValue: Sendable, Equatable {
  case text(String)
  case option(Option)
  case options([Option])
  case location(Location)
  /// An unknown shape, as received.
  case other(JSONValue)

  /// One entry of a dropdown, or a checked entry of a list of checkboxes.
  package struct Option: Sendable, Equatable {
    /// The heading of its group.
    package var group: String?
    package var label: String?
    package var value: String

    package init(group: String?, label: String?, value: String) {
      (self.group, self.label, self.value) = (group, label, value)
    }
  }

  /// A point, or an area with a radius. Numbers keep the spelling they were sent with, even inside a string.
  package struct Location: Sendable, Equatable {
    package var latitude: JSONNumber
    package var longitude: JSONNumber
    /// In meters.
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
  init?(reading object: JSONObject) {
    guard let value = object["value"], let text = value.string ?? value.identifier else { return nil }
    self.value = text
    group = object.text("group")
    label = object.text("label")
  }
}

extension FieldValue.Location {
  /// Accepts the long names too, which old default values have (docs/api/connect.md C11).
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

  /// With the short names; missing properties are omitted.
  package var json: JSONValue {
    var object: JSONObject = ["lat": .number(latitude), "lng": .number(longitude)]
    object["radius"] = radius.map(JSONValue.number)
    object["address"] = address.map(JSONValue.string)
    object["description"] = details.map(JSONValue.string)
    object["zoom"] = zoom.map(JSONValue.number)
    return .object(object)
  }
}

extension FieldValue {
  /// Whether the value is empty: null, or an empty list of checkboxes.
  package static func isNothing(_ json: JSONValue) -> Bool { json.isNull || json == .array([]) }

  /// Whether both values are equivalent for IFTTT. Options are compared by value only, and numbers may be spelled in
  /// several ways. In old responses, a dropdown's value is plain text.
  package static func isSame(_ a: JSONValue?, _ b: JSONValue?) -> Bool {
    guard let a = a.flatMap(FieldValue.init), let b = b.flatMap(FieldValue.init) else {
      return a.flatMap(FieldValue.init) == nil && b.flatMap(FieldValue.init) == nil
    }
    switch (a, b) {
    case (.option(let a), .option(let b)): return a.value == b.value
    case (.option(let option), .text(let text)), (.text(let text), .option(let option)): return option.value == text
    case (.options(let a), .options(let b)): return Set(a.map(\.value)) == Set(b.map(\.value))
    case (.location(let a), .location(let b)): return a.isSame(as: b)
    case (.other(let a), .other(let b)): return a.isEquivalent(to: b)
    default: return a == b
    }
  }
}

extension JSONValue {
  /// Whether both are the same JSON: the order of members and the spelling of numbers do not matter.
  fileprivate func isEquivalent(to other: JSONValue) -> Bool {
    switch (self, other) {
    case (.number(let a), .number(let b)): return a.text == b.text || a.double != nil && a.double == b.double
    case (.array(let a), .array(let b)): return a.count == b.count && zip(a, b).allSatisfy { $0.isEquivalent(to: $1) }
    case (.object(let a), .object(let b)):
      let keys = Set(a.members.map(\.key))
      return keys == Set(b.members.map(\.key))
        && keys.allSatisfy { key in (a[key] ?? .null).isEquivalent(to: b[key] ?? .null) }
    default: return self == other
    }
  }
}

extension FieldValue.Location {
  fileprivate func isSame(as other: Self) -> Bool {
    func isSame(_ a: JSONNumber?, _ b: JSONNumber?) -> Bool { a?.text == b?.text || a?.double == b?.double }
    return isSame(latitude, other.latitude) && isSame(longitude, other.longitude) && isSame(radius, other.radius)
      && isSame(zoom, other.zoom) && address == other.address && details == other.details
  }

  /// Whether it is at the same coordinates as another, ignoring the texts and the map zoom, which IFTTT may fill in.
  func isAt(_ other: Self) -> Bool {
    var (a, b) = (self, other)
    (a.address, a.details, a.zoom) = (nil, nil, nil)
    (b.address, b.details, b.zoom) = (nil, nil, nil)
    return a.isSame(as: b)
  }
}

/// The type of value a field accepts (docs/api/connect.md §9).
package enum FieldKind: Sendable, Equatable {
  case text
  case textArea
  case select
  case groupedSelect
  case checkboxes
  case locationPoint
  case locationArea
  case locationEnter
  case locationExit
  case locationEnterOrExit
  /// An unknown kind, by its name in the response.
  case other(String)

  /// The two spellings of "enter or exit" are one kind (docs/api/connect.md C10).
  package init(onWire name: String) {
    switch name {
    case "TEXT_FIELD": self = .text
    case "TEXT_AREA": self = .textArea
    case "COLLECTION_SELECT": self = .select
    case "DOUBLE_COLLECTION_SELECT": self = .groupedSelect
    case "CHECKBOX_MULTI": self = .checkboxes
    case "LOCATION_POINT": self = .locationPoint
    case "LOCATION_RADIUS": self = .locationArea
    case "LOCATION_ENTER": self = .locationEnter
    case "LOCATION_EXIT": self = .locationExit
    case "LOCATION_ENTER_OR_EXIT", "LOCATION_ENTER_AND_EXIT": self = .locationEnterOrExit
    default: self = .other(name)
    }
  }

  /// Infers the kind from a value, because old responses have no type; nil if the value's shape is inconclusive.
  package init?(of value: FieldValue) {
    switch value {
    case .text: self = .text
    case .option: self = .select
    case .options: self = .checkboxes
    case .location(let location): self = location.radius == nil ? .locationPoint : .locationArea
    case .other: return nil
    }
  }
}
