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

  /// The maximum length of a URL without a warning. Servers and browsers may truncate longer URLs.
  package static let maximumSafeLength = 8000

  /// Parameters that `--param` must not set, in addition to those that every request has: some have an option of their
  /// own, and the others do not belong in the URL.
  private static let reserved = [
    "login_hint", "id_token_hint", "prompt", "request", "acr_values", "ui_locales", "claims", "max_age",
    "client_secret", "code", "grant_type", "code_verifier", "response_mode",
  ]

  /// The complete URL.
  /// - Throws: ``GrabError``.
  func url(at endpoint: WebURL) throws(GrabError) -> String {
    let items = try items()
    if let repeated = endpoint.query.first(where: { own in items.contains { ExactText.same($0.name, own.name) } }) {
      throw GrabError(
        .authorizeURLImpossible, "the service's authorization endpoint already has the parameter \(repeated.name)",
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
    let reserved = items.map(\.name) + Self.reserved
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
      guard !name.isEmpty, !reserved.contains(where: { ExactText.same($0, name) }) else {
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

/// The checks of a redirect, in this order: URL, repeated parameters, state, issuer, error, code. Nothing is sent to
/// the service before all of them have passed.
package struct RedirectCheck: Sendable {
  let redirectURI: GrabRedirectURI
  let state: String
  let issuer: String
  /// Whether the redirect must contain the issuer (RFC 9207 §2.4).
  let issuerIsRequired: Bool

  package init(redirectURI: GrabRedirectURI, state: String, issuer: String, issuerIsRequired: Bool) {
    (self.redirectURI, self.state) = (redirectURI, state)
    (self.issuer, self.issuerIsRequired) = (issuer, issuerIsRequired)
  }

  /// The parameters that may occur only once.
  private static let singleParameters = ["code", "state", "iss", "error", "error_description", "error_uri"]

  /// Checks the redirect.
  /// - Returns: The authorization code.
  /// - Throws: ``GrabError``.
  package func code(in url: RedirectedURL) throws(GrabError) -> String {
    let items = try Self.items(of: try url.query(for: redirectURI))
    func value(_ name: String) -> String? {
      items.first { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
    }
    guard let received = value("state"), ExactText.sameInConstantTime(received, state) else {
      throw GrabError(
        .stateMismatch, "the redirect belongs to another sign-in",
        reason: value("state") == nil ? "the state is missing" : "the state does not match this sign-in",
        hint: "Start again with \(ifttt: "grab login"), and use the page that it opens.")
    }
    if let received = value("iss") {
      guard ExactText.same(received, issuer) else {
        throw RedirectedURL.foreign("iss names another service (RFC 9207)")
      }
    } else if issuerIsRequired, value("error") == nil {
      throw RedirectedURL.foreign("iss is missing, although the service advertises it (RFC 9207)")
    }
    if let error = value("error") {
      throw Self.refusal(error, description: value("error_description"), uri: value("error_uri"))
    }
    guard let code = value("code") else {
      throw GrabError(
        .redirectWithoutCode, "the redirect has neither a code nor an error",
        hint: "Start again with \(ifttt: "grab login").")
    }
    return code
  }

  /// The parameters, each decoded once.
  static func items(of query: String) throws(GrabError) -> [(name: String, value: String)] {
    guard query.utf8.count <= RedirectedURL.maximumSize, let items = Percent.items(of: query) else {
      throw RedirectedURL.foreign("its query has an invalid escape or is not UTF-8")
    }
    for name in singleParameters where items.count(where: { $0.name == name }) > 1 {
      throw RedirectedURL.foreign("it has \(name) twice")
    }
    return items
  }

  /// The error of a redirect that reports an error of the service.
  static func refusal(_ error: String, description: String?, uri: String?) -> GrabError {
    let event: GrabEvent =
      switch error {
      case "access_denied", "user_canceled": .userCancelled
      case "login_required", "consent_required", "interaction_required", "account_selection_required":
        .interactionRequired
      case "unauthorized_client": .clientNotAllowed
      case "invalid_scope": .invalidScope
      case "temporarily_unavailable": .unavailable
      default: .redirectError
      }
    let texts = [description, uri].compactMap { $0 }.map { DisplayText.shown($0) }
    return GrabError(
      event, event == .userCancelled ? "the sign-in was rejected in the browser" : "the sign-in failed",
      reason: ([DisplayText.shown(error, limit: 100)] + texts).joined(separator: ": "),
      hint: event == .clientNotAllowed ? "Ask Grab whether this client is allowed to sign in this way." : nil)
  }
}

/// The URL of a redirect, as the user pasted it or passed it to a command.
package enum RedirectedURL: Sendable, Equatable {
  case whole(String)
  /// The text after the question mark.
  case query(String)

  package static let maximumSize = 16 << 10

  /// Parses pasted text. Surrounding spaces, quotes and angle brackets are removed, as are line breaks that terminals
  /// insert.
  /// - Throws: ``GrabError``.
  package init(pasted text: String) throws(GrabError) {
    var rest = text.filter { !$0.isNewline && $0 != "\t" }[...]
    while true {
      let count = rest.count
      while rest.first == " " { rest.removeFirst() }
      while rest.last == " " { rest.removeLast() }
      if rest.count > 1, let first = rest.first, let last = rest.last,
        Self.enclosingPairs.contains(where: { $0 == (first, last) })
      {
        rest = rest.dropFirst().dropLast()
      }
      if rest.count == count { break }
    }
    try self.init(String(rest))
  }

  private static let enclosingPairs: [(Character, Character)] = [("\"", "\""), ("'", "'"), ("<", ">")]

  private init(_ text: String) throws(GrabError) {
    guard !text.isEmpty else { throw Self.foreign("it is empty") }
    guard text.utf8.count <= Self.maximumSize else { throw Self.foreign("it is longer than 16 KiB") }
    guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
      throw Self.foreign("it contains spaces, control characters or non-ASCII characters")
    }
    if text.hasPrefix("?") {
      self = .query(String(text.dropFirst()))
    } else if let parts = GrabURI(parsing: text), parts.query != nil || parts.scheme.hasPrefix("http") {
      self = .whole(text)
    } else if text.hasPrefix("code=") || text.hasPrefix("state=") || text.hasPrefix("error=") || text.hasPrefix("iss=")
    {
      self = .query(text)
    } else {
      throw Self.foreign(
        "it is not a redirect URL; a code alone is not enough, because only the state identifies the sign-in"
      )
    }
  }

  /// The error of a URL that is not the redirect of this sign-in.
  static func foreign(_ reason: String) -> GrabError {
    GrabError(
      .foreignRedirect, "this is not the redirect URL of the sign-in", reason: reason,
      hint: "Copy the whole URL from the browser's address bar, including its scheme.")
  }

  /// The query, if the URL matches the redirect URI.
  /// - Throws: ``GrabError`` if it does not.
  func query(for redirectURI: GrabRedirectURI) throws(GrabError) -> String {
    switch self {
    case .query(let query): return query
    case .whole(let text):
      guard let parts = GrabURI(parsing: text), redirectURI.matches(parts) else {
        throw Self.foreign("its scheme, host, port or path does not match \(redirectURI.text)")
      }
      return try Self.query(of: parts)
    }
  }

  /// The query of any URL, in order to find the pending sign-in whose redirect URI the URL must match.
  func unverifiedQuery() throws(GrabError) -> String {
    switch self {
    case .query(let query): return query
    case .whole(let text):
      guard let parts = GrabURI(parsing: text) else { throw Self.foreign("it is not a URL") }
      return try Self.query(of: parts)
    }
  }

  private static func query(of parts: GrabURI) throws(GrabError) -> String {
    // Some providers append an empty fragment or `#_=_`.
    guard ["", "_=_", nil].contains(parts.fragment) else {
      throw foreign("its parameters are in the fragment, not in the query")
    }
    return parts.query ?? ""
  }
}
