/// Makes text from elsewhere safe to show: what a terminal would obey or what would reorder a line is spelt out.
///
/// `\n`, `\r` and `\t`, and `\u{1b}` for every other: C0, DEL and C1 controls, separators of lines and paragraphs, marks
/// that turn the direction of writing, annotation and tag characters (but the tags of flags, as Scotland's), U+FEFF.
package enum TerminalText {
  /// Whether text has only bytes that are shown as they are and need no closer look.
  @inline(__always)
  static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // Without a branch in the loop, so that it is done many bytes at a time.
    var strange: UInt8 = 0
    for byte in bytes { strange |= byte &- 0x20 < 0x5f ? 0 : 1 }
    return strange == 0
  }

  /// Whether a scalar is spelt out; a flag's tags are not, where they follow the flag.
  package static func isHazard(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x20, 0x7f...0x9f: true
    case ..<0x61c: false
    case 0x61c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x206f, 0xfeff, 0xfff9...0xfffb: true
    case 0xe0000...0xe007f: true
    default: false
    }
  }

  /// Whether there is text that is written from right to left.
  static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x590: false
    case 0x590...0x8ff, 0xfb1d...0xfdff, 0xfe70...0xfefc, 0x10800...0x10fff, 0x1e800...0x1efff: true
    default: false
    }
  }

  enum Script {
    /// Printable ASCII, a column each.
    case plain
    case leftToRight
    /// Some of it runs from right to left.
    case mixed
  }

  /// Appends the escaped text, as valid UTF-8 whatever `bytes` are.
  @discardableResult
  static func append(_ bytes: UnsafeRawBufferPointer, to text: inout [UInt8]) -> Script {
    if isPlain(bytes) {
      text.append(contentsOf: bytes)
      return .plain
    }
    let decoded = String(decoding: bytes, as: UTF8.self)
    var isRightToLeft = false
    guard decoded.unicodeScalars.contains(where: isHazard) else {
      text.append(decoded)
      return decoded.unicodeScalars.contains(where: Self.isRightToLeft) ? .mixed : .leftToRight
    }
    for character in decoded {
      let isFlag = isTaggedFlag(character)
      for scalar in character.unicodeScalars {
        if Self.isRightToLeft(scalar) { isRightToLeft = true }
        if isHazard(scalar), !isFlag {
          text.append(escape(scalar))
        } else {
          text.append(contentsOf: UTF8.encode(scalar).unsafelyUnwrapped)
        }
      }
    }
    return isRightToLeft ? .mixed : .leftToRight
  }

  /// The text with everything spelt out that a terminal would obey; for messages that quote what came from elsewhere.
  package static func escaped(_ text: some StringProtocol) -> String {
    var result: [UInt8] = []
    var text = String(text)
    text.withUTF8 { _ = append(UnsafeRawBufferPointer($0), to: &result) }
    return String(decoding: result, as: UTF8.self)
  }

  /// A whole document for a terminal: its lines stay, and every other hazard is written as JSON would write it (`\u202e`),
  /// which keeps JSON what it is. Nothing is parsed.
  /// - Returns: nil for a document without hazards, which can be written as it is.
  package static func document(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    var place = 0
    while place < bytes.count, isSafe(bytes[place]) { place += 1 }
    guard place < bytes.count else { return nil }
    var text = Array(bytes[..<place])
    let scalars = String(decoding: bytes[place...], as: UTF8.self).unicodeScalars
    for (place, scalar) in zip(scalars.indices, scalars) {
      let isLineEnd =
        switch scalar {
        case "\n", "\t": true
        case "\r": scalars[place...].dropFirst().first == "\n"
        default: false
        }
      if isHazard(scalar), !isLineEnd {
        appendEscape(scalar, to: &text)
      } else {
        text.append(contentsOf: UTF8.encode(scalar).unsafelyUnwrapped)
      }
    }
    return text
  }

  private static func isSafe(_ byte: UInt8) -> Bool { 0x20...0x7e ~= byte || byte == 0x0a || byte == 0x09 }

  /// JSON's escape of a scalar (RFC 8259, section 7).
  static func appendEscape(_ scalar: Unicode.Scalar, to text: inout [UInt8]) {
    for unit in UTF16.encode(scalar).unsafelyUnwrapped {
      let digits = String(unit, radix: 16)
      text.append(#"\u"# + String(repeating: "0", count: 4 - digits.utf8.count) + digits)
    }
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": #"\n"#
    case "\r": #"\r"#
    case "\t": #"\t"#
    default: #"\u{"# + String(scalar.value, radix: 16) + "}"
    }
  }

  /// A black flag, then letters as tags, then the cancelling tag (UTS #51, ED-14a).
  private static func isTaggedFlag(_ character: Character) -> Bool {
    let scalars = character.unicodeScalars
    return scalars.first?.value == 0x1f3f4 && scalars.last?.value == 0xe007f
      && scalars.dropFirst().dropLast().allSatisfy { 0xe0030...0xe007a ~= $0.value }
  }
}
