import Text

#if !canImport(CryptoKit)
  import CCrypto

  /// Verifies signatures with the system's OpenSSL, which is opened on first use.
  enum Signatures {
    /// The reason why nothing can be verified, as a sentence without a period; nil if verification is available.
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

#if canImport(CryptoKit)
  import Crypto
  import CryptoExtras

  /// Verifies signatures with Apple's CryptoKit and Security, through swift-crypto.
  enum Signatures {
    /// The reason why nothing can be verified; nil if verification is available.
    static var problem: String? { nil }

    /// RSA with SHA-256, with the padding of PKCS #1 1.5 (RFC 8017 §8.2.2) or of PSS with a salt of 32 bytes
    /// (§8.1.2).
    static func rsa(
      modulus: [UInt8], exponent: [UInt8], isPSS: Bool, _ signature: [UInt8], of message: [UInt8]
    ) -> Bool {
      guard signature.count == modulus.count, let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent) else {
        return false
      }
      // The library's name for that padding; it is weak only for encryption.
      return key.isValidSignature(
        .init(rawRepresentation: signature), for: SHA256.hash(data: message),
        padding: isPSS ? .PSS : .insecurePKCS1v1_5)
    }

    /// ECDSA on P-256 with SHA-256 (FIPS 186-5 §6.4.2); the signature's numbers are 32 bytes each.
    static func p256(x: [UInt8], y: [UInt8], _ signature: [UInt8], of message: [UInt8]) -> Bool {
      guard signature.count == 64, let key = try? P256.Signing.PublicKey(x963Representation: [4] + x + y),
        let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
      else { return false }
      return key.isValidSignature(signature, for: SHA256.hash(data: message))
    }

    /// Ed25519 (RFC 8032 §5.1.7).
    static func ed25519(_ point: [UInt8], _ signature: [UInt8], of message: [UInt8]) -> Bool {
      guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: point) else { return false }
      return key.isValidSignature(signature, for: message)
    }

    /// SHA-512 (FIPS 180-4).
    static func sha512(_ message: [UInt8]) -> [UInt8] { Array(SHA512.hash(data: message)) }
  }
#endif

/// The subset of DER (X.690 §8 and §10) for the public keys and signatures of tokens, in the form that libcrypto
/// reads.
enum DER {
  /// A public key with its algorithm (RFC 8017 appendix A.1, RFC 5480 §2, RFC 8410 §4).
  static func publicKey(_ material: VerificationKey.Material) -> [UInt8] {
    switch material {
    case .rsa(let modulus, let exponent):
      // rsaEncryption, NULL
      sequence(
        [0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00]
          + bits(sequence(integer(modulus) + integer(exponent))))
    case .p256(let x, let y):
      // id-ecPublicKey, secp256r1; an uncompressed point
      sequence(
        [
          0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d,
          0x03, 0x01, 0x07,
        ] + bits([0x04] + x + y))
    case .ed25519(let point):
      // id-Ed25519
      sequence([0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70] + bits(point))
    }
  }

  /// An ECDSA signature from its two concatenated numbers of equal length (RFC 7518 §3.4, RFC 3279 §2.2.3).
  static func signature(_ numbers: [UInt8]) -> [UInt8] {
    sequence(integer(Array(numbers.prefix(numbers.count / 2))) + integer(Array(numbers.suffix(numbers.count / 2))))
  }

  static func sequence(_ contents: [UInt8]) -> [UInt8] { value(0x30, contents) }

  /// A non-negative number, big-endian.
  static func integer(_ number: [UInt8]) -> [UInt8] {
    let digits = Array(number.drop { $0 == 0 })
    // A set first bit would mean a negative number.
    return value(0x02, (digits.first ?? 0x80) >= 0x80 ? [0] + digits : digits)
  }

  /// A bit string without unused bits in its last byte.
  private static func bits(_ bytes: [UInt8]) -> [UInt8] { value(0x03, [0] + bytes) }

  private static func value(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
    guard contents.count >= 0x80 else { return [tag, UInt8(contents.count)] + contents }
    let length = withUnsafeBytes(of: contents.count.bigEndian) { Array($0.drop { $0 == 0 }) }
    return [tag, 0x80 | UInt8(length.count)] + length + contents
  }
}

/// A signature algorithm for ID tokens (RFC 7518 §3.1, RFC 8037 §3.1). There are no cases for `none` and the
/// symmetric algorithms, so no setting can allow them.
package enum SignatureAlgorithm: String, Sendable, CaseIterable {
  case rs256 = "RS256"
  case es256 = "ES256"
  case ps256 = "PS256"
  case edDSA = "EdDSA"

  /// The algorithms allowed by default. A server's metadata can narrow this set but never widen it (RFC 8725 §3.1).
  package static let allowedByDefault: Set<SignatureAlgorithm> = [.rs256, .es256]

  /// The algorithms of `allowed` that a server announces; all of them if it announces none that are known.
  package static func narrowed(_ allowed: Set<SignatureAlgorithm>, by announced: [String]?) -> Set<SignatureAlgorithm> {
    guard let announced else { return allowed }
    let known = Set(announced.compactMap(SignatureAlgorithm.init(rawValue:)))
    return known.isEmpty ? allowed : allowed.intersection(known)
  }
}
