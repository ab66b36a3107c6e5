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
    var (hasLatitude, hasLongitude) = (false, false)
    var next = attributes
    while let name = next[0], let value = next[1] {
      next += 2
      guard name[0] == CChar(bitPattern: UInt8(ascii: "l")) else { continue }
      if name[1] == CChar(bitPattern: UInt8(ascii: "a")), name[2] == CChar(bitPattern: UInt8(ascii: "t")), name[3] == 0
      {
        (latitude, hasLatitude) = (number(value), true)
      } else if name[1] == CChar(bitPattern: UInt8(ascii: "o")), name[2] == CChar(bitPattern: UInt8(ascii: "n")),
        name[3] == 0
      {
        (longitude, hasLongitude) = (number(value), true)
      }
    }
    if let latitude, let longitude { coordinate = Coordinate(latitude: latitude, longitude: longitude) }
    if coordinate != nil { return true }
    problem =
      if !hasLatitude || !hasLongitude {
        "a point without \(hasLatitude ? "a longitude" : "a latitude")"
      } else if latitude == nil || longitude == nil {
        "a \(latitude == nil ? "latitude" : "longitude") that is not a number"
      } else {
        "a position that is not on the earth"
      }
    return false
  }

  /// Read the time. An empty element is ignored.
  mutating func readTime(_ text: UnsafeRawBufferPointer?) {
    guard text?.isEmpty != true else { return }
    time = text.flatMap { Timestamp(parsing: $0, assumesUTC: true) }
    guard time == nil else { return }
    problem = "an invalid time"
    coordinate = nil
  }

  mutating func readDilution(_ text: UnsafeRawBufferPointer?) {
    guard !isMeasured, let dilution = text.flatMap(DecimalText.double) else { return }
    accuracy = Accuracy.meters(ofDilution: dilution)
  }

  mutating func readAccuracy(_ text: UnsafeRawBufferPointer?) {
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

/// A filter for the points of a GPX document that form the track. These are the points of its tracks; if there are
/// none, of its routes; if there are neither, its waypoints.
///
/// Next to a track, waypoints are points of interest and routes are plans; alone, they are what phone simulators
/// read. They come before the tracks in the document, so they are buffered until the decision is possible.
///
/// The times of routes and waypoints usually are those of their creation. They count only if they ascend.
struct GPXChoice {
  enum Kind: Int { case waypoint, route, track }

  /// The maximum number of buffered items. A longer list counts as a track, whatever follows.
  static let limit = 10_000

  /// The number of positions that were skipped.
  private(set) var omitted = 0
  /// The best kind of point found so far.
  private var best: Kind?
  private var buffered: [TrackItem] = []
  /// Whether the decision is final, so that nothing is buffered any more.
  private var isDecided = false
  /// The times of the emitted points of a route or of waypoints.
  private var times = CreationTimes()

  /// Whether points of this kind count, unless points of a better kind follow.
  func counts(_ kind: Kind) -> Bool { isDecided || best.map { kind.rawValue >= $0.rawValue } ?? true }

  mutating func omit() { omitted += 1 }

  @inline(__always)
  mutating func add(_ item: TrackItem, of kind: Kind, into found: inout [TrackItem]) {
    if kind != best, !isDecided { return addFirst(item, of: kind, into: &found) }
    if kind == .track {
      found.append(item)
    } else if isDecided {
      found.append(times.checked(item))
    } else {
      buffer(item, into: &found)
    }
  }

  /// Emit the buffered items if no better kind was found.
  mutating func finish(into found: inout [TrackItem]) {
    for item in buffered { times.add(item) }
    times.decide()
    for item in buffered { found.append(times.checked(item)) }
    buffered = []
  }

  /// Add the first item of a better kind, which replaces the buffered items. A segment without points does not count
  /// as better.
  private mutating func addFirst(_ item: TrackItem, of kind: Kind, into found: inout [TrackItem]) {
    guard item != .segment else { return }
    omitted += buffered.reduce(0) { if case .position = $1 { $0 + 1 } else { $0 } }
    buffered = []
    best = kind
    add(.segment, of: kind, into: &found)
    add(item, of: kind, into: &found)
  }

  private mutating func buffer(_ item: TrackItem, into found: inout [TrackItem]) {
    buffered.append(item)
    guard buffered.count >= Self.limit else { return }
    isDecided = true
    finish(into: &found)
  }
}

/// A check of whether the times of points ascend, so that they can be the times of a journey.
private struct CreationTimes {
  private var (first, last): (Timestamp?, Timestamp?)
  private var count = 0
  private var areAscending = true

  /// Add one of the points that the decision is based on.
  mutating func add(_ item: TrackItem) {
    guard case .position(let position) = item, let time = position.time else { return }
    if let last, time < last { areAscending = false }
    (first, last) = (first ?? time, time)
    count += 1
  }

  /// Decide after the last point was added. Equal times are not the times of a journey either.
  mutating func decide() {
    if count > 1, first == last { areAscending = false }
    last = nil
  }

  /// The item, without its time unless the times ascend.
  mutating func checked(_ item: TrackItem) -> TrackItem {
    guard case .position(var position) = item, let time = position.time else { return item }
    if let last, time < last { areAscending = false }
    last = time
    if !areAscending { position.time = nil }
    return .position(position)
  }
}

/// The text of an element that holds a number or a time, in a buffer that is reused for every point. If the text is
/// longer, it records only that it is too long.
struct ShortText: ~Copyable {
  private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 8)
  private var count = 0
  private var isTooLong = false

  deinit { bytes.deallocate() }

  mutating func clear() { (count, isTooLong) = (0, false) }

  /// Append text. Leading white space is skipped, so that a number surrounded by a lot of it still fits.
  mutating func append(_ more: UnsafeRawBufferPointer) {
    let start = count > 0 ? 0 : more.firstIndex { $0 > 0x20 } ?? more.count
    let text = more.dropFirst(start)
    let fitting = text.prefix(bytes.count - count)
    bytes[count...].copyBytes(from: fitting)
    count += fitting.count
    if text.dropFirst(fitting.count).contains(where: { $0 > 0x20 }) { isTooLong = true }
  }

  /// The text without trailing white space, or nil if it was too long.
  var text: UnsafeRawBufferPointer? {
    guard !isTooLong else { return nil }
    var end = count
    while end > 0, bytes[end - 1] <= 0x20 { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: bytes[..<end])
  }
}
