import Text

/// The components of a redirect URL of any scheme, as redirects are compared. Nothing is decoded.
struct RedirectParts {
  /// In lower case.
  let scheme: String
  /// In lower case, without the scheme's default port; nil if absent.
  let authority: String?
  /// A lone `/` after an authority is the empty path.
  let path: String
  let query: [RawQueryItem]
  let fragment: Substring?

  /// Nil for text without a scheme, or with white space or a control character.
  init?(_ text: String) {
    let parts = URLParts(text)
    guard text.unicodeScalars.allSatisfy({ $0.value > 0x20 && !(0x7f...0x9f ~= $0.value) }), let scheme = parts.scheme
    else { return nil }
    self.scheme = scheme
    authority = parts.authority.map { Self.withoutDefaultPort($0.lowercased(), scheme) }
    path = parts.authority != nil && parts.path == "/" ? "" : String(parts.path)
    query = (parts.query ?? "").split(separator: "&").map(RawQueryItem.init)
    fragment = parts.fragment
  }

  private static func withoutDefaultPort(_ authority: String, _ scheme: String) -> String {
    for (name, port) in [("http", ":80"), ("https", ":443")] where scheme == name && authority.hasSuffix(port) {
      return String(authority.dropLast(port.count))
    }
    return authority
  }
}

/// One item of a query string, in its original spelling.
struct RawQueryItem {
  let name: Substring
  /// Nil without a `=`.
  let value: Substring?

  init(_ text: Substring) {
    let sign = text.firstIndex(of: "=")
    name = text[..<(sign ?? text.endIndex)]
    value = sign.map { text[text.index(after: $0)...] }
  }

  /// The decoded text of a component; a plus sign stays a plus sign. Nil if an escape is malformed or the bytes are
  /// not text.
  static func decoded(_ text: Substring) -> String? { Percent.decode(text, plus: .literal) }
}
