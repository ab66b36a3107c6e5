import Text

/// Makes untrusted text safe to show: characters that a terminal would interpret, or that would reorder a line, are
/// escaped.
///
/// The escapes are `\n`, `\r` and `\t`, and the form `\u{1b}` for all others: C0, DEL and C1 controls, line and
/// paragraph separators, directional marks, annotation characters, U+FEFF, and tag characters except in flags such as
/// Scotland's.
package enum TerminalText {
  /// Whether the text has only bytes that are shown unchanged and need no further checks.
  @inline(__always)
  static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
    PrintableText.isASCII(bytes)
  }

  /// Whether a scalar is escaped. The tags of a flag are not, if they follow the flag.
  package static func isHazard(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x20, 0x7f...0x9f: true
    case ..<0x61c: false
    case 0x61c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x206f, 0xfeff, 0xfff9...0xfffb: true
    case 0xe0000...0xe007f: true
    default: false
    }
  }

  /// Whether the scalar belongs to a right-to-left script.
  static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x590: false
    case 0x590...0x8ff, 0xfb1d...0xfdff, 0xfe70...0xfefc, 0x10800...0x10fff, 0x1e800...0x1efff: true
    default: false
    }
  }

  enum Script {
    /// Printable ASCII, one column each.
    case plain
    case leftToRight
    /// Some of it runs from right to left.
    case mixed
  }

  /// Appends the escaped text, always as valid UTF-8.
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

  /// The text with everything escaped that a terminal would interpret, for messages that quote untrusted text.
  package static func escaped(_ text: some StringProtocol) -> String {
    var result: [UInt8] = []
    var text = String(text)
    text.withUTF8 { _ = append(UnsafeRawBufferPointer($0), to: &result) }
    return String(decoding: result, as: UTF8.self)
  }

  /// A whole document for a terminal. Its lines are preserved, and every other hazard is escaped as in JSON
  /// (`\u202e`), so that JSON stays valid. Nothing is parsed.
  /// - Returns: nil for a document without hazards, which can be written unchanged.
  package static func document(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    var position = 0
    while position < bytes.count, isSafe(bytes[position]) { position += 1 }
    guard position < bytes.count else { return nil }
    var text = Array(bytes[..<position])
    let scalars = String(decoding: bytes[position...], as: UTF8.self).unicodeScalars
    for (index, scalar) in zip(scalars.indices, scalars) {
      let isLineEnd =
        switch scalar {
        case "\n", "\t": true
        case "\r": scalars[index...].dropFirst().first == "\n"
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

  /// Appends the JSON escape of a scalar (RFC 8259, section 7).
  static func appendEscape(_ scalar: Unicode.Scalar, to text: inout [UInt8]) {
    for unit in UTF16.encode(scalar).unsafelyUnwrapped {
      text.append(#"\u"# + String(hex: unit, width: 4))
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

  /// A black flag, then tag letters, then the cancel tag (UTS #51, ED-14a).
  private static func isTaggedFlag(_ character: Character) -> Bool {
    let scalars = character.unicodeScalars
    return scalars.first?.value == 0x1f3f4 && scalars.last?.value == 0xe007f
      && scalars.dropFirst().dropLast().allSatisfy { 0xe0030...0xe007a ~= $0.value }
  }
}

/// Shows letters that can be confused with ASCII letters as their code points: `p\u{430}ypal` is not `paypal`.
///
/// A word in another alphabet that cannot be confused with ASCII is unchanged. Only words that mix alphabets, or that
/// consist of confusable letters only, are changed.
package enum ConfusableText {
  package static func revealed(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    var result = String.UnicodeScalarView()
    var word: [Unicode.Scalar] = []
    for scalar in text.unicodeScalars {
      if scalar.properties.isAlphabetic || scalar.properties.numericType != nil || isMark(scalar) {
        word.append(scalar)
      } else {
        append(word, to: &result)
        word.removeAll()
        result.append(scalar)
      }
    }
    append(word, to: &result)
    return String(result)
  }

  private static func append(_ word: [Unicode.Scalar], to result: inout String.UnicodeScalarView) {
    let isForeign = word.contains { $0.properties.isAlphabetic && !isLatin($0) && !isConfusable($0) }
    guard word.contains(where: isConfusable), !isForeign || word.contains(where: isLatin) else {
      return result.append(contentsOf: word)
    }
    for scalar in word {
      if isConfusable(scalar) {
        result.append(contentsOf: (#"\u{"# + String(scalar.value, radix: 16) + "}").unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }

  private static func isLatin(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic && (scalar.value < 0x250 || 0x1e00...0x1eff ~= scalar.value)
      && !isConfusable(scalar)
  }

  static func isConfusable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x80: false
    // Full-width forms, mathematical letters, Roman numerals.
    case 0xff01...0xff5e, 0x1d400...0x1d7ff, 0x2160...0x217f: true
    default: lookalikes.contains(scalar)
    }
  }

  /// Letters that most typefaces draw like an ASCII letter or digit, or nearly so.
  private static let lookalikes = Set(
    [
      // Cyrillic
      "аАВеЕЗІіЈјКкМНоОрРсСТуУхХЅѕһԁԛԚԝԜҮүӀӏЬѵѴԌ",
      // Greek
      "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγικνορυχωηϲϹϳͿ",
      // Armenian
      "օՕսՍոհցգզՏԼլքր",
      // Cherokee
      "ᎠᎡᎢᎥᎩᎪᎫᎬᎳᎷᎻᏀᏃᏎᏒᏔᏕᏙᏚᏞᏟᏢᏦᏧᏮᏳᏴ",
      // Latin phonetic letters, and small capitals
      "ıȷɑɡɩɪʏʙɢʜʟɴʀꜱꜰᴀᴄᴅᴇᴊᴋᴍᴏᴘᴛᴜᴠᴡᴢǀ",
      // Letterlike symbols
      "ℂℊℋℌℍℎℐℑℒℓℕℙℚℛℜℝℤℨ\u{212a}ℬℭℯℰℱℳℴℹ",
    ].joined().unicodeScalars)
}
