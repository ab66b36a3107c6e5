import JSON
import World

/// A reader for GeoJSON (RFC 7946): points and lines, bare, in features and in collections. Several documents may
/// follow one another, in a text sequence (RFC 8142) or without separators.
///
/// The times of a document may follow its positions, so the input is buffered and read at its end.
final class GeoJSONReader: FormatReader {
  /// The maximum document size, in bytes.
  static let limit = 64 << 20
  /// The maximum nesting depth of collections.
  static let depthLimit = 32
  /// The valid values of `type` in a document.
  static let types = [
    "FeatureCollection", "Feature", "Point", "MultiPoint", "LineString", "MultiLineString", "GeometryCollection",
    "Polygon",
    "MultiPolygon",
  ]
  /// The names of members that contain other objects.
  static let members = ["features", "geometry", "geometries", "coordinates"]

  private var bytes: [UInt8] = []

  func read(_ bytes: UnsafeRawBufferPointer, into found: inout [TrackItem]) throws(TrackError) {
    guard self.bytes.count + bytes.count <= Self.limit else {
      throw TrackError(reason: "it is larger than \(Self.limit >> 20) MiB, the limit for GeoJSON")
    }
    self.bytes += bytes
  }

  func finish(into found: inout [TrackItem]) throws(TrackError) {
    // Swap the items in and out, so that those found before an error are not lost.
    var items: [TrackItem] = []
    swap(&items, &found)
    defer { swap(&items, &found) }
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(TrackError) in
        var document = GeoJSONDocument(bytes)
        defer { items += document.found }
        try document.read()
      }
    }
    bytes = []
    try result.get()
  }
}

/// A reader for the bytes of one GeoJSON document.
struct GeoJSONDocument {
  private let bytes: UnsafeRawBufferPointer
  private(set) var found: [TrackItem] = []
  private var lines: LineCount
  /// Whether the last position came from a point geometry. Consecutive points form one segment.
  private var isAmongPoints = false

  private static let keys = JSONKeys(
    ["type", "features", "geometry", "geometries", "coordinates", "properties"].map { Array($0.utf8) })

