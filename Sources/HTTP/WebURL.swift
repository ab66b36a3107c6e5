package import Text

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An absolute http or https URL that is safe to send a credential to.
///
/// Parsing is deliberately stricter than RFC 3986: no user info, no backslash, no white space, nothing outside ASCII.
/// Therefore, all parsers agree about its host. Plain http is accepted only for a loopback address
/// (`127.0.0.0/8`, `[::1]`, `localhost`) and for hosts that the user allowed.
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

  /// This URL with additional query items.
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
    // If the secrets of a query were removed, a single empty item may remain. Write it like an empty query.
    let query = query.indices.map(piece).joined(separator: "&")
    return query.isEmpty ? origin + path : "\(origin)\(path)?\(query)"
  }

  private func spelled(_ index: Int) -> String {
    let item = query[index]
    if spelling.indices.contains(index) {
      let parsed = QueryItem(spelling: spelling[index])
      if parsed.name == item.name, parsed.value == item.value { return spelling[index] }
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
  /// The host of the URL, if the only problem is plain http to a host that is not allowed.
  package private(set) var plainHost: HostName?

  package init(_ description: String) { self.description = description }

  init(plainHTTPTo host: String) {
    self.init("the scheme is http, which is accepted only for a loopback address (127.0.0.0/8, [::1], localhost)")
    plainHost = HostName(of: host)
  }
}

extension WebURL {
  /// Whether the host is a name or an address of this machine.
  package var isLoopback: Bool { Host.isLoopback(host) }

  /// The hosts that a URL with the same origin may use plain http for, in addition to this machine: this URL was
  /// accepted already.
  package var plainHosts: Set<HostName> { scheme == "http" ? [HostName(of: host)] : [] }

  /// Whether requests to the URL leave this machine without encryption.
  package var isReadableInTransit: Bool { scheme == "http" && !isLoopback }

  /// - Parameter plainHosts: The hosts for which plain http is accepted, in addition to this machine.
  /// - Throws: ``WebURLError``. Its message names the invalid part and repeats none of the text, which may contain a
  ///   credential.
  package init(parsing text: String, allowing plainHosts: Set<HostName> = []) throws(WebURLError) {
    try WebURL.checkCharacters(text)
    let parts = URLParts(text)
    guard let scheme = parts.scheme, ["https", "http"].contains(scheme), let authority = parts.authority else {
      throw WebURLError("the scheme must be https (or http for a loopback address)")
    }
    let (host, port) = try WebURL.hostAndPort(authority, scheme: scheme)
    let path = String(parts.path)
    try WebURL.checkPath(path)
    let query = parts.query ?? ""
    guard WebURL.isEncoded(query, allowing: "/?:@!$&'()*+,;=") else {
      throw WebURLError("the query contains a character that must be percent-encoded")
    }
    guard scheme == "https" || plainHosts.admits(host) else { throw WebURLError(plainHTTPTo: host) }
    let pieces = query.isEmpty ? [] : query.split(separator: "&", omittingEmptySubsequences: false).map(String.init)
    self.init(scheme: scheme, host: host, port: port, path: path, spelling: pieces)
  }

  private static func checkCharacters(_ text: String) throws(WebURLError) {
    if text.isEmpty { throw WebURLError("it is empty") }
    for byte in text.utf8 {
      switch byte {
      case 0...0x20, 0x7f: throw WebURLError("it contains whitespace or a control character")
      case 0x80...: throw WebURLError("it contains a character outside ASCII, which must be percent-encoded")
      case UInt8(ascii: "\\"): throw WebURLError("it contains a backslash")
      case UInt8(ascii: "#"): throw WebURLError("it has a fragment (#), which is never sent")
      default: continue
      }
    }
  }

  private static func hostAndPort(_ authority: Substring, scheme: String) throws(WebURLError) -> (String, Int?) {
    let parts = URLParts.Authority(authority)
    guard parts.user == nil else {
      throw WebURLError("user information (name@) before the host is not accepted")
    }
    let host = parts.host.lowercased()
    try Host.check(host)
    guard let digits = parts.port else { return (host, nil) }
    guard (1...5).contains(digits.count), digits.utf8.allSatisfy(\.isDigit), digits.first != "0",
      let port = Int(digits), port <= 65_535
    else { throw WebURLError("the port is not a number from 1 to 65535") }
    return (host, port == (scheme == "https" ? 443 : 80) ? nil : port)
  }

  private static func checkPath(_ path: String) throws(WebURLError) {
    guard isEncoded(path, allowing: "/:@!$&'()*+,;=") else {
      throw WebURLError("the path contains a character that must be percent-encoded")
    }
    guard !path.split(separator: "/").contains(where: DotSegments.isDotSegment) else {
      throw WebURLError("the path contains a dot segment (. or ..)")
    }
  }

  private static func isEncoded(_ text: some StringProtocol, allowing allowed: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.indices.allSatisfy { index in
      let byte = bytes[index]
      if byte == UInt8(ascii: "%") {
        return index + 2 < bytes.count && bytes[index + 1].hexadecimal != nil && bytes[index + 2].hexadecimal != nil
      }
      return byte.isUnreserved || allowed.utf8.contains(byte)
    }
  }

  /// Resolves the value of a `Location` header against this URL (RFC 3986 §5.2). The fragment is dropped.
  /// - Throws: ``WebURLError`` for a URL that ``init(parsing:allowing:)`` rejects.
  package func resolving(
    _ reference: String, allowing plainHosts: Set<HostName> = []
  ) throws(WebURLError) -> WebURL {
    let reference = reference.prefix { $0 != "#" }
    if reference.isEmpty { return self }
    return try WebURL(resolved: absolute(reference), allowing: plainHosts)
  }

  /// The text of the absolute URL that a reference stands for.
  private func absolute(_ reference: Substring) -> String {
    if reference.hasPrefix("//") { return "\(scheme):\(reference)" }
    if reference.hasPrefix("/") { return origin + reference }
    if reference.hasPrefix("?") { return origin + path + reference }
    if WebURL.hasScheme(reference) { return String(reference) }
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
    return origin + folder + reference
  }

  /// An absolute URL whose path may still contain `.` and `..` segments.
  private init(resolved text: String, allowing plainHosts: Set<HostName>) throws(WebURLError) {
    let query = text.firstIndex(of: "?") ?? text.endIndex
    let whole = text[..<query]
    // The path begins at the third slash.
    var slashes = 0
    let start = whole.firstIndex { character in
      if character == "/" { slashes += 1 }
      return slashes == 3
    }
    guard let start else {
      try self.init(parsing: text, allowing: plainHosts)
      return
    }
    try self.init(
      parsing: whole[..<start] + DotSegments.removed(from: whole[start...]) + text[query...], allowing: plainHosts)
  }

  private static func hasScheme(_ reference: Substring) -> Bool {
    guard let end = reference.firstIndex(where: { ":/?".contains($0) }), reference[end] == ":" else { return false }
    return true
  }
}

/// The path segments `.` and `..`, including those with percent-encoded dots.
enum DotSegments {
  static func isDotSegment(_ segment: Substring) -> Bool { steps(segment) != nil }

  /// Removes dot segments (RFC 3986 §5.2.4) from a path that begins with `/`.
  static func removed(from path: Substring) -> String {
    var segments: [Substring] = []
    let all = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in all.enumerated() {
      guard let steps = steps(segment) else {
        segments.append(segment)
        continue
      }
      if steps == 2, !segments.isEmpty { segments.removeLast() }
      if index == all.count - 1 { segments.append("") }
    }
    return "/" + segments.joined(separator: "/")
  }

  /// The number of segments that a dot segment removes, including itself; nil for another segment.
  private static func steps(_ segment: Substring) -> Int? {
    switch segment.lowercased() {
    case ".", "%2e": 1
    case "..", ".%2e", "%2e.", "%2e%2e": 2
    default: nil
    }
  }
}

/// The valid hosts of a URL: a name, four decimal numbers with dots, or an IPv6 address in brackets.
enum Host {
  /// - Parameter host: in lower case.
  static func check(_ host: String) throws(WebURLError) {
    guard !host.isEmpty else { throw WebURLError("the host is missing") }
    if host.hasPrefix("[") {
      guard isIPv6(host) else { throw WebURLError("the host is not a valid IPv6 address") }
      return
    }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    guard host.utf8.count <= 253,
      labels.allSatisfy({ label in
        (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
          && label.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
      })
    else { throw WebURLError("the host is not a valid name") }
    // Old parsers read 127.1, 0x7f.1 or 2130706433 as an address; new parsers do not.
    if let last = labels.last, last.first?.isASCIIDigit == true, isNumber(last), quad(host) == nil {
      throw WebURLError("the host looks like an IPv4 address, but is not four decimal numbers")
    }
  }

  /// Whether the host is a name or an address of this machine. Compares bytes, because a host may come from anywhere.
  /// - Parameter host: in lower case.
  static func isLoopback(_ host: String) -> Bool {
    ["localhost", "[::1]"].contains { ExactText.same(host, $0) } || quad(host)?.first == 127
  }

  private static func isNumber(_ label: Substring) -> Bool {
    label.utf8.allSatisfy(\.isDigit)
      || (label.hasPrefix("0x") && label.utf8.dropFirst(2).allSatisfy { $0.hexadecimal != nil })
  }

  /// The four numbers of an IPv4 address, from 0 to 255. Nil for another host, and for numbers with leading zeros,
  /// which some parsers read as octal.
  private static func quad(_ host: String) -> [UInt8]? {
    let parts = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part -> UInt8? in
      guard part.count == 1 || part.first != UInt8(ascii: "0"), part.allSatisfy(\.isDigit) else { return nil }
      return UInt8(Substring(part))
    }
    return parts.count == 4 && numbers.count == 4 ? numbers : nil
  }

  private static func isIPv6(_ host: String) -> Bool {
    guard host.hasSuffix("]") else { return false }
    let inner = host.dropFirst().dropLast()
    guard inner.utf8.allSatisfy({ $0.hexadecimal != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") })
    else { return false }
    var address = in6_addr()
    return inet_pton(AF_INET6, String(inner), &address) == 1
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
