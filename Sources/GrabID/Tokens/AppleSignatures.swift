import Text

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
