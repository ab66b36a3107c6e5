import Text

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
