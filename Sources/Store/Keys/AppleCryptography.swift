#if canImport(CryptoKit)
  import Crypto
  import CryptoExtras

  /// The cryptography for encrypting credentials, from Apple's CryptoKit through swift-crypto.
  package enum Cryptography {
    /// The reason encryption is unavailable; nil if it is available.
    package static var problem: StoreError? { nil }

    /// Seals with AES-256-GCM (NIST SP 800-38D). The result is the ciphertext followed by its tag.
    package static func seal(
      _ bytes: [UInt8], key: [UInt8], nonce: [UInt8], additionalData: [UInt8]
    ) throws(StoreError) -> [UInt8] {
      do {
        let box = try AES.GCM.seal(
          bytes, using: SymmetricKey(data: key), nonce: AES.GCM.Nonce(data: nonce), authenticating: additionalData)
        return Array(box.ciphertext) + Array(box.tag)
      } catch { throw failed }
    }

    /// Opens a ciphertext with its tag; returns nil if they were not made with this key, nonce and additional data.
    package static func open(
      _ sealed: [UInt8], key: [UInt8], nonce: [UInt8], additionalData: [UInt8]
    ) throws(StoreError) -> [UInt8]? {
      guard let box = try? AES.GCM.SealedBox(combined: nonce + sealed) else { return nil }
      return try? Array(AES.GCM.open(box, using: SymmetricKey(data: key), authenticating: additionalData))
    }

    /// Derives a 32-byte key with scrypt (RFC 7914), r = 8 and p = 1.
    package static func scrypt(_ passphrase: [UInt8], salt: [UInt8], cost: Int) throws(StoreError) -> [UInt8] {
      do {
        let key = try KDF.Scrypt.deriveKey(
          from: passphrase, salt: salt, outputByteCount: 32, rounds: cost, blockSize: 8, parallelism: 1)
        return key.withUnsafeBytes { Array($0) }
      } catch { throw failed }
    }

    private static var failed: StoreError {
      StoreError(code: .failed, message: "cryptography failed", hint: "Check that enough memory is available.")
    }
  }
#endif
