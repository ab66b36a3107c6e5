/// A reader for positions as JSON objects (see ``PositionObject``): one per line, one after another in any layout, as
/// `jq` prints them, in a text sequence (RFC 7464), or in an array.
///
/// Objects are emitted at the end of the line that completes them. An array is read as a whole.
final class JSONLinesReader: FormatReader {
  /// The maximum length of a line or an object, in bytes.
  static let lineLimit = 1 << 20
  /// The number of bytes without a line break after which reading fails, because the input is not made of lines.
  static let patience = 64 << 20

  private var lines = LineSplitter(limit: lineLimit)
  private var objects = JSONObjectAssembler()
  /// Whether the input is an array; nil until its first character.
  private var isArray: Bool?
  /// The array, or the white space before the first character.
  private var beginning: [UInt8] = []

  func read(_ bytes: UnsafeRawBufferPointer, into found: inout [TrackItem]) throws(TrackError) {
    if isArray == nil, let first = bytes.first(where: { $0 > 0x20 }) {
      isArray = first == UInt8(ascii: "[")
      if isArray == false {
        try takeBeginning().withPiece { text throws(TrackError) in try readLines(text, into: &found) }
      }
    }
    if isArray == false { try readLines(bytes, into: &found) } else { try keep(bytes) }
  }

  func finish(into found: inout [TrackItem]) throws(TrackError) {
    if isArray == true { return try readArray(into: &found) }
    lines.finish { line, number in objects.receive(line, number, into: &found) }
    objects.finish(into: &found)
  }

  private func readLines(_ bytes: UnsafeRawBufferPointer, into found: inout [TrackItem]) throws(TrackError) {
    lines.read(bytes) { line, number in objects.receive(line, number, into: &found) }
    if lines.excess > Self.patience {
      throw TrackError(reason: "a line is longer than \(Self.patience >> 20) MiB", line: lines.number + 1)
    }
  }

  private func takeBeginning() -> [UInt8] {
    defer { beginning = [] }
    return beginning
  }

  private func keep(_ bytes: UnsafeRawBufferPointer) throws(TrackError) {
    guard beginning.count + bytes.count <= GeoJSONReader.limit else {
      throw TrackError(reason: "it is larger than \(GeoJSONReader.limit >> 20) MiB, the limit for a JSON array")
    }
    beginning += bytes
  }

  private func readArray(into found: inout [TrackItem]) throws(TrackError) {
    // Swap the items in and out, so that those found before an error are not lost.
    var items: [TrackItem] = []
    swap(&items, &found)
    defer { swap(&items, &found) }
    try takeBeginning().withPiece { bytes throws(TrackError) in try PositionArray.read(bytes, into: &items) }
  }
}
