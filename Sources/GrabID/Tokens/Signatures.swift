#if !canImport(CryptoKit)
  import CCrypto

  /// Verifies signatures with the system's OpenSSL, which is opened on first use.
  enum Signatures {
    /// The reason why nothing can be verified, as a sentence without a full stop; nil if verification is available.
    static let problem: String? = open(
      (0...).lazy.map { ccrypto_name($0) }.prefix { $0 != nil }.compactMap { $0.map { String(cString: $0) } })

    /// Tries one library after the other.
    /// - Returns: nil if one of them could be opened, otherwise the reasons.
    static func open(_ names: [String]) -> String? {
      var problems: [String] = []
      for name in names {
        guard let problem = ccrypto_open(name) else { return nil }
        problems.append(String(cString: problem))
      }
      return "OpenSSL is needed to verify it: \(problems.joined(separator: "; "))"
    }

    /// RSA with SHA-256, with the padding of PKCS #1 1.5 (RFC 8017 §8.2.2) or of PSS with a salt of 32 bytes
    /// (§8.1.2).
    static func rsa(
      modulus: [UInt8], exponent: [UInt8], isPSS: Bool, _ signature: [UInt8], of message: [UInt8]
    ) -> Bool {
      // Both sections begin with this check. OpenSSL would accept a shorter PSS signature.
      guard signature.count == modulus.count else { return false }
      return verify(
        isPSS ? CCRYPTO_RSA_PSS : CCRYPTO_RSA_PKCS1, .rsa(modulus: modulus, exponent: exponent), signature, message)
    }

    /// ECDSA on P-256 with SHA-256 (FIPS 186-5 §6.4.2); the signature's numbers are 32 bytes each.
    static func p256(x: [UInt8], y: [UInt8], _ signature: [UInt8], of message: [UInt8]) -> Bool {
      guard signature.count == 64 else { return false }
      return verify(CCRYPTO_ECDSA, .p256(x: x, y: y), DER.signature(signature), message)
    }

    /// Ed25519 (RFC 8032 §5.1.7).
    static func ed25519(_ point: [UInt8], _ signature: [UInt8], of message: [UInt8]) -> Bool {
      guard signature.count == 64 else { return false }
      return verify(CCRYPTO_ED25519, .ed25519(point), signature, message)
    }

    /// SHA-512 (FIPS 180-4); empty, which is not a valid hash, if there is no library.
    static func sha512(_ message: [UInt8]) -> [UInt8] {
      guard problem == nil else { return [] }
      var hash = [UInt8](repeating: 0, count: Int(CCRYPTO_SHA512_SIZE))
      message.withUnsafeBufferPointer { ccrypto_sha512(ccrypto_bytes($0), &hash) }
      return hash
    }

    private static func verify(
      _ scheme: Int, _ key: VerificationKey.Material, _ signature: [UInt8], _ message: [UInt8]
    ) -> Bool {
      guard problem == nil else { return false }
      return DER.publicKey(key).withUnsafeBufferPointer { key in
        message.withUnsafeBufferPointer { message in
          signature.withUnsafeBufferPointer { signature in
            ccrypto_verify(CInt(scheme), ccrypto_bytes(key), ccrypto_bytes(message), ccrypto_bytes(signature)) == 1
          }
        }
      }
    }
  }

  extension ccrypto_bytes {
    fileprivate init(_ bytes: UnsafeBufferPointer<UInt8>) { self.init(start: bytes.baseAddress, count: bytes.count) }
  }
#endif
