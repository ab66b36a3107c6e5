import Text

/// A reader that parses a track as its bytes arrive.
///
/// A live track's positions are emitted as soon as they are complete. Those of a file may be buffered until a later
/// part of the file gives them a date or a position in the order: see ``SegmentOrder`` and ``NMEAReader``.
///
/// Memory use is bounded: see ``SegmentOrder/limit`` and ``GeoJSONReader/limit``.
package final class TrackReader {
  private let bytes = TrackBytes()
  private var reader: (any FormatReader)?
  private let isLive: Bool
  /// The name and first bytes of a track whose format is not known yet.
  private var (name, beginning): (String, [UInt8]) = ("", [])
  private var order: SegmentOrder?

  /// - Parameter isLive: Whether positions are needed as they happen.
  package init(_ format: TrackFormat, isLive: Bool = true) {
    self.isLive = isLive
    begin(format)
  }

  /// Create a reader that detects the format from the file name or else from the contents, buffering as much as it
  /// needs.
  package init(named name: String, isLive: Bool = true) {
    (self.name, self.isLive) = (name, isLive)
    if let format = TrackFormat.guess(name: name, beginning: []) { begin(format) }
  }

  /// Append the items that these bytes complete, even if it throws. Without ``isLive``, further items may be buffered:
  /// see ``nextBuffered(into:)``.
  ///
  /// The result does not depend on how the bytes are split into pieces.
  package func read(_ bytes: UnsafeRawBufferPointer, into found: inout [TrackItem]) throws(TrackError) {
    try arranged(into: &found) { found throws(TrackError) in
      try self.bytes.read(bytes) { text throws(TrackError) in try readText(text, into: &found) }
    }
  }

  package func read(_ bytes: [UInt8], into found: inout [TrackItem]) throws(TrackError) {
    try bytes.withPiece { bytes throws(TrackError) in try read(bytes, into: &found) }
  }

  /// Finish the input: the last item is complete or invalid.
  package func finish(into found: inout [TrackItem]) throws(TrackError) {
    defer { order?.finish() }
    try arranged(into: &found) { found throws(TrackError) in
      try bytes.finish { text throws(TrackError) in try readText(text, into: &found) }
      if reader == nil, !beginning.isEmpty {
        guard let format = TrackFormat.guess(name: name, beginning: beginning) else { throw Self.unknown }
        try beginText(format, into: &found)
      }
      try reader?.finish(into: &found)
    }
  }

  /// Append some of the items that were buffered, in order. Call it until it returns false, after the end of the input
  /// or an error.
  package func nextBuffered(into found: inout [TrackItem]) -> Bool { order?.next(into: &found) ?? false }

  /// Call `body` with an array for the items that it finds, and append the items that need not be buffered.
  private func arranged(
    into found: inout [TrackItem], _ body: (inout [TrackItem]) throws(TrackError) -> Void
  ) throws(TrackError) {
    guard !isLive else { return try body(&found) }
    var items: [TrackItem] = []
    let result = Result { () throws(TrackError) in try body(&items) }
    order?.add(items, into: &found)
    if case .failure = result { order?.finish() }
    try result.get()
  }

  private func readText(_ text: UnsafeRawBufferPointer, into found: inout [TrackItem]) throws(TrackError) {
    if let reader { return try reader.read(text, into: &found) }
    beginning += text
    if let format = TrackFormat.guess(name: name, beginning: beginning, isLive: true) {
      try beginText(format, into: &found)
    } else if beginning.count >= TrackFormat.decisiveCount {
      throw Self.unknown
    }
  }

  private func begin(_ format: TrackFormat) {
    reader = format.reader(isLive: isLive)
    if !isLive { order = SegmentOrder(sortsSegments: format.hasSegments) }
  }

  private func beginText(_ format: TrackFormat, into found: inout [TrackItem]) throws(TrackError) {
    begin(format)
    let text = beginning
    beginning = []
    try text.withPiece { text throws(TrackError) in try readText(text, into: &found) }
  }

  private static let unknown = TrackError(reason: "its format is not recognized")

  /// The number of positions that are not part of the track, such as a GPX file's waypoints next to a track. Final at
  /// the end.
  package var omitted: Int { reader?.omitted ?? 0 }
  /// The number of positions in segments that the file repeats. Final at the end.
  package var repeated: Int { order?.repeated ?? 0 }
}

