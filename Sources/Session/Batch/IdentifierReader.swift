import JSON
import Text

/// Reads the ids of a batch from text that arrives in chunks. The format is detected from the beginning of the text:
/// plain ids, one per line; JSON Lines; one JSON array; or a table, CSV or TSV printed by this program, recognized by
/// its header.
///
/// A JSON value is an id, or an object with an `id`. Blank lines and lines that start with `#` are ignored. Invalid
/// input is reported with its line, and reading continues. Memory is bounded by the longest accepted line.
package struct IdentifierReader {
  package enum Element: Equatable {
    /// A line number, starting at 1, and the id on that line.
    case id(line: Int, String)
    /// A line number and the error on that line.
    case badLine(line: Int, String)
  }
  package typealias Report = (Element) throws -> Void

  /// The longest accepted line or element, in bytes.
  package static let limit = 1 << 20

  private enum Format { case undecided, lines, array, afterArray }
  private var format = Format.undecided
  private var isFirstLine = true
  /// The state of a list printed by this program; nil for other formats.
  private var list: PrintedList?
  /// The number of the current line, starting at 1.
  private var line = 1
  /// The current line or element.
  private var piece: [UInt8] = []
  /// The line on which the piece starts.
  private var pieceLine = 1
  private var isTooLong = false
  private var start = TextStart()
  private var nesting = ArrayNesting()

  package init() {}

  /// - Throws: ``ForeignEncoding``, and any error of `report`.
  package mutating func read(_ bytes: [UInt8], _ report: Report) throws {
    try read(text: start.receive(bytes), report)
  }

  private mutating func read(text bytes: [UInt8], _ report: Report) throws {
    var rest = bytes[...]
    while true {
      if format == .lines {
        // Most input is lines, and most bytes of a line need no individual check.
        let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
        append(rest[..<end])
        rest = rest[end...]
      }
      guard let byte = rest.popFirst() else { return }
      switch format {
      case .undecided: try decide(byte, report)
      case .lines: try readLine(byte, report)
      case .array: try readElement(byte, report)
      case .afterArray: try readAfterArray(byte, report)
      }
      if byte == UInt8(ascii: "\n") { line += 1 }
    }
  }

  /// Handles the end of the text.
  package mutating func end(_ report: Report) throws {
    try read(text: start.end(), report)
    switch format {
    case .afterArray: break
    case .undecided, .lines: try endLine(report)
    case .array:
      if !trimmed.isEmpty || isTooLong { try endElement(report) }
      try report(.badLine(line: line, "the array is not closed"))
    }
  }

  private mutating func decide(_ byte: UInt8, _ report: Report) throws {
    guard !byte.isSpace else { return }
    format = byte == UInt8(ascii: "[") ? .array : .lines
    pieceLine = line
    if format == .lines { try readLine(byte, report) }
  }

  // MARK: Lines

  private mutating func readLine(_ byte: UInt8, _ report: Report) throws {
    guard byte != UInt8(ascii: "\n") else {
      try endLine(report)
      pieceLine = line + 1
      return
    }
    append(byte)
  }

  private mutating func endLine(_ report: Report) throws {
    defer { clear() }
    guard !isTooLong else { return try report(.badLine(line: pieceLine, Self.tooLong)) }
    let text = trimmed
    guard let first = text.first, first != UInt8(ascii: "#") || list?.isInQuotes == true else { return }
    if isFirstLine {
      isFirstLine = false
      list = PrintedList(header: text)
      if list != nil { return }
    }
    if list != nil {
      guard let id = list?.id(ofRow: text) else { return }
      return try reportID(id, report)
    }
    switch first {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""):
      try report(Self.element(parsing: text, line: pieceLine))
    default:
      // An id with a space is accepted only in JSON: a plain line with a space is rarely an id.
      guard !text.contains(where: \.isSpace) else {
        return try report(.badLine(line: pieceLine, "expected one id per line"))
      }
      try reportID(text, report)
    }
  }

  private func reportID(_ bytes: ArraySlice<UInt8>, _ report: Report) throws {
    let id = String(validating: bytes, as: UTF8.self)
    try report(id.map { .id(line: pieceLine, $0) } ?? .badLine(line: pieceLine, "it is not UTF-8"))
  }

  // MARK: Array

  private mutating func readElement(_ byte: UInt8, _ report: Report) throws {
    switch nesting.receive(byte) {
    case .inside:
      if piece.isEmpty, !isTooLong {
        guard !byte.isSpace else { return }
        pieceLine = line
      }
      append(byte)
    case .comma:
      try endElement(report)
      nesting.isFirst = false
    case .end:
      // An empty array has no elements.
      if !nesting.isFirst || isTooLong || !trimmed.isEmpty { try endElement(report) }
      format = .afterArray
    }
  }

  private mutating func endElement(_ report: Report) throws {
    defer { clear() }
    guard !isTooLong else { return try report(.badLine(line: pieceLine, Self.tooLong)) }
    let text = trimmed
    guard !text.isEmpty else { return try report(.badLine(line: line, "an element of the array is empty")) }
    try report(Self.element(parsing: text, line: pieceLine))
  }

  private mutating func readAfterArray(_ byte: UInt8, _ report: Report) throws {
    guard !byte.isSpace, !nesting.hasReportedTrailingText else { return }
    nesting.hasReportedTrailingText = true
    try report(.badLine(line: line, "unexpected text after the array"))
  }

  // MARK: Pieces

  private mutating func append(_ bytes: ArraySlice<UInt8>) {
    if piece.count + bytes.count <= Self.limit { piece += bytes } else { isTooLong = true }
  }

  private mutating func append(_ byte: UInt8) {
    if piece.count < Self.limit { piece.append(byte) } else { isTooLong = true }
  }

  private mutating func clear() {
    piece.removeAll(keepingCapacity: piece.count < 1 << 14)
    isTooLong = false
  }

  private var trimmed: ArraySlice<UInt8> {
    var text = piece[...]
    while text.first?.isSpace == true { text.removeFirst() }
    while text.last?.isSpace == true { text.removeLast() }
    return text
  }

  private static let tooLong = "it is longer than \(limit) bytes"

  private static func element(parsing json: ArraySlice<UInt8>, line: Int) -> Element {
    let value: JSONValue
    do throws(JSONError) { value = try JSONValue(parsing: Array(json)) } catch {
      return .badLine(line: line, "it is not JSON: \(error)")
    }
    if let id = value.string { return .id(line: line, id) }
    if let id = value["id"]?.string {
      // A row of `connections list` says which provider the id belongs to.
      guard let provider = value["provider"]?.string, provider != "connect", !id.hasPrefix(provider + ":") else {
        return .id(line: line, id)
      }
      return .id(line: line, "\(provider):\(id)")
    }
    return .badLine(line: line, value.object == nil ? "it is not an id" : "it has no \"id\" string")
  }
}

