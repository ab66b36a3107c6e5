import JSON
import Text

/// A reader for positions as JSON objects (see ``PositionObject``): one per line, one after another in any layout, as
/// `jq` prints them, in a text sequence (RFC 7464), or in an array.
///
/// Objects are emitted at the end of the line that completes them. An array is read as a whole.
final class JSONLinesReader: FormatReader {
  /// The maximum length of a line or an object, in bytes.
  static let lineLimit = 1 << 20
  /// The number of bytes without a line break after which reading fails, because the input is not made of lines.
  static let byteLimit = 64 << 20

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
    if isArray == false { try readLines(bytes, into: &found) } else { try buffer(bytes) }
  }

  func finish(into found: inout [TrackItem]) throws(TrackError) {
    if isArray == true { return try readArray(into: &found) }
    lines.finish { line, number in objects.receive(line, number, into: &found) }
    objects.finish(into: &found)
  }

  private func readLines(_ bytes: UnsafeRawBufferPointer, into found: inout [TrackItem]) throws(TrackError) {
    lines.read(bytes) { line, number in objects.receive(line, number, into: &found) }
    if lines.excess > Self.byteLimit {
      throw TrackError(reason: "a line is longer than \(Self.byteLimit >> 20) MiB", line: lines.number + 1)
    }
  }

  private func takeBeginning() -> [UInt8] {
    defer { beginning = [] }
    return beginning
  }

  private func buffer(_ bytes: UnsafeRawBufferPointer) throws(TrackError) {
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

/// An assembler that finds JSON objects in lines. An object may span several lines, and a line may contain several
/// objects.
///
/// After an object without an end, reading continues at the next line that starts with a bracket, or at the next record
/// separator (RFC 7464).
struct JSONObjectAssembler {
  /// The object whose end has not arrived.
  private struct PartialObject {
    var bytes: [UInt8]
    let line: Int
    var scanner: BracketScanner
    var isTooLong = false

    /// Add bytes, unless the object is too long already.
    mutating func append(_ more: some Collection<UInt8>) {
      guard !isTooLong else { return }
      isTooLong = bytes.count + more.count > JSONLinesReader.lineLimit
      if isTooLong { bytes = [] } else { bytes += more }
    }
  }

  private static let separator: UInt8 = 0x1e
  private var partial: PartialObject?

  /// - Parameter line: Nil for a line that is too long.
  mutating func receive(_ line: UnsafeRawBufferPointer?, _ number: Int, into found: inout [TrackItem]) {
    guard let line else {
      finish(into: &found)
      found.append(Self.tooLong(number))
      return
    }
    let isBoundary = line.first == Self.separator || line.first == UInt8(ascii: "{")
    if isBoundary { finish(into: &found) }
    var rest = line.drop { $0 == Self.separator }[...]
    while !rest.allSatisfy({ $0 <= 0x20 }) { rest = receiveNext(rest, number, into: &found) }
  }

  /// Report the object whose end has not arrived.
  mutating func finish(into found: inout [TrackItem]) {
    guard let partial else { return }
    self.partial = nil
    guard !partial.isTooLong else { return found.append(Self.tooLong(partial.line)) }
    Self.read(partial.bytes, partial.line, into: &found)
  }

  /// Read the next object of a line, or a part of one.
  /// - Returns: The rest of the line.
  private mutating func receiveNext(
    _ text: Slice<UnsafeRawBufferPointer>, _ number: Int, into found: inout [TrackItem]
  ) -> Slice<UnsafeRawBufferPointer> {
    var object = partial ?? PartialObject(bytes: [], line: number, scanner: BracketScanner())
    let isNew = partial == nil
    if !isNew { object.append([UInt8(ascii: "\n")]) }
    partial = nil
    let start = isNew ? text.firstIndex { $0 > 0x20 } ?? text.endIndex : text.startIndex
    let text = text[start...]
    guard !isNew || text.first == UInt8(ascii: "{") else {
      Self.read(Array(text), number, into: &found)
      return text[text.endIndex...]
    }
    guard let end = object.scanner.end(in: text) else {
      object.append(text)
      partial = object
      // A string cannot contain a line break, so this is not the end of a longer object.
      if object.scanner.isInString { finish(into: &found) }
      return text[text.endIndex...]
    }
    let rest = text[(start + end + 1)...]
    // Anything but another object belongs to the same damaged line.
    let next = rest.first { $0 > 0x20 }
    let isLast = next != UInt8(ascii: "{")
    object.append(isLast ? text : text[...(start + end)])
    partial = object
    finish(into: &found)
    return isLast ? rest[rest.endIndex...] : rest
  }

  private static func read(_ bytes: [UInt8], _ line: Int, into found: inout [TrackItem]) {
    if let item = PositionObject.item(bytes, line: line) { found.append(item) }
  }

  private static func tooLong(_ line: Int) -> TrackItem {
    .broken(reason: "it is longer than \(JSONLinesReader.lineLimit) bytes", line: line)
  }
}

/// A scanner for the end of a JSON object or array that arrives in pieces. It checks nothing else.
struct BracketScanner {
  private var depth = 0
  private var isEscaped = false
  /// Whether the bytes so far end within a string.
  private(set) var isInString = false

  /// The index of the bracket that closes the first one, or nil if these bytes do not contain it.
  mutating func end(in bytes: some Collection<UInt8>) -> Int? {
    for (index, byte) in bytes.enumerated() {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth <= 0 { return index }
      default: break
      }
    }
    return nil
  }
}

/// A JSON array of positions.
enum PositionArray {
  static func read(_ bytes: UnsafeRawBufferPointer, into found: inout [TrackItem]) throws(TrackError) {
    var lines = LineCount(bytes)
    do throws(JSONError) {
      var scanner = JSONScanner(bytes)
      // Several arrays may follow one another.
      while scanner.next != nil {
        guard scanner.next == UInt8(ascii: "[") else {
          throw JSONError(problem: "unexpected text follows the array", offset: scanner.position)
        }
        while try scanner.nextElement() {
          let element = try scanner.skipValue()
          let bytes = Array(scanner.slice(element))
          if let item = PositionObject.item(bytes, line: lines.number(at: element.lowerBound)) { found.append(item) }
        }
      }
    } catch {
      let line = lines.number(at: error.offset)
      throw TrackError(reason: error.problem, line: line, column: lines.column(at: error.offset))
    }
  }
}