extension TrackFormat {
  /// Whether a track of this format can consist of several recordings.
  fileprivate var hasSegments: Bool {
    switch self {
    case .gpx, .geojson: true
    case .nmea, .jsonl: false
    }
  }

  fileprivate func reader(isLive: Bool) -> any FormatReader {
    switch self {
    case .gpx: GPXReader()
    case .geojson: GeoJSONReader()
    case .nmea: NMEAReader(isLive: isLive)
    case .jsonl: JSONLinesReader()
    }
  }
}

/// A track file format.
package enum TrackFormat: String, Sendable, CaseIterable {
  case gpx, geojson, nmea, jsonl

  /// The number of bytes that suffice to detect a format, if it is detectable.
  static let decisiveCount = 4096

  /// The format, from a file's name or else from its first bytes, of which a few thousand suffice; nil if neither
  /// identifies it.
  /// - Parameter isLive: Whether more bytes may follow, so that an ambiguous beginning stays undecided.
  package static func guess(name: String, beginning: [UInt8], isLive: Bool = false) -> TrackFormat? {
    var parts = name.split(separator: "/").last?.split(separator: ".", omittingEmptySubsequences: false) ?? []
    if parts.last?.lowercased() == "gz" { parts.removeLast() }
    return switch parts.last?.lowercased() {
    case "gpx": .gpx
    case "geojson", "geojsonl", "geojsons", "geojsonseq", "ndgeojson": .geojson
    case "nmea", "nma": .nmea
    case "jsonl", "ndjson": .jsonl
    // A `.json` file contains a single document or one object per line, so its contents determine the format.
    default: guess(beginning.prefix(decisiveCount), isLive: isLive && beginning.count < decisiveCount)
    }
  }

  /// The format of a beginning. The result is the same for every longer beginning.
  private static func guess(_ bytes: ArraySlice<UInt8>, isLive: Bool) -> TrackFormat? {
    let mark = ByteOrderMark.find(in: Array(bytes.prefix(ByteOrderMark.decisiveCount)))
    let text = bytes.dropFirst(mark.count)
    // UTF-16 has a zero beside each ASCII character.
    let start = text.firstIndex { $0 > 0x20 } ?? text.endIndex
    switch text[start...].first {
    case UInt8(ascii: "<"): return .gpx
    case UInt8(ascii: "["):
      // Some loggers write a time in brackets before each sentence.
      guard let next = text[(start + 1)...].first(where: { $0 > 0x20 }) else { return nil }
      return "{[]".utf8.contains(next) ? .jsonl : hasSentence(bytes) ? .nmea : nil
    case UInt8(ascii: "{"):
      // The first complete object decides, whatever follows it.
      var scanner = BracketScanner()
      let end = scanner.end(in: text[start...]).map { start + $0 }
      let object = end.map { text[start...$0] } ?? text[start...]
      let isComplete = end.map { text[$0...].contains(UInt8(ascii: "\n")) } ?? false
      if isGeoJSON(object) { return .geojson }
      return isLive && !isComplete ? nil : .jsonl
    default: return hasSentence(bytes) ? .nmea : nil
    }
  }

  /// Whether a member `type` has one of GeoJSON's values (RFC 7946, section 1.4), or, because `type` may come last,
  /// whether another GeoJSON member starts.
  private static func isGeoJSON(_ bytes: ArraySlice<UInt8>) -> Bool {
    // The last word may be incomplete.
    let whole = bytes.prefix(upTo: bytes.lastIndex { !isWordByte($0) } ?? bytes.startIndex)
    let words = whole.split { !isWordByte($0) }
    if words.contains(where: { word in GeoJSONReader.members.contains { word.elementsEqual($0.utf8) } }) { return true }
    return zip(words, words.dropFirst()).contains { key, value in
      key.elementsEqual("type".utf8) && GeoJSONReader.types.contains { value.elementsEqual($0.utf8) }
    }
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    byte.isLetter || byte == UInt8(ascii: "_")
  }

  /// Whether an NMEA sentence starts anywhere in the bytes. Receivers mix sentences with binary data.
  private static func hasSentence(_ bytes: ArraySlice<UInt8>) -> Bool {
    for start in bytes.indices where bytes[start] == UInt8(ascii: "$") || bytes[start] == UInt8(ascii: "!") {
      let address = bytes[(start + 1)...].prefix(6)
      let messages = address.dropLast()
      guard address.last == UInt8(ascii: ","), messages.count == 5 else { continue }
      if messages.allSatisfy(\.isUppercase) { return true }
    }
    return false
  }
}
