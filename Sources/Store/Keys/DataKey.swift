import CSystem
import Text

/// A 256-bit key that encrypts credentials, and its id.
struct DataKey {
  var bytes: [UInt8] { memory.bytes }
  private let memory: SecretBytes
  /// An id that is derived from the key and reveals nothing about it. A wrong key is detected by its id, before
  /// anything is decrypted with it.
  let id: String

  init(_ bytes: consuming [UInt8]) {
    memory = SecretBytes(bytes)
    id = SHA256.authenticationCode(of: Array("ifttt store key id".utf8), key: memory.bytes).prefix(8).hex
  }

  /// Parses a key; returns nil unless the text is 64 hexadecimal digits, optionally surrounded by white space.
  init?(parsing text: some Collection<UInt8>) {
    var digits = Array(text.drop(while: isSpace))
    while let last = digits.last, isSpace(last) { digits.removeLast() }
    defer { digits.overwrite() }
    guard digits.count == 64 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    for index in stride(from: 0, to: 64, by: 2) {
      guard let high = digits[index].hexadecimal, let low = digits[index + 1].hexadecimal else { return nil }
      bytes.append(high << 4 | low)
    }
    self.init(bytes)
  }

  /// The key in the format of ``init(parsing:)``, with a newline at the end.
  var text: [UInt8] { Array((bytes.hex + "\n").utf8) }
}

private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }

/// Bytes that are overwritten with zeros when the last reference to this object is released.
///
/// Copies of ``bytes`` that outlive the object are not overwritten, so they must be short-lived.
final class SecretBytes: @unchecked Sendable {
  // Unchecked: there is no guard, because the bytes change only in `deinit`.
  private(set) var bytes: [UInt8]

  init(_ bytes: consuming [UInt8]) { self.bytes = bytes }

  deinit { bytes.overwrite() }
}

extension [UInt8] {
  /// Overwrites the bytes with zeros. The bytes must have no other reference: it would trigger
  /// a copy, and the original would keep its contents.
  mutating func overwrite() {
    withUnsafeMutableBytes { if let start = $0.baseAddress { secret_memory_clear(start, $0.count) } }
  }
}

/// The location of an encrypted value, which the encryption authenticates. The value cannot be decrypted at any other
/// location, so moving it to another row or profile is detected.
struct SealingContext {
  var table = "credential"
  let row: Int64
  let profile: String
  let kind: String
  let userID: String

  /// Encodes the parts, each preceded by its length, so that no two contexts have the same encoding.
  func additionalData(keyID: String) -> [UInt8] {
    var data: [UInt8] = []
    for part in [table, String(row), profile, kind, userID, keyID] {
      withUnsafeBytes(of: UInt32(part.utf8.count).bigEndian) { data += $0 }
      data += part.utf8
    }
    return data
  }
}

extension DataKey {
  /// Seals with AES-256-GCM (NIST SP 800-38D). The result is nonce, ciphertext and tag.
  /// - Parameter nonce: 12 random bytes, never used before with this key.
  func seal(_ secret: Secret, context: SealingContext, nonce: [UInt8]) throws(StoreError) -> [UInt8] {
    var plain = Array(secret.revealed.utf8)
    defer { plain.overwrite() }
    return try nonce
      + Cryptography.seal(plain, key: bytes, nonce: nonce, additionalData: context.additionalData(keyID: id))
  }

  /// Opens a sealed value; returns nil if it was not sealed with this key for this context.
  func open(_ sealed: [UInt8], context: SealingContext) throws(StoreError) -> Secret? {
    guard sealed.count >= 12 else { return nil }
    var opened = try Cryptography.open(
      Array(sealed.dropFirst(12)), key: bytes, nonce: Array(sealed.prefix(12)),
      additionalData: context.additionalData(keyID: id))
    defer { opened?.overwrite() }
    guard let text = opened.flatMap({ String(validating: $0, as: UTF8.self) }) else { return nil }
    return Secret(parsing: text)
  }
}
