import Text

/// A writer of compact JSON (RFC 8259) in UTF-8. It adds commas and escapes.
///
/// The calls must form a document, with `key` before each value in an object. Control characters are escaped,
/// including U+007F to U+009F, which terminals interpret. Everything else is written unchanged.
package struct JSONWriter {
  package private(set) var bytes: [UInt8] = []
  /// Whether a comma must precede the next key or element.
  private var needsComma = false

  package init(reserving capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  package mutating func beginObject() { begin("{") }
  package mutating func endObject() { end("}") }
  package mutating func beginArray() { begin("[") }
  package mutating func endArray() { end("]") }

  package mutating func key(_ name: String) {
    separate()
    quoted(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  package mutating func string(_ value: String) {
    separate()
    quoted(value)
    needsComma = true
  }

  /// Writes a string, or null for nil.
  package mutating func string(_ value: String?) {
    if let value { string(value) } else { null() }
  }

  package mutating func int(_ value: Int?) { literal(value.map(String.init) ?? "null") }
  package mutating func bool(_ value: Bool?) { literal(value.map { $0 ? "true" : "false" } ?? "null") }
  package mutating func null() { literal("null") }

  package mutating func value(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .bool(let flag): bool(flag)
    case .number(let number): literal(number.text)
    case .string(let text): string(text)
    case .array(let elements):
      beginArray()
      for element in elements { self.value(element) }
      endArray()
    case .object(let object):
      beginObject()
      for (key, member) in object.members {
        self.key(key)
        self.value(member)
      }
      endObject()
    }
  }

  package mutating func member(_ key: String, _ text: String?) {
    self.key(key)
    string(text)
  }

  package mutating func member(_ key: String, _ number: Int?) {
    self.key(key)
    int(number)
  }

  package mutating func member(_ key: String, _ flag: Bool?) {
    self.key(key)
    bool(flag)
  }

  /// Writes a member that is an array. `write` writes each element as one value.
  package mutating func members<Element>(
    _ key: String, _ elements: [Element], write: (Element, inout JSONWriter) -> Void
  ) {
    self.key(key)
    beginArray()
    for element in elements { write(element, &self) }
    endArray()
  }

  /// Writes bytes that are already one JSON value.
  package mutating func raw(_ json: some Sequence<UInt8>) {
    separate()
    bytes.append(contentsOf: json)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  private mutating func begin(_ bracket: Unicode.Scalar) {
    separate()
    bytes.append(UInt8(ascii: bracket))
    needsComma = false
  }

  private mutating func end(_ bracket: Unicode.Scalar) {
    bytes.append(UInt8(ascii: bracket))
    needsComma = true
  }

  private mutating func literal(_ text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
    needsComma = true
  }

  private mutating func quoted(_ text: String) {
    var text = text
    bytes.append(UInt8(ascii: "\""))
    text.withUTF8 { utf8 in
      // Most text needs no escapes.
      if JSONScanner.isPlain(UnsafeRawBufferPointer(utf8)) { return bytes.append(contentsOf: utf8) }
      var start = 0
      for (index, byte) in utf8.enumerated() {
        // In UTF-8, U+0080 to U+009F are C2 80 to C2 9F.
        let isC1 = byte == 0xc2 && index + 1 < utf8.count && utf8[index + 1] < 0xa0
        guard byte < 0x20 || byte == 0x22 || byte == 0x5c || byte == 0x7f || isC1 else { continue }
        bytes.append(contentsOf: utf8[start..<index])
        escape(isC1 ? utf8[index + 1] : byte)
        start = index + (isC1 ? 2 : 1)
      }
      bytes.append(contentsOf: utf8[start...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func escape(_ control: UInt8) {
    switch control {
    case 0x22: bytes.append(contentsOf: #"\""#.utf8)
    case 0x5c: bytes.append(contentsOf: #"\\"#.utf8)
    case 0x08: bytes.append(contentsOf: #"\b"#.utf8)
    case 0x09: bytes.append(contentsOf: #"\t"#.utf8)
    case 0x0a: bytes.append(contentsOf: #"\n"#.utf8)
    case 0x0c: bytes.append(contentsOf: #"\f"#.utf8)
    case 0x0d: bytes.append(contentsOf: #"\r"#.utf8)
    default: bytes.append(contentsOf: (#"\u"# + String(hex: control, width: 4)).utf8)
    }
  }
}

extension JSONWriter {
  /// Appends UTF-8 text as a JSON string. Most text needs no escapes.
  package static func append(_ text: UnsafeRawBufferPointer, to json: inout [UInt8]) {
    guard JSONScanner.isPlain(text) else {
      json.append(contentsOf: JSONValue.string(String(decoding: text, as: UTF8.self)).bytes)
      return
    }
    json.append(UInt8(ascii: "\""))
    json.append(contentsOf: text)
    json.append(UInt8(ascii: "\""))
  }
}

extension JSONValue {
  /// The value as compact JSON.
  package var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.value(self)
    return writer.bytes
  }
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The value formatted for people: one member or element per line, two spaces per level, and a line feed at the
  /// end.
  package var indented: [UInt8] {
    var text: [UInt8] = []
    write(into: &text, indentation: 0)
    text.append(UInt8(ascii: "\n"))
    return text
  }

  /// The value as a part of a text that is formatted for people.
  /// - Parameter indentation: the number of spaces before the line that it begins in.
  package func indented(at indentation: Int) -> [UInt8] {
    var text: [UInt8] = []
    write(into: &text, indentation: indentation)
    return text
  }

  private func write(into text: inout [UInt8], indentation: Int) {
    let inner = [UInt8](repeating: UInt8(ascii: " "), count: indentation + 2)
    func line(_ index: Int) { text += index == 0 ? Array("\n".utf8) + inner : Array(",\n".utf8) + inner }
    func close(_ bracket: Unicode.Scalar) {
      text += Array("\n".utf8) + inner.dropLast(2) + [UInt8(ascii: bracket)]
    }
    switch self {
    case .array(let elements) where elements.contains(where: \.hasContents):
      text.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        line(index)
        element.write(into: &text, indentation: indentation + 2)
      }
      close("]")
    case .object(let object) where !object.members.isEmpty:
      text.append(UInt8(ascii: "{"))
      for (index, member) in object.members.enumerated() {
        line(index)
        text += JSONValue.string(member.key).bytes + Array(": ".utf8)
        member.value.write(into: &text, indentation: indentation + 2)
      }
      close("}")
    default: text += bytes
    }
  }

  /// Whether the value is an array or object with contents. An array of other values stays on one line.
  private var hasContents: Bool {
    switch self {
    case .array(let elements): !elements.isEmpty
    case .object(let object): !object.members.isEmpty
    default: false
    }
  }
}
