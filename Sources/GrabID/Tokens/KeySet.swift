import JSON
import Text

/// The keys that verify an issuer's tokens (RFC 7517 §5). Reading is lenient: one invalid entry does not affect the
/// others.
package struct KeySet: Sendable, Equatable {
  package static let maximumCount = 100
  /// The maximum number of keys that are tried for one token.
  static let candidateLimit = 5

  package let keys: [VerificationKey]
  /// The skipped entries: their indices and the reasons.
  package let skipped: [Skipped]

  package struct Skipped: Sendable, Equatable {
    package let index: Int
    package let reason: VerificationKeyError
  }

  /// Parses a key set.
  /// - Throws: ``GrabDocumentError``.
  package init(parsing bytes: [UInt8]) throws(GrabDocumentError) {
    let document = try StrictJSON.object(bytes)
    guard let entries = document["keys"]?.array else { throw GrabDocumentError("it has no list of keys") }
    guard entries.count <= Self.maximumCount else {
      throw GrabDocumentError("it has more than \(Self.maximumCount) keys")
    }
    var keys: [VerificationKey] = []
    var skipped: [Skipped] = []
    for (index, entry) in entries.enumerated() {
      do { keys.append(try VerificationKey(entry)) } catch { skipped.append(Skipped(index: index, reason: error)) }
    }
    (self.keys, self.skipped) = (keys, skipped)
  }

  /// The keys that may have signed a token.
  /// - Parameter isStrict: Whether to reject a token that names no key if several keys fit.
  func candidates(for token: CompactToken, isStrict: Bool) -> [VerificationKey] {
    let matching = keys.filter { $0.supports(token.algorithm) }
    guard let name = token.keyID else {
      return isStrict && matching.count > 1 ? [] : Array(matching.prefix(Self.candidateLimit))
    }
    return Array(matching.filter { ExactText.same($0.name, name) }.prefix(Self.candidateLimit))
  }

  /// The key that signed the token.
  /// - Throws: ``IDTokenError`` with the check `signature`.
  package func verify(_ token: CompactToken, strictKeyID: Bool = false) throws(IDTokenError) -> VerificationKey {
    let candidates = candidates(for: token, isStrict: strictKeyID)
    guard !candidates.isEmpty else {
      throw IDTokenError(.signature, "the issuer publishes no key that the token could be signed with")
    }
    if let problem = Signatures.problem { throw IDTokenError(.signature, problem) }
    guard let key = candidates.first(where: { $0.hasSigned(token) }) else {
      throw IDTokenError(.signature, "the signature is not the issuer's")
    }
    return key
  }
}

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

  func supports(_ algorithm: SignatureAlgorithm) -> Bool {
    if let own = self.algorithm { return own == algorithm }
    switch (material, algorithm) {
    case (.rsa, .rs256), (.rsa, .ps256), (.p256, .es256), (.ed25519, .edDSA): return true
    default: return false
    }
  }

  private static func material(_ key: JSONObject) throws(VerificationKeyError) -> Material {
    func bytes(_ name: String) throws(VerificationKeyError) -> [UInt8] {
      guard let text = key[name]?.string, let bytes = Base64.url.decode(text), !bytes.isEmpty else {
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
        ["e": .string(Base64.url.encode(exponent)), "kty": "RSA", "n": .string(Base64.url.encode(modulus))]
      case .p256(let x, let y):
        ["crv": "P-256", "kty": "EC", "x": .string(Base64.url.encode(x)), "y": .string(Base64.url.encode(y))]
      case .ed25519(let x): ["crv": "Ed25519", "kty": "OKP", "x": .string(Base64.url.encode(x))]
      }
    return Base64.url.encode(SHA256.hash(members.bytes))
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

extension VerificationKey {
  /// Whether this key signed the token. Also false for a key that the library rejects.
  func hasSigned(_ token: CompactToken) -> Bool {
    guard supports(token.algorithm) else { return false }
    let (signature, signed) = (token.signature, token.signed)
    return switch (material, token.algorithm) {
    case (.rsa(let modulus, let exponent), .rs256):
      Signatures.rsa(modulus: modulus, exponent: exponent, isPSS: false, signature, of: signed)
    case (.rsa(let modulus, let exponent), .ps256):
      Signatures.rsa(modulus: modulus, exponent: exponent, isPSS: true, signature, of: signed)
    case (.p256(let x, let y), .es256): Signatures.p256(x: x, y: y, signature, of: signed)
    case (.ed25519(let point), .edDSA): Signatures.ed25519(point, signature, of: signed)
    default: false
    }
  }
}

extension SignatureAlgorithm {
  /// Base64url of the left half of a text's hash, for `at_hash` and `c_hash` (OpenID Connect Core §3.1.3.6).
  package func halfHash(of text: String) -> String {
    let bytes = Array(text.utf8)
    switch self {
    case .rs256, .es256, .ps256: return Base64.url.encode(Array(SHA256.hash(bytes).prefix(16)))
    case .edDSA: return Base64.url.encode(Array(Signatures.sha512(bytes).prefix(32)))
    }
  }
}
