import World

/// A point of a GPX document while its children are read.
struct GPXPoint {
  private var coordinate: Coordinate?
  private var time: Timestamp?
  private var accuracy: Double?
  /// Whether the source states `accuracy` in meters, rather than as a dilution to estimate it from.
  private var isMeasured = false
  /// The reason the point is invalid.
  private(set) var problem = ""

  /// Read the attributes, and return whether they contain a valid coordinate.
  mutating func begin(_ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>) -> Bool {
    (coordinate, time, accuracy, isMeasured) = (nil, nil, nil, false)
    var (latitude, longitude): (Double?, Double?) = (nil, nil)
    var (isLatitudeThere, isLongitudeThere) = (false, false)
    var next = attributes
    while let name = next[0], let value = next[1] {
      next += 2
      guard name[0] == CChar(bitPattern: UInt8(ascii: "l")) else { continue }
      if name[1] == CChar(bitPattern: UInt8(ascii: "a")), name[2] == CChar(bitPattern: UInt8(ascii: "t")), name[3] == 0
      {
        (latitude, isLatitudeThere) = (number(value), true)
      } else if name[1] == CChar(bitPattern: UInt8(ascii: "o")), name[2] == CChar(bitPattern: UInt8(ascii: "n")),
        name[3] == 0
      {
        (longitude, isLongitudeThere) = (number(value), true)
      }
    }
    if let latitude, let longitude { coordinate = Coordinate(latitude: latitude, longitude: longitude) }
    if coordinate != nil { return true }
    problem =
      if !isLatitudeThere || !isLongitudeThere {
        "a point without \(isLatitudeThere ? "a longitude" : "a latitude")"
      } else if latitude == nil || longitude == nil {
        "a \(latitude == nil ? "latitude" : "longitude") that is not a number"
      } else {
        "a position that is not on the earth"
      }
    return false
  }

  /// Read the time. An empty element is ignored.
  mutating func takeTime(_ text: UnsafeRawBufferPointer?) {
    guard text?.isEmpty != true else { return }
    time = text.flatMap { Timestamp(parsing: $0, assumesUTC: true) }
    guard time == nil else { return }
    problem = "an invalid time"
    coordinate = nil
  }

  mutating func takeDilution(_ text: UnsafeRawBufferPointer?) {
    guard !isMeasured, let dilution = text.flatMap(DecimalText.double) else { return }
    accuracy = Accuracy.meters(ofDilution: dilution)
  }

  mutating func takeAccuracy(_ text: UnsafeRawBufferPointer?) {
    guard let meters = text.flatMap(DecimalText.double).flatMap(Accuracy.meters(_:)) else { return }
    (accuracy, isMeasured) = (meters, true)
  }

  /// The position, or nil if the point is invalid.
  var item: TrackItem? { coordinate.map { .position(Position($0, at: time, accuracy: accuracy)) } }

  private func number(_ text: UnsafePointer<CChar>) -> Double? {
    var count = 0
    while text[count] != 0 { count += 1 }
    return DecimalText.double(UnsafeRawBufferPointer(start: text, count: count))
  }
}
