import Text

/// A redirect URI: a loopback address, a claimed https address, or an app's own scheme (RFC 8252).
package struct GrabRedirectURI: Sendable, Hashable {
  package enum Kind: Sendable { case loopback, https, custom }

  package let text: String
  package let kind: Kind
  let parts: GrabURI

  /// The default path of the listener.
  package static let path = "/callback"

  /// Parses a redirect URI.
  /// - Throws: ``GrabError`` with one of the events for redirect URIs.
  package init(parsing text: String) throws(GrabError) {
    guard !text.isEmpty else {
      throw GrabError(
        .badRedirectURI, "the redirect URI is empty", hint: "Omit --redirect-uri to listen on this machine.")
    }
    guard let parts = GrabURI(parsing: text) else {
      throw GrabError(
        .unparsableRedirectURI, "the redirect URI is not an absolute URL",
        hint: "Pass the URL that is registered for the client, such as --redirect-uri http://127.0.0.1/callback.")
    }
    func bad(_ why: String) -> GrabError {
      GrabError(
        .badRedirectURI, "the redirect URI \(why)", hint: "Pass another registered one with --redirect-uri.")
    }
    guard parts.fragment == nil else { throw bad("has a fragment (RFC 6749 §3.1.2)") }
    guard !parts.path.utf8.contains(UInt8(ascii: "*")) else {
      throw bad("is a pattern; pass the URL itself")
    }
    switch parts.scheme {
    case "http":
      guard ["127.0.0.1", "[::1]", "localhost"].contains(parts.host), parts.user == nil else {
        throw bad("uses http with a host other than 127.0.0.1, [::1] and localhost")
      }
      kind = .loopback
    case "https":
      guard !parts.host.isEmpty, parts.user == nil else { throw bad("has no host, or contains a user name") }
      kind = .https
    case "javascript", "data", "file", "about", "blob", "ftp", "mailto", "vbscript", "ws", "wss":
      throw bad("has the scheme \(parts.scheme), which is not allowed")
    default: kind = .custom
    }
    (self.text, self.parts) = (text, parts)
  }

  /// Whether an address is this one with another query. Scheme and host are compared ignoring case, port and path
  /// exactly.
  func isReturned(in address: GrabURI) -> Bool {
    address.user == nil && address.scheme == parts.scheme && address.host == parts.host
      && address.port == parts.port && ExactText.same(address.path, parts.path)
  }
}

/// An absolute URI of any scheme that a sign-in accepts. Nothing is decoded.
package struct GrabURI: Sendable, Hashable {
  /// The scheme in lowercase.
  package let scheme: String
  package let user: String?
  /// The host in lowercase; empty if there is no authority.
  package let host: String
  /// The port; nil if it is the scheme's default.
  package let port: Int?
  package let path: String
  package let query: String?
  package let fragment: String?

  /// Parses a URI; nil if it is not printable ASCII, has no scheme, or has an invalid port.
  package init?(parsing text: String) {
    let parts = URLParts(text)
    guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && !#"\<>"`{}|^"#.utf8.contains($0) }),
      let scheme = parts.scheme
    else { return nil }
    (self.scheme, path) = (scheme, String(parts.path))
    (query, fragment) = (parts.query.map(String.init), parts.fragment.map(String.init))
    guard let authority = parts.authority.map(URLParts.Authority.init) else {
      guard !parts.path.isEmpty || parts.query != nil, scheme != "http", scheme != "https" else { return nil }
      (user, host, port) = (nil, "", nil)
      return
    }
    (user, host) = (authority.user.map(String.init), authority.host.lowercased())
    guard host.hasPrefix("[") == host.utf8.contains(UInt8(ascii: "]")) else { return nil }
    guard let digits = authority.port else {
      port = nil
      return
    }
    guard let number = UInt16(digits), !digits.hasPrefix("+"), number > 0 || digits == "0" else { return nil }
    port = number == (scheme == "https" ? 443 : scheme == "http" ? 80 : 0) ? nil : Int(number)
  }
}
