import JSON
import Time

/// What the properties of a feature say of its positions' times. GeoJSON itself has no place for them.
struct GeoJSONProperties {
  private let bytes: UnsafeRawBufferPointer
  /// An array beside the coordinates, or where these are arrays of arrays, one of arrays.
  private var times = 0..<0
  /// Of a feature that is one point.
  private(set) var ownTime = GeoJSONTime.missing
  /// In metres, of such a point.
  private(set) var accuracy: Double?

  /// `coordTimes` is toGeoJSON's first name for them, `coordinateProperties` its later place; the others are those of
  /// programs that play tracks on maps, of which some write an array where others write one time.
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
    if times.isEmpty, let place = found.last, !place.isEmpty, bytes[place.lowerBound] == UInt8(ascii: "{") {
      var inner = JSONScanner(bytes, at: place.lowerBound)
      if let range = try inner.value(of: Array("times".utf8)), isArray(range) { times = range }
    }
    ownTime = single.filter { !isArray($0) }.map { GeoJSONTime(bytes, $0) }.first { $0 != .missing } ?? .missing
    if ownTime == .missing, var times = lineTimes { ownTime = try times.next() }
    accuracy =
      found[dated.endIndex...].dropLast().lazy.compactMap { DecimalText.double(scanner.slice($0)) }.first
      .flatMap(Accuracy.metres(_:))
  }

  /// Of the positions of one line, or of the lines one after the other.
  var lineTimes: GeoJSONTimes? { times.isEmpty ? nil : GeoJSONTimes(bytes, times) }

  private func isArray(_ range: Range<Int>) -> Bool {
    !range.isEmpty && bytes[range.lowerBound] == UInt8(ascii: "[")
  }
}

/// Times one after the other, as the coordinates are.
struct GeoJSONTimes {
  private let bytes: UnsafeRawBufferPointer
  private var scanner: JSONScanner
  private var hasEnded = false

  init(_ bytes: UnsafeRawBufferPointer, _ array: Range<Int>) {
    self.bytes = bytes
    scanner = JSONScanner(bytes, at: array.lowerBound)
  }

  /// Missing for all that follow the last.
  mutating func next() throws(JSONError) -> GeoJSONTime {
    try element().map { GeoJSONTime(bytes, $0) } ?? .missing
  }

  /// Whether those of each line are an array of their own, instead of all in one.
  var areNested: Bool {
    var copy = scanner
    guard (try? copy.nextElement()) == true else { return false }
    return copy.next == UInt8(ascii: "[")
  }

  /// Those of the next line, where each is an array of its own; nil where it is none.
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

  /// From a string or a number; null is none.
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
