import Text

/// A JSON syntax error and its position (RFC 8259).
package struct JSONError: Error, Equatable, CustomStringConvertible {
  package let problem: String
  /// The position, in bytes from the start of the text.
  package let offset: Int
  /// The problem of an escape for which no character exists.
  package static let halfPair = "an escape is half of a surrogate pair"

  package init(problem: String, offset: Int) { (self.problem, self.offset) = (problem, offset) }
  package var description: String { "\(problem) at byte \(offset)" }
}

/// The line number of a byte. For ascending offsets, it scans the bytes only once.
package struct LineCount {
  private let bytes: UnsafeRawBufferPointer
  private var scannedCount = 0
  private var line = 1

  package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// The line number, from 1.
  package mutating func number(at offset: Int) -> Int {
    if offset < scannedCount { (scannedCount, line) = (0, 1) }
    let end = min(offset, bytes.count)
    for byte in bytes[scannedCount..<end] where byte == UInt8(ascii: "\n") { line += 1 }
    scannedCount = end
    return line
  }

  /// The column in bytes, from 1.
  package func column(at offset: Int) -> Int {
    let before = bytes[..<min(offset, bytes.count)]
    return before.count - (before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0) + 1
  }
}

extension JSONValue {
  /// Parses the single value in `bytes`, with optional surrounding white space.
  ///
  /// The parser accepts strict RFC 8259 in UTF-8, at most ``JSONValue/maximumDepth`` levels deep.
  /// - Parameters:
  ///   - values: The maximum number of values, counting each element and member. A short value takes many times its
  ///     length in memory, so a limit on bytes is not sufficient. Text from the user may have any number.
  ///   - skipped: top-level keys that the reader does not need. Their members are left out, and not validated.
  /// - Throws: ``JSONError``.
  package init(
    parsing bytes: [UInt8], values: Int = JSONValue.maximumValues, skipping skipped: [String] = []
  ) throws(JSONError) {
    let outcome = bytes.withUnsafeBufferPointer { buffer -> Result<JSONValue, JSONError> in
      var parser = JSONParser(bytes: buffer, values: values)
      parser.skipped = skipped
      do throws(JSONError) { return .success(try parser.document()) } catch { return .failure(error) }
    }
    self = try outcome.get()
  }

  /// Parses a document that a person wrote or saved: a file, or stdin.
  ///
  /// It may begin with a byte order mark (RFC 8259, section 8.1). Half of a surrogate pair is an error: U+FFFD would be
  /// sent instead.
  /// - Throws: ``JSONError``.
  /// - Parameter each: receives each element of the array at the top-level key `list`, which is left empty. The values
  ///   of a long list would take several times as much memory as its text.
  package init(
    document bytes: [UInt8], values: Int = .max, list: String? = nil, each: ((JSONValue) -> Void)? = nil
  ) throws(JSONError) {
    let start: Int
    do throws(ForeignEncoding) { start = try TextStart.markLength(of: bytes) } catch {
      throw JSONError(problem: error.description, offset: 0)
    }
    let outcome = bytes.withUnsafeBufferPointer { buffer -> Result<JSONValue, JSONError> in
      var parser = JSONParser(bytes: buffer, values: values)
      (parser.position, parser.rejectsHalfPairs) = (start, true)
      (parser.list, parser.each) = (list, each)
      do throws(JSONError) { return .success(try parser.document()) } catch { return .failure(error) }
    }
    self = try outcome.get()
  }

  package static let maximumDepth = 512
  /// The maximum number of values in text from other sources.
  package static let maximumValues = 1_000_000
}

/// A recursive descent parser for the bytes of one document.
private struct JSONParser {
  let bytes: UnsafeBufferPointer<UInt8>
  var position = 0
  var depth = 0
  /// The number of further values that are allowed.
  var values: Int
  /// The top-level key whose elements are passed to `each` instead of being kept.
  var list: String?
  var each: ((JSONValue) -> Void)?
  /// Whether an escape that is half of a surrogate pair is an error.
  var rejectsHalfPairs = false
  /// The top-level keys whose members are left out.
  var skipped: [String] = []

  init(bytes: UnsafeBufferPointer<UInt8>, values: Int) { (self.bytes, self.values) = (bytes, values) }

  mutating func document() throws(JSONError) -> JSONValue {
    skipSpace()
    let value = try value()
    skipSpace()
    guard position == bytes.count else { throw error("unexpected text after the value") }
    return value
  }

