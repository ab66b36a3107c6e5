import JSON
package import World

/// A location and its time.
package struct Position: Sendable, Equatable {
  package var coordinate: Coordinate
  /// The time, or nil if the source has none.
  package var time: Timestamp?
  /// Whether `time` is the time of arrival, because neither the source nor any earlier position had a time. Such a
  /// time does not determine the order of positions.
  package var isTimeAssumed = false
  /// Whether `time` is the time of the track's first position with a time, because this position precedes it and has no
  /// time.
  package var isTimeBorrowed = false
  /// Whether `time` is only a time of day, on January 1, 1970 or a following day, because the source has no date.
  /// ``AssumedDate`` adds a date.
  package var lacksDate = false
  /// The estimated radius in meters that contains the true location, or nil if the source gives none.
  package var accuracy: Double?

  package init(_ coordinate: Coordinate, at time: Timestamp? = nil, accuracy: Double? = nil) {
    (self.coordinate, self.time, self.accuracy) = (coordinate, time, accuracy)
  }
}

/// The next item of a track.
package enum TrackItem: Sendable, Equatable {
  case position(Position)
  /// The start of a track, route or segment. The path between the positions before and after it was not recorded.
  case segment
  /// An item that should be a position but is invalid. `line` counts from 1.
  case broken(reason: String, line: Int)
}

/// The reason why a track cannot be read, or cannot be read any further.
package struct TrackError: Error, Equatable, CustomStringConvertible {
  package let reason: String
  /// The line, from 1; nil if the error has no line.
  package let line: Int?
  /// The column in characters, from 1.
  package let column: Int?

  package init(reason: String, line: Int? = nil, column: Int? = nil) {
    (self.reason, self.line, self.column) = (reason, line, column)
  }

  package var description: String {
    guard let line else { return reason }
    return column.map { "\(reason) (line \(line), column \($0))" } ?? "\(reason) (line \(line))"
  }
}

/// The reader of one format.
protocol FormatReader: AnyObject {
  /// Append the items that these bytes complete.
  func read(_ bytes: UnsafeRawBufferPointer, into found: inout [TrackItem]) throws(TrackError)
  /// Append the remaining items at the end of the input.
  func finish(into found: inout [TrackItem]) throws(TrackError)
  /// The number of positions that are not part of the track.
  var omitted: Int { get }
}

extension FormatReader {
  var omitted: Int { 0 }
}

/// The accuracy of positions, as sources state it.
enum Accuracy {
  /// The JSON keys for an accuracy radius.
  static let keys = ["accuracy", "acc", "horizontal_accuracy"]

  /// The assumed error of the distance to one satellite, in meters. Receivers and phones usually use it to convert a
  /// dilution of precision into a radius that contains two of three positions. gpsd assumes 15 meters, for 19 of 20.
  static let rangeError = 5.0

  /// The accuracy for a horizontal dilution of precision, or nil if the dilution is invalid.
  static func meters(ofDilution dilution: Double) -> Double? {
    dilution > 0 ? meters(dilution * rangeError) : nil
  }

  /// The accuracy, or nil if the value is not a finite number. Negative values are preserved, because phones use them
  /// to mark an invalid position.
  static func meters(_ meters: Double) -> Double? { meters.isFinite ? meters : nil }
}

/// A time in JSON: RFC 3339, or a number of seconds or milliseconds since 1970.
enum TimeValue {
  /// The keys for a time, most common first.
  static let keys = ["time", "timestamp", "datetime", "when", "at", "occurred_at", "tst", "ts"]
  /// Numbers of at least this size are milliseconds. In seconds, this number is in the year 5138; in milliseconds, in
  /// 1973.
  private static let firstMilliseconds = 100_000_000_000.0

  static func read(_ value: JSONValue) -> Timestamp? {
    guard var text = value.number?.text ?? value.string else { return nil }
    return text.withUTF8 { read(UnsafeRawBufferPointer($0)) }
  }

  /// The time for a text or the digits of a number. A time without an offset is in UTC, as in GPX, the source of many
  /// such files.
  static func read(_ text: UnsafeRawBufferPointer) -> Timestamp? {
    if let moment = Timestamp(parsing: text, assumesUTC: true) { return moment }
    guard let number = DecimalText.double(text), abs(number) < firstMilliseconds * 1000 else { return nil }
    let milliseconds = abs(number) >= firstMilliseconds ? number : number * 1000
    return Timestamp(milliseconds: Int64(milliseconds.rounded()))
  }
}

/// A position as a JSON object, in any of the common spellings.
enum PositionObject {
  private static let latitudeKeys = ["lat", "latitude"]
  private static let longitudeKeys = ["lng", "lon", "long", "longitude"]

  /// The item for an object; nil for a message of another kind, or from a receiver without a fix.
  /// - Parameter line: The line of the object, which is determined only if the object is invalid.
  static func item(_ bytes: [UInt8], line: @autoclosure () -> Int) -> TrackItem? {
    let value: JSONValue
    do throws(JSONError) { value = try JSONValue(parsing: bytes) } catch {
      return .broken(reason: "it is not JSON: \(error)", line: line())
    }
    guard let object = value.object else { return .broken(reason: "it is not a JSON object", line: line()) }
    return item(object, line: line())
  }

  static func item(_ object: JSONObject, line: @autoclosure () -> Int) -> TrackItem? {
    // Both OwnTracks and gpsd also send messages that are not positions.
    if let type = object["_type"]?.string, type != "location" { return nil }
    if let name = object["class"]?.string { return name == "TPV" ? report(object, line: line()) : nil }
    return item(object, accuracy: first(Accuracy.keys, in: object)?.numberOrNumeral, line: line())
  }

  /// The item for a time-position-velocity report of gpsd (gpsd_json(5)).
  private static func report(_ object: JSONObject, line: @autoclosure () -> Int) -> TrackItem? {
    let isFixed = object["mode"]?.int.map { $0 >= 2 } == true
    guard isFixed, ["lat", "lon"].allSatisfy({ object[$0].map { !$0.isNull } == true }) else { return nil }
    let errors = ["epx", "epy"].compactMap { object[$0]?.double }
    return item(object, accuracy: object["eph"]?.double ?? (errors.count == 2 ? errors.max() : nil), line: line())
  }

  private static func item(_ object: JSONObject, accuracy: Double?, line: @autoclosure () -> Int) -> TrackItem {
    func broken(_ reason: String) -> TrackItem { .broken(reason: reason, line: line()) }
    guard let latitude = first(latitudeKeys, in: object) else { return broken("it has no latitude") }
    guard let longitude = first(longitudeKeys, in: object) else { return broken("it has no longitude") }
    guard let latitude = latitude.numberOrNumeral else { return broken("its latitude is not a number") }
    guard let longitude = longitude.numberOrNumeral else { return broken("its longitude is not a number") }
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
      return broken("its position is not on the earth")
    }
    var position = Position(coordinate, accuracy: accuracy.flatMap(Accuracy.meters(_:)))
    if let value = first(TimeValue.keys, in: object) {
      guard let time = TimeValue.read(value) else { return broken("its time is invalid") }
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
}
