import Text

extension VerificationKey {
  /// Whether this key signed the token. Also false for a key that the library rejects.
  func hasSigned(_ token: CompactToken) -> Bool {
    guard serves(token.algorithm) else { return false }
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
    case .rs256, .es256, .ps256: return Base64URL.encode(Array(SHA256.hash(bytes).prefix(16)))
    case .edDSA: return Base64URL.encode(Array(Signatures.sha512(bytes).prefix(32)))
    }
  }
}