  private func error(_ problem: String) -> JSONError { JSONError(problem: problem, offset: position) }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
  }

  private mutating func value() throws(JSONError) -> JSONValue {
    guard let next else { throw error("expected a value, not the end") }
    values -= 1
    guard values >= 0 else { throw error("too many values") }
    switch next {
    case UInt8(ascii: "{"): return try nested { parser throws(JSONError) in .object(try parser.object()) }
    case UInt8(ascii: "["): return try nested { parser throws(JSONError) in .array(try parser.array()) }
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", is: .bool(true))
    case UInt8(ascii: "f"): return try word("false", is: .bool(false))
    case UInt8(ascii: "n"): return try word("null", is: .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    default: throw error("expected a value")
    }
  }

  private mutating func nested(
    _ body: (inout JSONParser) throws(JSONError) -> JSONValue
  ) throws(JSONError) -> JSONValue {
    depth += 1
    guard depth <= JSONValue.maximumDepth else { throw error("nested too deeply") }
    position += 1
    skipSpace()
    let value = try body(&self)
    depth -= 1
    return value
  }

  private mutating func object() throws(JSONError) -> JSONObject {
    var members: [(key: String, value: JSONValue)] = []
    if consume("}") { return JSONObject() }
    members.reserveCapacity(8)
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw error("expected a string as a key") }
      let key = try string()
      skipSpace()
      guard consume(":") else { throw error("expected a colon after a key") }
      skipSpace()
      if depth == 1, skipped.contains(key) {
        try skipValue()
        continue
      }
      let isPassedOn = depth == 1 && key == list && next == UInt8(ascii: "[")
      let value =
        isPassedOn
        ? try nested { parser throws(JSONError) in .array(try parser.array(to: parser.each)) } : try value()
      members.append((key: key, value: value))
      skipSpace()
    } while consume(",")
    guard consume("}") else { throw error("expected a comma or a closing brace") }
    return JSONObject(members: members)
  }

  private mutating func skipValue() throws(JSONError) {
    var scanner = JSONScanner(UnsafeRawBufferPointer(bytes), at: position)
    _ = try scanner.skipValue()
    position = scanner.position
    skipSpace()
  }

  /// - Parameter each: receives the elements. The returned array is then empty.
  private mutating func array(to each: ((JSONValue) -> Void)? = nil) throws(JSONError) -> [JSONValue] {
    var elements: [JSONValue] = []
    if consume("]") { return elements }
    repeat {
      skipSpace()
      let value = try value()
      if let each { each(value) } else { elements.append(value) }
      skipSpace()
    } while consume(",")
    guard consume("]") else { throw error("expected a comma or a closing bracket") }
    return elements
  }

  private mutating func consume(_ byte: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: byte) else { return false }
    position += 1
    return true
  }

  private mutating func word(_ word: StaticString, is value: JSONValue) throws(JSONError) -> JSONValue {
    let count = word.utf8CodeUnitCount
    guard bytes.count - position >= count, (0..<count).allSatisfy({ bytes[position + $0] == word.utf8Start[$0] }) else {
      throw error("expected a value")
    }
    position += count
    return value
  }

  private mutating func number() throws(JSONError) -> JSONNumber {
    let start = position
    _ = consume("-")
    let isZero = next == UInt8(ascii: "0")
    let whole = consumeDigits()
    guard whole > 0, !(isZero && whole > 1) else { throw error("malformed number") }
    if consume("."), consumeDigits() == 0 { throw error("malformed number") }
    if consume("e") || consume("E") {
      if !consume("+") { _ = consume("-") }
      if consumeDigits() == 0 { throw error("malformed number") }
    }
    return JSONNumber(unchecked: String(decoding: bytes[start..<position], as: UTF8.self))
  }

  /// Consumes digits and returns their number.
  private mutating func consumeDigits() -> Int {
    let start = position
    while let digit = next, digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") { position += 1 }
    return position - start
  }

  private mutating func string() throws(JSONError) -> String {
    position += 1
    let start = position
    position = JSONScanner.endOfPlainText(UnsafeRawBufferPointer(bytes), from: position)
    // ASCII needs no UTF-8 validation, and most text is ASCII.
    let isASCII = next == UInt8(ascii: "\"")
    while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { position += 1 }
    if next == UInt8(ascii: "\"") {
      defer { position += 1 }
      let raw = UnsafeBufferPointer(rebasing: bytes[start..<position])
      return isASCII ? String(decoding: raw, as: UTF8.self) : try text(raw, from: start)
    }
    var unescaped = Array(bytes[start..<position])
    while true {
      guard let byte = next else { throw error("unterminated string") }
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        let decoded = unescaped.withUnsafeBufferPointer { String(validating: $0, as: UTF8.self) }
        guard let decoded else { throw JSONError(problem: "invalid UTF-8", offset: start) }
        return decoded
      case UInt8(ascii: "\\"): try escape(into: &unescaped)
      case ..<0x20:
        position -= 1
        throw error("unescaped control character in a string")
      default: unescaped.append(byte)
      }
    }
  }

  private func text(_ raw: UnsafeBufferPointer<UInt8>, from start: Int) throws(JSONError) -> String {
    guard let text = String(validating: raw, as: UTF8.self) else {
      throw JSONError(problem: "invalid UTF-8", offset: start)
    }
    return text
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
    guard let letter = next else { throw error("unterminated string") }
    position += 1
    if let character = JSONEscape.character(letter) {
      text.append(character)
    } else if letter == UInt8(ascii: "u") {
      text.append(contentsOf: String(Character(try escapedScalar())).utf8)
    } else {
      throw error("invalid escape")
    }
  }

  /// Parses one scalar from `\uXXXX` or a surrogate pair. In a response, a lone surrogate becomes U+FFFD, so that one
  /// malformed name does not invalidate all of it.
  private mutating func escapedScalar() throws(JSONError) -> Unicode.Scalar {
    let first = try codeUnit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    let mark = position
    if UTF16.isLeadSurrogate(first), consume("\\"), consume("u") {
      if let scalar = JSONEscape.scalar(first, try codeUnit()) { return scalar }
    }
    position = mark
    guard !rejectsHalfPairs else {
      throw JSONError(problem: JSONError.halfPair, offset: mark - 6)
    }
    return "\u{fffd}"
  }

  private mutating func codeUnit() throws(JSONError) -> UInt16 {
    let unit = JSONEscape.codeUnit(bytes[position...])
    position += bytes[position...].prefix(4).prefix { $0.hexadecimal != nil }.count
    guard let unit else { throw error("invalid escape") }
    return unit
  }
}
