import HTTP
import JSON
package import Text

/// The URL at which the user signs in and consents (OpenID Connect Core §3.1.2.1), with the parameters in the order
/// of Grab's own apps.
package struct AuthorizationRequest: Sendable {
  let client: GrabClient
  let redirectURI: String
  let challenge: String
  let state: String
  let nonce: String

  /// The maximum length; servers and browsers truncate longer URLs.
  package static let longestSafe = 8000

  /// Further parameters that no `--param` may repeat, in addition to those of the table.
  private static let reserved = [
    "client_secret", "code", "grant_type", "code_verifier", "response_mode", "ui_locales", "claims", "max_age",
  ]

  /// The complete URL.
  /// - Throws: ``GrabError``.
  func url(at endpoint: WebURL) throws(GrabError) -> String {
    let items = try items()
    if let double = endpoint.query.first(where: { own in items.contains { ExactText.same($0.name, own.name) } }) {
      throw GrabError(
        .authorizeURLImpossible, "the service's authorization endpoint already has the parameter \(double.name)",
        in: .authorization)
    }
    return endpoint.wire + (endpoint.query.isEmpty ? "?" : "&") + Percent.encode(items)
  }

  func items() throws(GrabError) -> [(name: String, value: String)] {
    let settings = client.settings
    var items: [(name: String, value: String)] = [
      ("client_id", client.id), ("code_challenge", challenge), ("code_challenge_method", PKCE.method),
      ("nonce", nonce), ("redirect_uri", redirectURI), ("response_type", "code"), ("state", state),
      ("scope", client.scope.text),
    ]
    let names =
      items.map(\.name) + ["login_hint", "id_token_hint", "prompt", "request", "acr_values"] + Self.reserved
    func add(_ name: String, _ value: String?) {
      if let value, !value.isEmpty { items.append((name, value)) }
    }
    add("login_hint", settings.loginHint)
    add("id_token_hint", settings.idTokenHint?.revealed)
    add("prompt", settings.prompt)
    add("request", settings.request?.revealed)
    add("acr_values", settings.acrValues.map(\.text).joined(separator: " "))
    add("ui_locales", settings.interfaceLocales)
    add("claims", settings.claims)
    add("max_age", settings.maximumAge.map(String.init))
    for (name, value) in settings.parameters {
      guard !name.isEmpty, !names.contains(where: { ExactText.same($0, name) }) else {
        throw GrabError(
          .badSetting, "--param may not set \(DisplayText.shown(name, limit: 40))",
          hint: "The sign-in sets that parameter, or it has an option of its own.")
      }
      items.append((name, value))
    }
    return items
  }
}

/// A PKCE code verifier and challenge for one authorization code (RFC 7636). Only the method S256 is supported.
package struct PKCE: Sendable {
  package static let method = "S256"
  package let verifier: Secret

  /// Creates a code verifier.
  /// - Parameter bytes: 32 bytes from the system's random generator.
  package init(randomBytes bytes: [UInt8]) {
    precondition(bytes.count == 32, "a verifier holds 256 bits")
    guard let secret = Secret(parsing: Base64.url.encode(bytes)) else { preconditionFailure("base64url is printable") }
    verifier = secret
  }

  package init(verifier: Secret) { self.verifier = verifier }

  /// The code challenge: base64url of the SHA-256 of the verifier (RFC 7636 §4.2).
  package var challenge: String { Base64.url.encode(SHA256.hash(Array(verifier.revealed.utf8))) }
}
