import Crypto
import CryptoExtras

extension VerificationKey {
  /// Whether this key's owner signed the token. False too for a key that the library does not take.
  func hasSigned(_ token: CompactToken) -> Bool {
    guard serves(token.algorithm) else { return false }
    switch (material, token.algorithm) {
    case (.rsa(let modulus, let exponent), .rs256):
      // That is the library's name for the padding that RFC 7518 §3.3 prescribes; weak for encryption alone.
      return rsa(modulus, exponent, token, padding: .insecurePKCS1v1_5)
    case (.rsa(let modulus, let exponent), .ps256): return rsa(modulus, exponent, token, padding: .PSS)
    case (.p256(let x, let y), .es256):
      // RFC 7518 §3.4: r and s, 32 bytes each.
      guard token.signature.count == 64,
        let key = try? P256.Signing.PublicKey(x963Representation: [4] + x + y),
        let signature = try? P256.Signing.ECDSASignature(rawRepresentation: token.signature)
      else { return false }
      return key.isValidSignature(signature, for: SHA256.hash(data: token.signed))
    case (.ed25519(let point), .edDSA):
      guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: point) else { return false }
      return key.isValidSignature(token.signature, for: token.signed)
    default: return false
    }
  }

  private func rsa(
    _ modulus: [UInt8], _ exponent: [UInt8], _ token: CompactToken, padding: _RSA.Signing.Padding
  ) -> Bool {
    guard let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent) else { return false }
    return key.isValidSignature(
      .init(rawRepresentation: token.signature), for: SHA256.hash(data: token.signed), padding: padding)
  }
}

extension SignatureAlgorithm {
  /// Base64url of the left half of a text's hash, as `at_hash` and `c_hash` have it (OpenID Connect Core §3.1.3.6).
  package func halfHash(of text: String) -> String {
    let bytes = Array(text.utf8)
    switch self {
    case .rs256, .es256, .ps256: return Base64URL.encode(Array(SHA256.hash(data: bytes)).prefix(16))
    case .edDSA: return Base64URL.encode(Array(SHA512.hash(data: bytes)).prefix(32))
    }
  }
}
