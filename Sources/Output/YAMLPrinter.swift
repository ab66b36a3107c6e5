import JSON
import Text

/// Prints rows as YAML 1.2: one document, with block mappings and sequences.
///
/// Text that could be read as another type, in YAML 1.1 too, is in double quotes, and so is text with anything that a
/// terminal would interpret, which is escaped.
struct YAMLPrinter: RowPrinter {
  private let isList: Bool
  private let isFollowed: Bool
  private var fields: FieldObject?
  private var isEmpty = true
  private var object: [UInt8] = []

  init(_ shape: Cardinality, _ presentation: Presentation) {
    isList = shape == .array
    isFollowed = presentation.isFollowed
    fields = presentation.fields.map(FieldObject.init)
  }

  mutating func print(_ row: UnsafeRawBufferPointer, to output: inout BufferedOutput) throws {
    // Built first, so that an unreadable row leaves no partial output.
    object.removeAll(keepingCapacity: true)
    if fields == nil { object.append(contentsOf: row) } else { try fields?.append(row, to: &object) }
    let value = try JSONValue(parsing: object)
    isEmpty = false
    if isList { output.bytes.append("- ") }
    YAMLText.append(value, indent: isList ? 2 : 0, to: &output.bytes)
    if isFollowed { try output.flush() } else { try output.endLine() }
  }

  mutating func finish(again rows: Rows, to output: inout BufferedOutput) throws {
    if isList, isEmpty { output.bytes.append("[]\n") }
  }
}

/// The YAML of JSON values.
enum YAMLText {
  /// Appends a value whose first line is already indented, and a line feed.
  /// - Parameter indent: the number of spaces before the further lines.
  static func append(_ value: JSONValue, indent: Int, to text: inout [UInt8]) {
    switch value {
    case .object(let object) where !object.members.isEmpty:
      for (index, member) in object.members.enumerated() {
        if index > 0 { text.appendSpaces(indent) }
        append(member.key, to: &text)
        text.append(":")
        appendBelow(member.value, indent: indent, to: &text)
      }
    case .array(let elements) where !elements.isEmpty:
      for (index, element) in elements.enumerated() {
        if index > 0 { text.appendSpaces(indent) }
        text.append("- ")
        append(element, indent: indent + 2, to: &text)
      }
    case .string(let string):
      append(string, to: &text)
      text.append("\n")
    case .number(let number):
      append(number, to: &text)
      text.append("\n")
    case .null, .bool, .array, .object:
      text.append(contentsOf: value.bytes)
      text.append("\n")
    }
  }

  /// Appends the value of a key: on the same line, or on lines of its own.
  private static func appendBelow(_ value: JSONValue, indent: Int, to text: inout [UInt8]) {
    let isBlock =
      switch value {
      case .object(let object): !object.members.isEmpty
      case .array(let elements): !elements.isEmpty
      default: false
      }
    if isBlock {
      text.append("\n")
      text.appendSpaces(indent + 2)
    } else {
      text.append(" ")
    }
    append(value, indent: indent + 2, to: &text)
  }

  /// YAML 1.1 reads a number with an exponent only if it has a point and the exponent a sign.
  private static func append(_ number: JSONNumber, to text: inout [UInt8]) {
    let parts = number.text.split { $0 == "e" || $0 == "E" }
    guard parts.count == 2 else { return text.append(number.text) }
    let point = parts[0].contains(".") ? "" : ".0"
    let sign = parts[1].hasPrefix("-") || parts[1].hasPrefix("+") ? "" : "+"
    text.append("\(parts[0])\(point)e\(sign)\(parts[1])")
  }

  private static func append(_ string: String, to text: inout [UInt8]) {
    guard !isPlain(string) else { return text.append(string) }
    text.append("\"")
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text.append(#"\""#)
      case "\\": text.append(#"\\"#)
      case "\n": text.append(#"\n"#)
      case "\t": text.append(#"\t"#)
      case "\r": text.append(#"\r"#)
      // Two that are not characters: no YAML document may contain them.
      case "\u{fffe}", "\u{ffff}": text.append(#"\u"# + String(hex: scalar.value, width: 4))
      case _ where TerminalText.isHazard(scalar):
        text.append(
          scalar.value < 0x1_0000
            ? #"\u"# + String(hex: scalar.value, width: 4) : #"\U"# + String(hex: scalar.value, width: 8))
      default: text.append(contentsOf: UTF8.encode(scalar).unsafelyUnwrapped)
      }
    }
    text.append("\"")
  }

  /// Whether a text without quotes is read as the same text: words of letters, digits and a few signs between them, except
  /// for those that are values of another type.
  private static func isPlain(_ string: String) -> Bool {
    let bytes = Array(string.utf8)
    guard let first = bytes.first, let last = bytes.last, first.isLetter || first == UInt8(ascii: "_"), last != 0x20,
      bytes.allSatisfy({ $0.isLetterOrDigit || " _-./@+()".utf8.contains($0) })
    else { return false }
    // YAML 1.1 has further words, and numbers such as `e3` in some readers.
    return !["null", "true", "false", "yes", "no", "on", "off", "y", "n"].contains(string.lowercased())
  }
}
