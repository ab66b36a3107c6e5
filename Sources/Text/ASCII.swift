/// Classes of ASCII characters. Bytes above 0x7f belong to none of them.
extension UInt8 {
  package var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
  package var isLowercase: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self }
  package var isUppercase: Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self }
  package var isLetter: Bool { isLowercase || isUppercase }
  package var isLetterOrDigit: Bool { isLetter || isDigit }

  /// Whether this is a hexadecimal digit as ``Swift/Sequence/hex`` writes it.
  package var isLowercaseHexadecimal: Bool { isDigit || UInt8(ascii: "a")...UInt8(ascii: "f") ~= self }

  /// The value of a hexadecimal digit in either case; nil for another character.
  package var hexadecimal: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// The hexadecimal digit with this value, which is less than 16.
  package func hexadecimalDigit(uppercase: Bool = false) -> UInt8 {
    self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: uppercase ? "A" : "a") + self - 10
  }

  /// Whether this is a character that is never percent-encoded: a letter, a digit, `-`, `.`, `_` or `~` (RFC 3986,
  /// section 2.3).
  package var isUnreserved: Bool {
    switch self {
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: isLetterOrDigit
    }
  }

  /// A letter from A to Z in lower case; any other byte unchanged.
  package var loweredASCII: UInt8 { isUppercase ? self | 0x20 : self }
}

extension Sequence<UInt8> {
  /// Two lowercase hexadecimal digits per byte.
  package var hex: String {
    String(decoding: flatMap { [($0 >> 4).hexadecimalDigit(), ($0 & 15).hexadecimalDigit()] }, as: UTF8.self)
  }
}

extension String {
  /// A number in digits, with leading zeros up to the width.
  package init(_ number: some BinaryInteger, width: Int, radix: Int = 10, uppercase: Bool = false) {
    // The description is faster, which matters for the timestamps of a long table.
    let digits = radix == 10 ? number.description : String(number, radix: radix, uppercase: uppercase)
    self = String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
  }

  /// A number in hexadecimal digits, with leading zeros up to the width.
  package init(hex number: some BinaryInteger, width: Int = 1, uppercase: Bool = false) {
    self.init(number, width: width, radix: 16, uppercase: uppercase)
  }

  /// The text with the letters A to Z in lower case, and everything else unchanged.
  package var loweredASCII: String { String(decoding: utf8.map(\.loweredASCII), as: UTF8.self) }

  /// Whether the texts differ at most in the case of the letters A to Z.
  package func isSame(ignoringASCIICase other: String) -> Bool {
    utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { $0.loweredASCII == $1.loweredASCII }
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

extension Int {
  /// The number with a noun that forms its plural with `s`: `1 row`, `2 rows`.
  package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}

extension [String] {
  /// The elements as in a sentence: `a, b or c`.
  /// - Parameter conjunction: the word before the last one: `or`, `and`.
  package func listed(with conjunction: String) -> String {
    count < 2 ? first ?? "" : "\(dropLast().joined(separator: ", ")) \(conjunction) \(self[count - 1])"
  }
}
