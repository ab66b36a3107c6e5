package import Text

/// An absolute http or https URL that is safe to send a credential to.
///
/// Parsing is deliberately stricter than RFC 3986: no user info, no backslash, no white space, nothing outside ASCII.
/// No two parsers can therefore disagree about its host. Plain http is accepted only for a loopback address
/// (`127.0.0.0/8`, `[::1]`, `localhost`).
package struct WebURL: Sendable, Hashable {
  package let scheme: String
  /// In lower case, with brackets for IPv6.
  package let host: String
  /// Nil for the scheme's default port.
  package let port: Int?
  /// `scheme://host`, with `:port` if it is not the scheme's default.
  package let origin: String
  /// Percent-encoded; begins with `/` or is empty.
  package var path: String
  /// Credentials that are segments of the path, such as a webhook's key. They are masked wherever the URL is shown.
  package var pathSecrets: [Secret] = []
  /// Decoded. Items from a parsed text are sent with their original spelling.
  package var query: [QueryItem] = []
  /// The parsed text's query, split at each `&`.
  private var spelling: [String] = []

  package init(scheme: String, host: String, port: Int?, path: String, query: [QueryItem]) {
    (self.scheme, self.host, self.port, self.path, self.query) = (scheme, host, port, path, query)
    origin = "\(scheme)://\(host)\(port.map { ":\($0)" } ?? "")"
  }

  init(scheme: String, host: String, port: Int?, path: String, spelling: [String]) {
    self.init(scheme: scheme, host: host, port: port, path: path, query: spelling.map { QueryItem(spelling: $0) })
    self.spelling = spelling
  }

  /// This URL with additional path segments, each percent-encoded, joined by exactly one `/`.
  ///
  /// The dots of the segments `.` and `..` are encoded too, so that no intermediary resolves them.
  package func appending(_ segments: String...) -> WebURL { appending(segments) }

  package func appending(_ segments: [String]) -> WebURL {
    var copy = self
    for segment in segments {
      if copy.path.utf8.last != UInt8(ascii: "/") { copy.path += "/" }
      copy.path += Self.spelled(segment)
    }
    return copy
  }

  /// This URL with a credential as its last path segment.
  package func appending(secret: Secret) -> WebURL {
    var copy = appending(secret.revealed)
    copy.pathSecrets.append(secret)
    return copy
  }

  private static func spelled(_ segment: String) -> String {
    segment == "." ? "%2E" : segment == ".." ? "%2E%2E" : Percent.encode(segment)
  }

  package func with(_ items: [QueryItem]) -> WebURL {
    var copy = self
    copy.query += items
    return copy
  }

  /// The URL as sent, secrets included.
  package var wire: String { text(path) { spelled($0) } }

  /// The URL as it may be shown, with secret path segments and query items masked.
  package var redacted: String {
    text(path { $0.masked }) { query[$0].isSecret ? "\(Percent.encode(query[$0].name))=…" : spelled($0) }
  }

  /// The path with other text in place of each secret segment.
  func path(showing shown: (Secret) -> String) -> String {
    guard !pathSecrets.isEmpty else { return path }
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      pathSecrets.first { Self.spelled($0.revealed) == segment }.map(shown) ?? String(segment)
    }
    return segments.joined(separator: "/")
  }

  private func text(_ path: String, _ piece: (Int) -> String) -> String {
    if query.isEmpty { return origin + path }
    // A single empty item may be left of a query without its secrets. It is written like an empty query.
    let query = query.indices.map(piece).joined(separator: "&")
    return query.isEmpty ? origin + path : "\(origin)\(path)?\(query)"
  }

  private func spelled(_ place: Int) -> String {
    let item = query[place]
    if spelling.indices.contains(place) {
      let parsed = QueryItem(spelling: spelling[place])
      if parsed.name == item.name, parsed.value == item.value { return spelling[place] }
    }
    return "\(Percent.encode(item.name))=\(Percent.encode(item.value))"
  }
}

extension QueryItem {
  fileprivate init(spelling: String) {
    let halves = spelling.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    self.init(Percent.decodeQuery(halves[0]), halves.count == 2 ? Percent.decodeQuery(halves[1]) : "")
  }
}

package struct WebURLError: Error, Equatable, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}
