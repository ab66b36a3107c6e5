/// A URL or a relative reference, split at its delimiters (RFC 3986 §3 and appendix B).
///
/// Every text has these parts. Nothing is decoded, and nothing is checked except the spelling of the scheme: each
/// caller checks the characters, schemes and hosts that it accepts.
package struct URLParts: Sendable, Hashable {
  /// In lower case; nil if the text does not begin with a scheme.
  package let scheme: String?
  /// The text between `//` and the path; nil without `//`.
  package let authority: Substring?
  package let path: Substring
  /// The text after `?`; nil without it.
  package let query: Substring?
  /// The text after `#`; nil without it.
  package let fragment: Substring?

  package init(_ text: String) {
    var rest = text[...]
    if let colon = rest.firstIndex(of: ":"), Self.isScheme(rest[..<colon]) {
      scheme = rest[..<colon].lowercased()
      rest = rest[rest.index(after: colon)...]
    } else {
      scheme = nil
    }
    fragment = Self.cut(&rest, at: "#")
    query = Self.cut(&rest, at: "?")
    if rest.hasPrefix("//") {
      let authority = rest.dropFirst(2).prefix { $0 != "/" }
      rest = rest[authority.endIndex...]
      self.authority = authority
    } else {
      authority = nil
    }
    path = rest
  }

  /// Removes the text from the first mark on.
  /// - Returns: the text after the mark; nil without a mark.
  private static func cut(_ rest: inout Substring, at mark: Character) -> Substring? {
    guard let place = rest.firstIndex(of: mark) else { return nil }
    defer { rest = rest[..<place] }
    return rest[rest.index(after: place)...]
  }

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, first.isLetterOrDigit, !first.isDigit else { return false }
    return text.utf8.allSatisfy { $0.isLetterOrDigit || "+-.".utf8.contains($0) }
  }
}

extension URLParts {
  /// An authority, split at its delimiters (RFC 3986 §3.2).
  package struct Authority: Sendable, Hashable {
    /// The text before the last `@`; nil without it.
    package let user: Substring?
    /// With the brackets of an IPv6 address, in which colons do not begin a port.
    package let host: Substring
    /// The text after the colon; nil without it. It may be anything.
    package let port: Substring?

    package init(_ text: Substring) {
      let at = text.lastIndex(of: "@")
      user = at.map { text[..<$0] }
      let place = at.map { text[text.index(after: $0)...] } ?? text
      let bracket = place.lastIndex(of: "]") ?? place.startIndex
      let colon = place[bracket...].firstIndex(of: ":")
      host = place[..<(colon ?? place.endIndex)]
      port = colon.map { place[place.index(after: $0)...] }
    }
  }
}
