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