/// The position of a byte in a JSON array: inside an element, between two elements, or at the end.
private struct ArrayNesting {
  enum Position { case inside, comma, end }
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  /// Whether no element has ended yet.
  var isFirst = true
  /// Whether text after the array has been reported.
  var hasReportedTrailingText = false

  mutating func receive(_ byte: UInt8) -> Position {
    if isInString {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString = false
      }
      return .inside
    }
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
    case UInt8(ascii: "]") where depth == 0: return .end
    case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= depth > 0 ? 1 : 0
    case UInt8(ascii: ",") where depth == 0: return .comma
    default: break
    }
    return .inside
  }
}

extension UInt8 {
  /// White space as defined by JSON, including a carriage return before a newline.
  fileprivate var isSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0a || self == 0x0d }
}

/// A list that this program printed as a table, CSV or TSV, whose first column is the id.
struct PrintedList {
  private enum Separator { case blank, comma, tab }
  private let separator: Separator
  /// Whether a value of the previous row continues: in CSV, a quoted value may contain line breaks.
  private(set) var isInQuotes = false

  /// Nil if the line is not the header of such a list.
  package init?(header line: ArraySlice<UInt8>) {
    let text = String(decoding: line, as: UTF8.self)
    if text == "id" || text.hasPrefix("id\t") {
      separator = .tab
    } else if text.hasPrefix("id,") {
      separator = .comma
    } else if text == "ID" || text.hasPrefix("ID "),
      text.utf8.allSatisfy({ $0.isUppercase || $0 == 0x20 || $0 == 0x5f || $0 == 0x2e })
    {
      separator = .blank
    } else {
      return nil
    }
  }

  /// The value of the first column; nil inside a value that started in a previous row.
  package mutating func id(ofRow line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let quote = UInt8(ascii: "\"")
    switch separator {
    case .blank: return line.prefix { $0 != 0x20 }
    case .tab: return line.prefix { $0 != 0x09 }
    case .comma:
      let isContinuation = isInQuotes
      if line.count(where: { $0 == quote }) % 2 == 1 { isInQuotes.toggle() }
      guard !isContinuation else { return nil }
      guard line.first == quote else { return line.prefix { $0 != UInt8(ascii: ",") } }
      return line.dropFirst().prefix { $0 != quote }
    }
  }
}
