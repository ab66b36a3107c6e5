/// The start of a text that a user passes in a file or on stdin. A byte order mark is not part of the text (RFC 8259,
/// section 8.1), and UTF-16 is detected, because a reader would only find a syntax error in it.
package struct TextStart {
  private static let mark: [UInt8] = [0xef, 0xbb, 0xbf]
  /// The number of bytes that determine the encoding.
  private static let length = 4

  private var pending: [UInt8] = []
  private var isDecided = false

  package init() {}

  /// Removes the mark from a whole text.
  package static func removed(from text: [UInt8]) throws(ForeignEncoding) -> [UInt8] {
    let count = try markLength(of: text[...])
    return count == 0 ? text : Array(text[count...])
  }

  /// The length of the text's byte order mark; 0 if it has none.
  package static func markLength(of text: some RandomAccessCollection<UInt8>) throws(ForeignEncoding) -> Int {
    if let encoding = ForeignEncoding(ofTextThatBegins: Array(text.prefix(length))) { throw encoding }
    return text.starts(with: mark) ? mark.count : 0
  }

  /// Receives the next bytes of a text that arrives in pieces.
  /// - Returns: the bytes that are certainly text. The first few bytes stay pending until they cannot be a byte order
  ///   mark.
  package mutating func receive(_ bytes: [UInt8]) throws(ForeignEncoding) -> [UInt8] {
    guard !isDecided else { return bytes }
    pending += bytes
    let isPlain = pending.count >= 2 && !([0, 0xef, 0xfe, 0xff].contains(pending[0])) && pending[1] != 0
    return isPlain || pending.count >= Self.length ? try end() : []
  }

  /// Returns the pending bytes at the end of the text.
  package mutating func end() throws(ForeignEncoding) -> [UInt8] {
    defer { (pending, isDecided) = ([], true) }
    return try Self.removed(from: pending)
  }
}

/// The encoding of a text that is not UTF-8.
package enum ForeignEncoding: Error, Equatable, CustomStringConvertible {
  case utf16, utf32

  /// - Parameter bytes: the first four bytes of the text. Text without a byte order mark begins with ASCII.
  fileprivate init?(ofTextThatBegins bytes: [UInt8]) {
    let zeros = bytes.map { $0 == 0 }
    if [[0, 0, 0xfe, 0xff], [0xff, 0xfe, 0, 0]].contains(bytes)
      || [[true, true, true, false], [false, true, true, true]].contains(zeros)
    {
      self = .utf32
    } else if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff])
      || bytes.count >= 2 && zeros[0] != zeros[1]
    {
      self = .utf16
    } else {
      return nil
    }
  }

  /// The reason to reject the text.
  package var description: String { "it \(predicate)" }

  /// The rest of a sentence whose subject is the text.
  package var predicate: String { "is \(self == .utf16 ? "UTF-16" : "UTF-32"), not UTF-8" }
}

/// An invisible character in an id or a credential, for example copied from a web page: an unusual space, or a
/// character without width.
package struct InvisibleCharacter: Equatable, CustomStringConvertible {
  private let scalar: Unicode.Scalar

  /// The first such character of a text.
  package init?(in text: String) {
    guard !text.utf8.allSatisfy({ $0 < 0x80 }),
      let first = text.unicodeScalars.first(where: { scalar in
        switch scalar.properties.generalCategory {
        case .format, .lineSeparator, .paragraphSeparator: true
        case .spaceSeparator: scalar != " "
        default: false
        }
      })
    else { return nil }
    scalar = first
  }

  /// The character's kind and code point, such as `a no-break space (U+00A0)`.
  package var description: String {
    let name =
      switch scalar.value {
      case 0xa0, 0x2007, 0x202f: "a no-break space"
      case 0x200b, 0x200c, 0x200d, 0x2060, 0xfeff: "a zero-width character"
      default: scalar.properties.generalCategory == .spaceSeparator ? "an unusual space" : "an invisible character"
      }
    return "\(name) (U+\(String(hex: scalar.value, width: 4, uppercase: true)))"
  }
}
