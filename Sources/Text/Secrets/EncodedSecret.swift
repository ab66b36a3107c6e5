/// The Base64 digits that identify a secret, wherever it occurs in encoded text.
///
/// Three bytes become four digits, so a secret is encoded differently after 0, 1 or 2 bytes of preceding text. In
/// each of the three alignments, the digits that depend only on the secret are always the same.
enum EncodedSecret {
  /// A shorter secret determines too few digits to be recognized.
  private static let shortest = 6

  /// Returns the digits that depend only on the secret, for each alignment and in both alphabets (RFC 4648, sections
  /// 4 and 5).
  static func parts(of secret: Secret) -> [[UInt8]] {
    let bytes = Array(secret.revealed.utf8)
    guard bytes.count >= shortest else { return [] }
    return (0..<3).flatMap { before -> [[UInt8]] in
      let count = before + bytes.count
      var digits = Array(Base64.encode([UInt8](repeating: 0, count: before) + bytes).utf8)
      // The last digit before the padding also encodes bits of the following text.
      if count % 3 != 0 { digits.removeLast(3 - count % 3 + 1) }
      // The first digits also encode bits of the preceding text.
      digits.removeFirst(before == 0 ? 0 : before + 1)
      let forURLs = digits.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? 0x5f : $0 }
      return digits == forURLs ? [digits] : [digits, forURLs]
    }
  }

  /// Returns recognizable replacement digits. Their number keeps the total length a multiple of four.
  static func standIn(for digits: [UInt8]) -> [UInt8] {
    Array("StandsIn".utf8) + Array("For".utf8.prefix(digits.count % 4))
  }
}
