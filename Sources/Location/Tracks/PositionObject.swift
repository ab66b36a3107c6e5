import JSON

/// A position as a JSON object, in any of the common spellings.
enum PositionObject {
  /// The result of reading such an object.
  enum Outcome: Equatable {
    case position(Position)
    /// A message of another kind, or a receiver without a fix.
    case nothing
    case broken(String)
  }

  private static let latitudeKeys = ["lat", "latitude"]
  private static let longitudeKeys = ["lng", "lon", "long", "longitude"]

  static func read(_ bytes: [UInt8]) -> Outcome {
    let value: JSONValue
    do throws(JSONError) { value = try JSONValue(parsing: bytes) } catch { return .broken("it is not JSON: \(error)") }
    guard let object = value.object else { return .broken("it is not a JSON object") }
    return read(object)
  }

  static func read(_ object: JSONObject) -> Outcome {
    // Both OwnTracks and gpsd also send messages that are not positions.
    if let type = object["_type"]?.string, type != "location" { return .nothing }
    if let name = object["class"]?.string { return name == "TPV" ? readReport(object) : .nothing }
    return read(object, accuracy: first(Accuracy.keys, in: object).flatMap(number))
  }

  /// Read a time-position-velocity report of gpsd (gpsd_json(5)).
  private static func readReport(_ object: JSONObject) -> Outcome {
    let isFixed = object["mode"]?.int.map { $0 >= 2 } == true
    guard isFixed, ["lat", "lon"].allSatisfy({ object[$0].map { !$0.isNull } == true }) else { return .nothing }
    let errors = ["epx", "epy"].compactMap { object[$0]?.double }
    return read(object, accuracy: object["eph"]?.double ?? (errors.count == 2 ? errors.max() : nil))
  }

  private static func read(_ object: JSONObject, accuracy: Double?) -> Outcome {
    guard let latitude = first(latitudeKeys, in: object) else { return .broken("it has no latitude") }
    guard let longitude = first(longitudeKeys, in: object) else { return .broken("it has no longitude") }
    guard let latitude = number(latitude) else { return .broken("its latitude is not a number") }
    guard let longitude = number(longitude) else { return .broken("its longitude is not a number") }
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
      return .broken("its position is not on the earth")
    }
    var position = Position(coordinate, accuracy: accuracy.flatMap(Accuracy.meters(_:)))
    if let value = first(TimeValue.keys, in: object) {
      guard let time = TimeValue.read(value) else { return .broken("its time is invalid") }
      position.time = time
    }
    return .position(position)
  }

  /// The value of the first key that has one; null and the empty string do not count.
  private static func first(_ keys: [String], in object: JSONObject) -> JSONValue? {
    for key in keys {
      if let value = object[key], !value.isNull, value.string?.isEmpty != true { return value }
    }
    return nil
  }

  /// The value of a number, or of a string that contains one.
  private static func number(_ value: JSONValue) -> Double? {
    guard var text = value.number?.text ?? value.string else { return nil }
    return text.withUTF8 { DecimalText.double(UnsafeRawBufferPointer($0)) }
  }
}
