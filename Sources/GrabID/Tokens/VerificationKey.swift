import JSON
import Text

/// A public key for verifying signatures, read from one entry of a key set (RFC 7517 §4, RFC 7518 §6).
package struct VerificationKey: Sendable, Equatable {
  enum Material: Sendable, Equatable {
    /// Big-endian numbers.
    case rsa(modulus: [UInt8], exponent: [UInt8])
    /// Coordinates of 32 bytes each.
    case p256(x: [UInt8], y: [UInt8])
    case ed25519([UInt8])
  }

  let material: Material
  /// The algorithm of the key; nil if any algorithm for its type is allowed.
  package let algorithm: SignatureAlgorithm?
  /// The id in the key set; nil if absent.
  package let keyID: String?
  /// The thumbprint (RFC 7638) with SHA-256.
  package let thumbprint: String

  /// Reads an entry.
  /// - Throws: ``VerificationKeyError`` for a key that cannot be used here, which does not invalidate the set (RFC
  ///   7517 §5).
  init(_ entry: JSONValue) throws(VerificationKeyError) {
    guard let key = entry.object else { throw VerificationKeyError("it is not an object") }
    guard key["d"] == nil, key["k"] == nil else {
      throw VerificationKeyError("it is a private or symmetric key", isPrivate: true)
    }
    if let use = key["use"], use.string != "sig" { throw VerificationKeyError("its use is not sig") }
    if let operations = key["key_ops"] {
      guard operations.array?.contains("verify") == true else {
        throw VerificationKeyError("its key_ops do not contain verify")
      }
    }
    material = try Self.material(key)
    algorithm = try Self.algorithm(key, of: material)
    if let name = key["kid"] {
      guard let text = name.string else { throw VerificationKeyError("its kid is not a string") }
      keyID = text
    } else {
      keyID = nil
    }
    thumbprint = Self.thumbprint(of: material)
  }

  /// The name that a token's `kid` is compared with.
  package var name: String { keyID ?? thumbprint }

  func serves(_ algorithm: SignatureAlgorithm) -> Bool {
    if let own = self.algorithm { return own == algorithm }
    switch (material, algorithm) {
    case (.rsa, .rs256), (.rsa, .ps256), (.p256, .es256), (.ed25519, .edDSA): return true
    default: return false
    }
  }

  private static func material(_ key: JSONObject) throws(VerificationKeyError) -> Material {
    func bytes(_ name: String) throws(VerificationKeyError) -> [UInt8] {
      guard let text = key[name]?.string, let bytes = Base64URL.decode(text), !bytes.isEmpty else {
        throw VerificationKeyError("its \(name) is missing or not base64url")
      }
      return bytes
    }
    switch (key["kty"]?.string, key["crv"]?.string) {
    case ("RSA", _): return try rsa(modulus: try bytes("n"), exponent: try bytes("e"))
    case ("EC", "P-256"):
      let (x, y) = (try bytes("x"), try bytes("y"))
      guard x.count == 32, y.count == 32 else { throw VerificationKeyError("its coordinates are not 32 bytes long") }
      return .p256(x: x, y: y)
    case ("OKP", "Ed25519"):
      let x = try bytes("x")
      guard x.count == 32 else { throw VerificationKeyError("its point is not 32 bytes long") }
      return .ed25519(x)
    default: throw VerificationKeyError("its key type is not supported")
    }
  }

  private static func rsa(modulus: [UInt8], exponent: [UInt8]) throws(VerificationKeyError) -> Material {
    let modulus = Array(modulus.drop { $0 == 0 })
    let exponent = Array(exponent.drop { $0 == 0 })
    let bits = modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
    guard (2048...8192).contains(bits) else {
      throw VerificationKeyError("its modulus has \(bits) bits, not 2048 to 8192")
    }
    let number = exponent.count <= 5 ? exponent.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } : .max
    guard number >= 3, number % 2 == 1, number <= 1 << 32 else {
      throw VerificationKeyError("its exponent is not an odd number from 3 to 2³²")
    }
    return .rsa(modulus: modulus, exponent: exponent)
  }

  private static func algorithm(_ key: JSONObject, of material: Material) throws(VerificationKeyError)
    -> SignatureAlgorithm?
  {
    guard let value = key["alg"] else { return nil }
    let fitting: [SignatureAlgorithm] =
      switch material {
      case .rsa: [.rs256, .ps256]
      case .p256: [.es256]
      case .ed25519: [.edDSA]
      }
    guard let algorithm = value.string.flatMap(SignatureAlgorithm.init(rawValue:)), fitting.contains(algorithm) else {
      throw VerificationKeyError("its alg is not supported for its key type")
    }
    return algorithm
  }

  private static func thumbprint(of material: Material) -> String {
    let members: JSONValue =
      switch material {
      case .rsa(let modulus, let exponent):
        ["e": .string(Base64URL.encode(exponent)), "kty": "RSA", "n": .string(Base64URL.encode(modulus))]
      case .p256(let x, let y):
        ["crv": "P-256", "kty": "EC", "x": .string(Base64URL.encode(x)), "y": .string(Base64URL.encode(y))]
      case .ed25519(let x): ["crv": "Ed25519", "kty": "OKP", "x": .string(Base64URL.encode(x))]
      }
    return Base64URL.encode(SHA256.hash(members.bytes))
  }
}

/// The reason why an entry of a key set is not used.
package struct VerificationKeyError: Error, Equatable, CustomStringConvertible {
  package let description: String
  /// Whether the entry publishes a key that should be secret.
  package let isPrivate: Bool
  init(_ description: String, isPrivate: Bool = false) {
    (self.description, self.isPrivate) = (description, isPrivate)
  }
}
