/// A character in an id or a credential that is not visible, such as one that was copied from a web page: a space other
/// than the usual one, or a character without width.
package struct InvisibleCharacter: Equatable, CustomStringConvertible {
  private let scalar: Unicode.Scalar

  /// The first such character of a text.
  package init?(in text: String) {
    guard !text.utf8.allSatisfy({ $0 < 0x80 }),
      let found = text.unicodeScalars.first(where: { scalar in
        switch scalar.properties.generalCategory {
        case .format, .lineSeparator, .paragraphSeparator: true
        case .spaceSeparator: scalar != " "
        default: false
        }
      })
    else { return nil }
    scalar = found
  }

  /// The character's kind and code point, such as `a no-break space (U+00A0)`.
  package var description: String {
    let name =
      switch scalar.value {
      case 0xa0, 0x2007, 0x202f: "a no-break space"
      case 0x200b, 0x200c, 0x200d, 0x2060, 0xfeff: "a zero-width character"
      default: scalar.properties.generalCategory == .spaceSeparator ? "an unusual space" : "an invisible character"
      }
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "\(name) (U+\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits))"
  }
}
