import Text

/// The printed form of a few bytes of an argument: a character, or an escape if the character would not be drawn as
/// itself.
struct Glyph: Equatable {
  let text: String
  /// The width in character cells.
  let width: Int
  /// The corresponding bytes of the argument.
  let bytes: Range<Int>
  let isEscape: Bool

  /// Whether a shell reads the character literally without quotes.
  var isPlain: Bool {
    guard !isEscape, let byte = text.utf8.first else { return false }
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
      return true
    default: return "-_./:=@%+,".utf8.contains(byte)
    }
  }

  /// The glyphs of a part of an argument.
  static func glyphs(of bytes: [UInt8], in range: Range<Int>) -> [Glyph] {
    var glyphs: [Glyph] = []
    var parser = UTF8.ForwardParser()
    var rest = bytes[range].makeIterator()
    var start = range.lowerBound
    var next = start
    func addValid() {
      for character in String(decoding: bytes[start..<next], as: UTF8.self) {
        glyphs += self.glyphs(of: character, at: start)
        start += character.utf8.count
      }
    }
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let scalar): next += scalar.count
      case .error(let length):
        addValid()
        for place in next..<next + length {
          glyphs.append(Glyph(escape: "\\x" + hex(UInt32(bytes[place]), 2), place..<place + 1))
        }
        next += length
        start = next
      case .emptyInput:
        addValid()
        return glyphs
      }
    }
  }

  private static func glyphs(of character: Character, at start: Int) -> [Glyph] {
    let scalars = character.unicodeScalars
    // A character with many scalars can overflow its cell or hide invisible text.
    if let first = scalars.first, first.showsAsItself, scalars.count <= 8 {
      let bytes = start..<start + character.utf8.count
      return [Glyph(text: String(character), width: TextWidth.of(character), bytes: bytes, isEscape: false)]
    }
    var place = start
    return scalars.map { scalar in
      defer { place += UTF8.width(scalar) }
      return Glyph(escape: escape(scalar), place..<place + UTF8.width(scalar))
    }
  }

  /// An escape that `$'…'` of bash and zsh reads back.
  private static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    case _ where scalar.isASCII: "\\x" + hex(scalar.value, 2)
    case _ where scalar.value <= 0xFFFF: "\\u" + hex(scalar.value, 4)
    default: "\\U" + hex(scalar.value, 8)
    }
  }

  private static func hex(_ value: UInt32, _ digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: digits - text.utf8.count) + text
  }
}

extension Unicode.Scalar {
  /// Whether it is drawn as itself. False for scalars that move the cursor, are invisible, or combine with the previous
  /// character.
  var showsAsItself: Bool {
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
      .nonspacingMark, .enclosingMark, .spacingMark:
      false
    case .spaceSeparator: self == " "
    default: true
    }
  }
}

extension Glyph {
  fileprivate init(escape: String, _ bytes: Range<Int>) {
    self.init(text: escape, width: escape.utf8.count, bytes: bytes, isEscape: true)
  }

  /// The mask that replaces a secret.
  init(mask text: String, of bytes: Range<Int>) {
    self.init(text: text, width: TextWidth.of(text), bytes: bytes, isEscape: false)
  }
}
