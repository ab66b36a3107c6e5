/// An absolute http or https URL that is safe to send a credential to.
///
/// Parsing is narrower than RFC 3986, on purpose: no user info, no backslash, no white space, nothing outside
/// ASCII, so that no two readers of it can disagree about its host. Plain http is accepted only for a
/// loopback address (`127.0.0.0/8`, `[::1]`, `localhost`).
package struct WebURL: Sendable, Hashable {
  package let scheme: String
  /// Lower case, with brackets for IPv6.
  package let host: String
  /// Nil for the scheme's own port.
  package let port: Int?
  /// Percent-encoded, begins with `/` or is empty.
  package var path: String
  package var query: [QueryItem] = []

  package init(scheme: String, host: String, port: Int?, path: String, query: [QueryItem]) {
    (self.scheme, self.host, self.port, self.path, self.query) = (scheme, host, port, path, query)
  }

  /// - Throws: ``WebURLProblem``, whose words name the part at fault.
  package init(parsing text: String) throws(WebURLProblem) {
    throw WebURLProblem("not built")
  }

  /// This URL with one more path segment each, percent-encoded, joined by exactly one `/`.
  package func appending(_ segments: String...) -> WebURL { self }

  package func with(_ items: [QueryItem]) -> WebURL {
    var copy = self
    copy.query += items
    return copy
  }

  /// What is sent, secrets included.
  package var wire: String { "" }
  /// What may be shown: secret query items masked.
  package var redacted: String { "" }
}

package struct WebURLProblem: Error, Equatable, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}
