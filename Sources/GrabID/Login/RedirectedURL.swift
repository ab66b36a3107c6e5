import Text

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