  /// The relevant members of an object; missing members are empty ranges.
  private struct Members {
    var type, features, geometry, geometries, coordinates, properties: Range<Int>
    init(_ ranges: [Range<Int>]) {
      (type, features, geometry) = (ranges[0], ranges[1], ranges[2])
      (geometries, coordinates, properties) = (ranges[3], ranges[4], ranges[5])
    }
  }

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    lines = LineCount(bytes)
  }

  /// The character before each document of a text sequence (RFC 8142).
  private static let separator: UInt8 = 0x1e

  /// Read one document after another. In a text sequence, a damaged document does not prevent the next ones from being
  /// read.
  mutating func read() throws(TrackError) {
    var offset = start(after: 0)
    repeat {
      do throws(JSONError) {
        offset = start(after: try readDocument(from: offset))
      } catch {
        let line = lines.number(at: error.offset)
        let next = bytes[offset...].firstIndex(of: Self.separator)
        guard let next else {
          throw TrackError(reason: error.problem, line: line, column: lines.column(at: error.offset))
        }
        found.append(.broken(reason: error.problem, line: line))
        offset = start(after: next)
      }
    } while offset < bytes.count
  }

  /// The offset of the next document.
  private func start(after offset: Int) -> Int { bytes[offset...].firstIndex { $0 > 0x20 } ?? bytes.count }

  /// - Returns: The offset after the document.
  private mutating func readDocument(from start: Int) throws(JSONError) -> Int {
    var scanner = JSONScanner(bytes, at: start)
    guard scanner.next == UInt8(ascii: "{") else {
      let isFirst = bytes[..<start].allSatisfy { $0 <= 0x20 }
      throw JSONError(problem: isFirst ? "it is not an object" : "unexpected text follows it", offset: scanner.position)
    }
    let document = try scanner.skipValue()
    let type = try readObject(document, times: nil, depth: 0)
    guard GeoJSONReader.types.contains(type) else {
      throw JSONError(problem: "its type '\(type)' is not a GeoJSON type", offset: document.lowerBound)
    }
    return document.upperBound
  }

  /// Read an object and return its type.
  @discardableResult
  private mutating func readObject(
    _ range: Range<Int>, times: GeoJSONProperties?, depth: Int
  ) throws(JSONError) -> String {
    guard depth < GeoJSONReader.depthLimit else {
      throw JSONError(
        problem: "collections are nested more than \(GeoJSONReader.depthLimit) levels deep", offset: range.lowerBound)
    }
    var ranges = [Range<Int>](repeating: 0..<0, count: Self.keys.count)
    var scanner = JSONScanner(bytes, at: range.lowerBound)
    guard scanner.next == UInt8(ascii: "{") else {
      throw JSONError(problem: "expected an object", offset: range.lowerBound)
    }
    try scanner.find(Self.keys, in: &ranges)
    let members = Members(ranges)
    let type = text(members.type) ?? ""
    switch type {
    case "FeatureCollection":
      try forEach(members.features) { document, feature throws(JSONError) in
        try document.readObject(feature, times: nil, depth: depth + 1)
      }
    case "Feature":
      // A feature's geometry may be null.
      guard !members.geometry.isEmpty, bytes[members.geometry.lowerBound] != UInt8(ascii: "n") else { break }
      let properties = try GeoJSONProperties(bytes, members.properties)
      try readObject(members.geometry, times: properties, depth: depth + 1)
    case "GeometryCollection":
      try forEach(members.geometries) { document, geometry throws(JSONError) in
        try document.readObject(geometry, times: times, depth: depth + 1)
      }
    case "Point":
      beginPoints()
      readPosition(members.coordinates, at: range, time: times?.ownTime, accuracy: times?.accuracy)
    case "MultiPoint":
      beginPoints()
      var times = times?.lineTimes
      try readLine(members.coordinates, &times)
    case "LineString":
      beginLine()
      var times = times?.lineTimes
      try readLine(members.coordinates, &times)
    case "MultiLineString":
      var all = times?.lineTimes
      let areNested = all?.areNested == true
      try forEach(members.coordinates) { document, line throws(JSONError) in
        document.beginLine()
        guard areNested else { return try document.readLine(line, &all) }
        var part = try all?.nextPart()
        try document.readLine(line, &part)
      }
    case "Polygon", "MultiPolygon":
      found.append(.broken(reason: "a \(type) is not a track", line: lines.number(at: range.lowerBound)))
    default: break
    }
    return type
  }

  /// Call `body` with each element of an array. A missing array counts as empty.
  private mutating func forEach(
    _ array: Range<Int>, _ body: (inout GeoJSONDocument, Range<Int>) throws(JSONError) -> Void
  ) throws(JSONError) {
    guard !array.isEmpty else { return }
    var scanner = JSONScanner(bytes, at: array.lowerBound)
    guard scanner.next == UInt8(ascii: "[") else {
      throw JSONError(problem: "expected an array", offset: array.lowerBound)
    }
    while try scanner.nextElement() {
      let element = try scanner.skipValue()
      try body(&self, element)
    }
  }

  private mutating func readLine(_ array: Range<Int>, _ times: inout GeoJSONTimes?) throws(JSONError) {
    try forEach(array) { document, position throws(JSONError) in
      document.readPosition(position, at: position, time: try times?.next(), accuracy: nil)
    }
  }

  private mutating func readPosition(
    _ array: Range<Int>, at range: Range<Int>, time: GeoJSONTime?, accuracy: Double?
  ) {
    do throws(Broken) {
      let coordinate = try coordinate(array)
      var position = Position(coordinate, accuracy: accuracy)
      switch time {
      case .moment(let moment): position.time = moment
      case .unreadable: throw Broken(reason: "its time is invalid")
      case .missing, nil: break
      }
      found.append(.position(position))
    } catch {
      found.append(.broken(reason: error.reason, line: lines.number(at: range.lowerBound)))
    }
  }

  private struct Broken: Error { let reason: String }

  /// The coordinate: longitude, then latitude. Further numbers are ignored (RFC 7946, section 3.1.1).
  private func coordinate(_ array: Range<Int>) throws(Broken) -> Coordinate {
    var numbers: (Double?, Double?) = (nil, nil)
    var count = 0
    do throws(JSONError) {
      var scanner = JSONScanner(bytes, at: array.lowerBound)
      guard !array.isEmpty, scanner.next == UInt8(ascii: "[") else { throw JSONError(problem: "", offset: 0) }
      while count < 2, try scanner.nextElement() {
        let number = DecimalText.double(scanner.slice(try scanner.skipValue()))
        if count == 0 { numbers.0 = number } else { numbers.1 = number }
        count += 1
      }
    } catch {
      throw Broken(reason: "a position is not an array")
    }
    guard count == 2 else { throw Broken(reason: "a position has fewer than two numbers") }
    guard let longitude = numbers.0, let latitude = numbers.1 else {
      throw Broken(reason: "a position contains values that are not numbers")
    }
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
      throw Broken(reason: "its position is not on the earth")
    }
    return coordinate
  }

  private mutating func beginLine() {
    found.append(.segment)
    isAmongPoints = false
  }

  private mutating func beginPoints() {
    if !isAmongPoints { found.append(.segment) }
    isAmongPoints = true
  }

  private func text(_ range: Range<Int>) -> String? {
    guard range.count >= 2, bytes[range.lowerBound] == UInt8(ascii: "\"") else { return nil }
    var text: [UInt8] = []
    JSONScanner.appendText(of: UnsafeRawBufferPointer(rebasing: bytes[range.dropFirst().dropLast()]), to: &text)
    return String(decoding: text, as: UTF8.self)
  }
}

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
    var ranges = [Range<Int>](repeating: 0..<0, count: Self.keys.count)
    try scanner.find(Self.keys, in: &ranges)
    let dated = ranges.prefix(Self.lineKeys.count + TimeValue.keys.count)
    let single = dated.dropFirst(Self.lineKeys.count)
    times = dated.first { isArray($0) } ?? 0..<0
    if times.isEmpty, let nested = ranges.last, !nested.isEmpty, bytes[nested.lowerBound] == UInt8(ascii: "{") {
      var inner = JSONScanner(bytes, at: nested.lowerBound)
      if let range = try inner.value(of: Array("times".utf8)), isArray(range) { times = range }
    }
    ownTime = single.filter { !isArray($0) }.map { GeoJSONTime(bytes, $0) }.first { $0 != .missing } ?? .missing
    if ownTime == .missing, var times = lineTimes { ownTime = try times.next() }
    accuracy =
      ranges[dated.endIndex...].dropLast().lazy.compactMap { DecimalText.double(scanner.slice($0)) }.first
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

/// The time of one position.
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
