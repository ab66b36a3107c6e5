import Text

#if !canImport(CryptoKit)
  import CCrypto

  /// The cryptography for encrypting credentials, from the system's OpenSSL.
  ///
  /// OpenSSL is loaded dynamically with the first credential. If it were linked, every start of the program would load
  /// it; see docs/decisions.md.
  package enum Cryptography {
    /// The reason libcrypto could not be loaded; nil if it was loaded.
    private static let failure: StoreError? = load(
      (0...).lazy.map { ccrypto_name($0) }.prefix { $0 != nil }.compactMap { $0.map { String(cString: $0) } })

    /// Tries each library in order.
    /// - Returns: nil if one of them could be loaded; otherwise the reason none could, and what to install.
    package static func load(_ names: [String]) -> StoreError? {
      var problems: [String] = []
      for name in names {
        guard let problem = ccrypto_open(name) else { return nil }
        let message = String(cString: problem)
        problems.append(message.hasPrefix(name) ? message : "\(name): \(message)")
      }
      return StoreError(
        code: .failed, message: "OpenSSL is needed to encrypt credentials: \(problems.joined(separator: "; "))",
        hint: "Install it (Debian, Ubuntu: apt install libssl3).")
    }

    /// The reason encryption is unavailable; nil if it is available.
    package static var problem: StoreError? { failure }

    /// Seals with AES-256-GCM (NIST SP 800-38D). The result is the ciphertext followed by its tag.
    package static func seal(
      _ bytes: [UInt8], key: [UInt8], nonce: [UInt8], additionalData: [UInt8]
    ) throws(StoreError) -> [UInt8] {
      try check(key.count == Int(CCRYPTO_KEY_SIZE) && nonce.count == Int(CCRYPTO_NONCE_SIZE))
      var sealed = [UInt8](repeating: 0, count: bytes.count + Int(CCRYPTO_TAG_SIZE))
      try check(
        withBytes(additionalData, bytes) { ccrypto_seal(key, nonce, $0, $1, &sealed) } == 1)
      return sealed
    }

    /// Opens a ciphertext with its tag; returns nil if they were not made with this key, nonce and additional data.
    package static func open(
      _ sealed: [UInt8], key: [UInt8], nonce: [UInt8], additionalData: [UInt8]
    ) throws(StoreError) -> [UInt8]? {
      try check(key.count == Int(CCRYPTO_KEY_SIZE) && nonce.count == Int(CCRYPTO_NONCE_SIZE))
      var bytes = [UInt8](repeating: 0, count: max(0, sealed.count - Int(CCRYPTO_TAG_SIZE)))
      let isOpen = withBytes(additionalData, sealed) { ccrypto_unseal(key, nonce, $0, $1, &bytes) } == 1
      return isOpen ? bytes : nil
    }

    /// Derives a 32-byte key with scrypt (RFC 7914), r = 8 and p = 1.
    package static func scrypt(_ passphrase: [UInt8], salt: [UInt8], cost: Int) throws(StoreError) -> [UInt8] {
      try check(true)
      var key = [UInt8](repeating: 0, count: Int(CCRYPTO_KEY_SIZE))
      try check(withBytes(passphrase, salt) { ccrypto_scrypt($0, $1, UInt64(cost), &key) } == 1)
      return key
    }

    private static func check(_ isGood: Bool) throws(StoreError) {
      if let failure { throw failure }
      guard isGood else {
        throw StoreError(code: .failed, message: "OpenSSL failed", hint: "Check that enough memory is available.")
      }
    }

    private static func withBytes<Result>(
      _ first: [UInt8], _ second: [UInt8], _ body: (ccrypto_bytes, ccrypto_bytes) -> Result
    ) -> Result {
      first.withUnsafeBufferPointer { first in
        second.withUnsafeBufferPointer { second in
          body(
            ccrypto_bytes(start: first.baseAddress, count: first.count),
            ccrypto_bytes(start: second.baseAddress, count: second.count))
        }
      }
    }
  }
#endif

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
