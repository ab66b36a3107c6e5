import Text

/// The location of an encrypted value. The value cannot be decrypted in any other location, so rows cannot be
/// swapped.
struct SealingContext {
  var table = "credential"
  let row: Int64
  let profile: String
  let kind: String
  let userID: String

  /// Returns the parts, each preceded by its length, so that no two contexts have the same encoding.
  func additionalData(keyID: String) -> [UInt8] {
    [table, String(row), profile, kind, userID, keyID].flatMap { part in
      let count = UInt32(part.utf8.count)
      return [UInt8(truncatingIfNeeded: count >> 24), UInt8(truncatingIfNeeded: count >> 16)]
        + [UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)] + Array(part.utf8)
    }
  }
}

extension DataKey {
  /// Seals with AES-256-GCM (NIST SP 800-38D). The result is nonce, ciphertext and tag.
  /// - Parameter nonce: 12 random bytes, never used before with this key.
  func seal(_ secret: Secret, at place: SealingContext, nonce: [UInt8]) throws(StoreError) -> [UInt8] {
    var plain = Array(secret.revealed.utf8)
    defer { plain.overwrite() }
    return try nonce
      + Cryptography.seal(plain, key: bytes, nonce: nonce, additionalData: place.additionalData(keyID: id))
  }

  /// Opens a sealed value; returns nil if it was not sealed with this key for this context.
  func open(_ sealed: [UInt8], at place: SealingContext) throws(StoreError) -> Secret? {
    guard sealed.count >= 12 else { return nil }
    var opened = try Cryptography.open(
      Array(sealed.dropFirst(12)), key: bytes, nonce: Array(sealed.prefix(12)),
      additionalData: place.additionalData(keyID: id))
    defer { opened?.overwrite() }
    guard let text = opened.flatMap({ String(validating: $0, as: UTF8.self) }) else { return nil }
    return Secret(parsing: text)
  }
}
