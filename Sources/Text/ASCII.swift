extension UInt8 {
  package var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

  package var isLetterOrDigit: Bool {
    isDigit || UInt8(ascii: "a")...UInt8(ascii: "z") ~= self || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self
  }

  /// The value of a hexadecimal digit.
  package var hexadecimal: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// Whether this is a character that is never percent-encoded: a letter, a digit, `-`, `.`, `_` or `~` (RFC 3986,
  /// section 2.3).
  package var isUnreserved: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }
}

/// Byte-by-byte comparison of text. Swift's `==` treats canonically equivalent characters as equal, such as the
/// Kelvin sign and the letter K. The two sides of a protocol do not.
package enum ExactText {
  package static func same(_ a: String, _ b: String) -> Bool { a.utf8.elementsEqual(b.utf8) }

  /// Compares in a time that depends only on the lengths, for values that an attacker may guess: states, nonces,
  /// hashes.
  package static func sameInConstantTime(_ a: String, _ b: String) -> Bool {
    let (first, second) = (Array(a.utf8), Array(b.utf8))
    guard first.count == second.count else { return false }
    return zip(first, second).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension String {
  /// Whether the text contains another, byte by byte. The standard library's `contains(_:)` adds a regular-expression
  /// engine to the program: 1.2 MB, which every start would relocate.
  package func includes(_ part: String) -> Bool {
    let (part, bytes) = (Array(part.utf8), Array(utf8))
    return bytes.indices.contains { bytes[$0...].starts(with: part) }
  }
}

extension Array where Element == String {
  /// The same as `joined(separator:)`, without its generic types: looking them up at run time takes 130,000 instructions once,
  /// a tenth of the start of the program.
  package func text(separatedBy separator: String) -> String {
    var whole = first ?? ""
    for text in dropFirst() {
      whole += separator
      whole += text
    }
    return whole
  }
}
