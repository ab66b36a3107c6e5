package import Text

/// A PKCE code verifier and challenge for one authorization code (RFC 7636). Only the method S256 is supported.
package struct PKCE: Sendable {
  package static let method = "S256"
  package let verifier: Secret

  /// Creates a code verifier.
  /// - Parameter bytes: 32 bytes from the system's random generator.
  package init(randomBytes bytes: [UInt8]) {
    precondition(bytes.count == 32, "a verifier holds 256 bits")
    guard let secret = Secret(parsing: Base64URL.encode(bytes)) else { preconditionFailure("base64url is printable") }
    verifier = secret
  }

  package init(verifier: Secret) { self.verifier = verifier }

  /// The code challenge: base64url of the SHA-256 of the verifier (RFC 7636 §4.2).
  package var challenge: String { Base64URL.encode(SHA256.hash(Array(verifier.revealed.utf8))) }
}
