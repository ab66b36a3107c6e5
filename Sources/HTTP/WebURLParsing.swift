import Encoding

extension WebURL {
  /// - Throws: ``WebURLError``. Its message names the invalid part and repeats none of the text, which may contain a
  ///   credential.
  package init(parsing text: String) throws(WebURLError) {
    try WebURL.checkCharacters(text)
    var rest = text[...]
    let scheme = try WebURL.consumeScheme(&rest)
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    rest = rest.dropFirst(authority.count)
    let (host, port) = try WebURL.hostAndPort(authority, scheme: scheme)
    if scheme == "http", !Host.isLoopback(host) {
      throw WebURLError(
        "the scheme is http, which is accepted only for a loopback address (127.0.0.0/8, [::1], localhost)")
    }
    let path = String(rest.prefix { $0 != "?" })
    try WebURL.checkPath(path)
    let query = rest.dropFirst(path.count + 1)
    guard WebURL.isEncoded(query, besides: "/?:@!$&'()*+,;=") else {
      throw WebURLError("the query contains a character that must be percent-encoded")
    }
    let pieces = query.isEmpty ? [] : query.split(separator: "&", omittingEmptySubsequences: false).map(String.init)
    self.init(scheme: scheme, host: host, port: port, path: path, spelling: pieces)
  }

  private static func checkCharacters(_ text: String) throws(WebURLError) {
    if text.isEmpty { throw WebURLError("it is empty") }
    for byte in text.utf8 {
      switch byte {
      case 0...0x20, 0x7f: throw WebURLError("it contains white space or a control character")
      case 0x80...: throw WebURLError("it contains a character outside ASCII, which must be percent-encoded")
      case UInt8(ascii: "\\"): throw WebURLError("it contains a backslash")
      case UInt8(ascii: "#"): throw WebURLError("it has a fragment (#), which is never sent")
      default: continue
      }
    }
  }

  private static func consumeScheme(_ rest: inout Substring) throws(WebURLError) -> String {
    for scheme in ["https", "http"] {
      let start = rest.prefix(scheme.count + 3)
      if start.lowercased() == scheme + "://" {
        rest = rest.dropFirst(start.count)
        return scheme
      }
    }
    throw WebURLError("the scheme must be https (or http for a loopback address)")
  }

  private static func hostAndPort(_ authority: Substring, scheme: String) throws(WebURLError) -> (String, Int?) {
    guard !authority.utf8.contains(UInt8(ascii: "@")) else {
      throw WebURLError("user information (name@) before the host is not accepted")
    }
    // The colons of an IPv6 address end at its closing bracket.
    let bracket = authority.lastIndex(of: "]").map { authority.index(after: $0) } ?? authority.startIndex
    let colon = authority[bracket...].firstIndex(of: ":")
    let host = authority[..<(colon ?? authority.endIndex)].lowercased()
    try Host.check(host)
    guard let colon else { return (host, nil) }
    let digits = authority[authority.index(after: colon)...]
    guard (1...5).contains(digits.count), digits.utf8.allSatisfy(\.isDigit), digits.first != "0",
      let port = Int(digits), port <= 65_535
    else { throw WebURLError("the port is not a number from 1 to 65535") }
    return (host, port == (scheme == "https" ? 443 : 80) ? nil : port)
  }

  private static func checkPath(_ path: String) throws(WebURLError) {
    guard isEncoded(path, besides: "/:@!$&'()*+,;=") else {
      throw WebURLError("the path contains a character that must be percent-encoded")
    }
    guard !path.split(separator: "/").contains(where: DotSegments.isStep) else {
      throw WebURLError("the path contains a dot segment (. or ..)")
    }
  }

  private static func isEncoded(_ text: some StringProtocol, besides allowed: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.indices.allSatisfy { place in
      let byte = bytes[place]
      if byte == UInt8(ascii: "%") {
        return place + 2 < bytes.count && bytes[place + 1].hexadecimal != nil && bytes[place + 2].hexadecimal != nil
      }
      return byte.isUnreserved || allowed.utf8.contains(byte)
    }
  }
}
