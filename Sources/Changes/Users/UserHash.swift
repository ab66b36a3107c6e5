import Text

/// 128 bits of the SHA-256 of a user's id. Two of a billion users have the same bits with a probability of 10⁻²¹.
struct UserHash: Hashable {
  /// In bytes.
  static let size = 16

  private let high: UInt64
  private let low: UInt64

  init(of userID: String) {
    let digest = SHA256.hash(Array(userID.utf8))
    func word(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    let first = word(digest.prefix(8))
    low = word(digest.dropFirst(8).prefix(8))
    // All zeros mark an empty slot in a file.
    high = first | low == 0 ? 1 : first
  }

  var bytes: [UInt8] {
    [high, low].flatMap { word in stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) } }
  }
}
