import Text

/// Checks a redirect in the order of the rules: address, repeated parameters, state, issuer, error, code. Nothing is
/// sent before all checks have passed.
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

  private static let single = ["code", "state", "iss", "error", "error_description", "error_uri"]

  /// Checks the address.
  /// - Returns: the authorization code.
  /// - Throws: ``GrabError``.
  package func code(in address: RedirectedURL) throws(GrabError) -> String {
    let items = try Self.items(of: try address.query(for: redirectURI))
    func value(_ name: String) -> String? {
      items.first { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
    }
    guard let found = value("state"), ExactText.sameInConstantTime(found, state) else {
      throw GrabError(
        .stateMismatch, "the redirect belongs to another sign-in",
        reason: value("state") == nil ? "the state is missing" : "the state does not match this sign-in",
        hint: "Start again with \(ifttt: "grab login"), and use the page that it opens.")
    }
    if let found = value("iss") {
      guard ExactText.same(found, issuer) else {
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
    for name in single where items.count(where: { $0.name == name }) > 1 {
      throw RedirectedURL.foreign("it has \(name) twice")
    }
    return items
  }

  /// The error for a redirect with an error response of the service.
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

/// The redirected URL that the user pasted or passed to a command.
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
        Self.around.contains(where: { $0 == (first, last) })
      {
        rest = rest.dropFirst().dropLast()
      }
      if rest.count == count { break }
    }
    try self.init(String(rest))
  }

  private static let around: [(Character, Character)] = [("\"", "\""), ("'", "'"), ("<", ">")]

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

  static func foreign(_ reason: String) -> GrabError {
    GrabError(
      .foreignRedirect, "this is not the redirect URL of the sign-in", reason: reason,
      hint: "Copy the whole URL from the browser's address bar, including its scheme.")
  }

  /// The query, if the address is the redirect URI.
  /// - Throws: ``GrabError`` for any other address.
  func query(for redirectURI: GrabRedirectURI) throws(GrabError) -> String {
    switch self {
    case .query(let query): return query
    case .whole(let text):
      guard let parts = GrabURI(parsing: text), redirectURI.isReturned(in: parts) else {
        throw Self.foreign("its scheme, host, port or path does not match \(redirectURI.text)")
      }
      return try Self.query(of: parts)
    }
  }

  /// The query without any checks, in order to find the pending sign-in.
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
