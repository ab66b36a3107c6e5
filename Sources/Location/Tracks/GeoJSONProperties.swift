import JSON
import World

/// The times of a feature's positions, from its properties. GeoJSON itself does not define them.
struct GeoJSONProperties {
  private let bytes: UnsafeRawBufferPointer
  /// An array parallel to the coordinates, nested the same way or flat.
  private var times = 0..<0
  /// The time of a feature that is a single point.
  private(set) var ownTime = GeoJSONTime.missing
  /// The accuracy of such a point, in meters.
  private(set) var accuracy: Double?

  /// `coordTimes` is toGeoJSON's original name, and `coordinateProperties` its later location. The other names come
  /// from programs that play tracks on maps; some write an array under a name that others use for a single time.
  private static let lineKeys = ["coordTimes", "times", "linestringTimestamps"]
  private static let keys = JSONKeys(
    (lineKeys + TimeValue.keys + Accuracy.keys + ["coordinateProperties"]).map { Array($0.utf8) })

  init(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) throws(JSONError) {
    self.bytes = bytes
    var scanner = JSONScanner(bytes, at: range.lowerBound)
    guard !range.isEmpty, scanner.next == UInt8(ascii: "{") else { return }
    var found = [Range<Int>](repeating: 0..<0, count: Self.keys.count)
    try scanner.find(Self.keys, in: &found)
    let dated = found.prefix(Self.lineKeys.count + TimeValue.keys.count)
    let single = dated.dropFirst(Self.lineKeys.count)
    times = dated.first { isArray($0) } ?? 0..<0
    if times.isEmpty, let nested = found.last, !nested.isEmpty, bytes[nested.lowerBound] == UInt8(ascii: "{") {
      var inner = JSONScanner(bytes, at: nested.lowerBound)
      if let range = try inner.value(of: Array("times".utf8)), isArray(range) { times = range }
    }
    ownTime = single.filter { !isArray($0) }.map { GeoJSONTime(bytes, $0) }.first { $0 != .missing } ?? .missing
    if ownTime == .missing, var times = lineTimes { ownTime = try times.next() }
    accuracy =
      found[dated.endIndex...].dropLast().lazy.compactMap { DecimalText.double(scanner.slice($0)) }.first
      .flatMap(Accuracy.meters(_:))
  }

  /// The times of the positions of one line, or of several lines in sequence.
  var lineTimes: GeoJSONTimes? { times.isEmpty ? nil : GeoJSONTimes(bytes, times) }

  private func isArray(_ range: Range<Int>) -> Bool {
    !range.isEmpty && bytes[range.lowerBound] == UInt8(ascii: "[")
  }
}

/// A sequence of times, parallel to the coordinates.
struct GeoJSONTimes {
  private let bytes: UnsafeRawBufferPointer
  private var scanner: JSONScanner
  private var hasEnded = false

  init(_ bytes: UnsafeRawBufferPointer, _ array: Range<Int>) {
    self.bytes = bytes
    scanner = JSONScanner(bytes, at: array.lowerBound)
  }

  /// The next time; missing after the last one.
  mutating func next() throws(JSONError) -> GeoJSONTime {
    try element().map { GeoJSONTime(bytes, $0) } ?? .missing
  }

  /// Whether each line has its own array of times, rather than one array for all.
  var areNested: Bool {
    var copy = scanner
    guard (try? copy.nextElement()) == true else { return false }
    return copy.next == UInt8(ascii: "[")
  }

  /// The times of the next line, if each line has its own array; nil if the next element is not an array.
  mutating func nextPart() throws(JSONError) -> GeoJSONTimes? {
    guard let part = try element(), bytes[part.lowerBound] == UInt8(ascii: "[") else { return nil }
    return GeoJSONTimes(bytes, part)
  }

  private mutating func element() throws(JSONError) -> Range<Int>? {
    guard !hasEnded, try scanner.nextElement() else {
      hasEnded = true
      return nil
    }
    return try scanner.skipValue()
  }
}

enum GeoJSONTime: Equatable {
  case moment(Timestamp)
  case missing
  case unreadable

  /// Create a time from a string or a number; null counts as missing.
  init(_ bytes: UnsafeRawBufferPointer, _ value: Range<Int>) {
    guard !value.isEmpty, bytes[value.lowerBound] != UInt8(ascii: "n") else {
      self = .missing
      return
    }
    let isText = bytes[value.lowerBound] == UInt8(ascii: "\"") && value.count >= 2
    let text = UnsafeRawBufferPointer(rebasing: bytes[isText ? value.dropFirst().dropLast() : value])
    self = TimeValue.read(text).map(Self.moment) ?? (text.isEmpty ? .missing : .unreadable)
  }
}
