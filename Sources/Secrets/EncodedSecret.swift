import Encoding

/// What Base64 makes of a secret, wherever in the encoded text it stands.
///
/// Three bytes become four digits, so a secret looks different after 0, 1 or 2 bytes of other text. In each of the three
/// alignments, the digits that depend on the secret alone are always the same.
enum EncodedSecret {
  /// A shorter secret has too few digits of its own to be recognized.
  private static let shortest = 6

  /// The digits that are the secret's own in each alignment, in both alphabets (RFC 4648, sections 4 and 5).
  static func parts(of secret: Secret) -> [[UInt8]] {
    let bytes = Array(secret.revealed.utf8)
    guard bytes.count >= shortest else { return [] }
    return (0..<3).flatMap { before -> [[UInt8]] in
      let count = before + bytes.count
      var digits = Array(Base64.encode([UInt8](repeating: 0, count: before) + bytes).utf8)
      // The last digit before the padding holds bits of what follows.
      if count % 3 != 0 { digits.removeLast(3 - count % 3 + 1) }
      // The first digits hold bits of what stands before.
      digits.removeFirst(before == 0 ? 0 : before + 1)
      let forURLs = digits.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? 0x5f : $0 }
      return digits == forURLs ? [digits] : [digits, forURLs]
    }
  }

  /// Digits that say what they are, as many as keep the length of the whole a multiple of four.
  static func standIn(for digits: [UInt8]) -> [UInt8] {
    Array("StandsIn".utf8) + Array("For".utf8.prefix(digits.count % 4))
  }
}
