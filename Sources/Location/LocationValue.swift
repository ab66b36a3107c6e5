import JSON

/// The circle in a location field's value, in any of the spellings that IFTTT has used (reference: connect-api.md,
/// section 9).
struct LocationValue {
  var center: Coordinate
  var radius: Double
  var label: String?

  struct Fault: Error { var reason: String }

  init(_ value: JSONValue) throws(Fault) {
    guard !value.isNull else { throw Fault(reason: "no location has been chosen") }
    guard let object = value.object else { throw Fault(reason: "its value is not a location: \(Self.excerpt(value))") }
    let latitude = try Self.number(object, ["lat", "latitude"], "latitude")
    let longitude = try Self.number(object, ["lng", "longitude"], "longitude")
    guard let center = Coordinate(latitude: latitude, longitude: longitude) else {
      throw Fault(reason: "latitude \(latitude), longitude \(longitude) is not on the earth")
    }
    radius = try Self.number(object, ["radius"], "radius")
    guard radius > 0 else { throw Fault(reason: "its radius is \(radius) meters") }
    self.center = center
    label = Self.text(object["description"]) ?? Self.text(object["address"])
  }

  private static func number(_ object: JSONObject, _ keys: [String], _ name: String) throws(Fault) -> Double {
    guard let value = keys.lazy.compactMap({ object[$0] }).first(where: { !$0.isNull }) else {
      throw Fault(reason: "it has no \(name)")
    }
    guard let number = value.numberOrNumeral, number.isFinite else {
      throw Fault(reason: "its \(name) is not a number: \(excerpt(value))")
    }
    return number
  }

  /// The text, or nil if it is missing or blank.
  private static func text(_ value: JSONValue?) -> String? {
    guard let text = value?.string, text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
      return nil
    }
    return text
  }

  private static func excerpt(_ value: JSONValue) -> String {
    let text = value.text
    return text.count > 40 ? text.prefix(39) + "…" : text
  }
}

extension JSONValue {
  /// The value of a number, or of a string that contains one.
  fileprivate var numberOrNumeral: Double? {
    double ?? string.flatMap { Array($0.utf8).withUnsafeBytes(DecimalText.double) }
  }
}
