import Text

extension WebURL {
  /// - Throws: ``WebURLError``. Its message names the invalid part and repeats none of the text, which may contain a
  ///   credential.
  package init(parsing text: String) throws(WebURLError) {
    try WebURL.checkCharacters(text)
    let parts = URLParts(text)
    guard let scheme = parts.scheme, ["https", "http"].contains(scheme), let authority = parts.authority else {
      throw WebURLError("the scheme must be https (or http for a loopback address)")
    }
    let (host, port) = try WebURL.hostAndPort(authority, scheme: scheme)
    if scheme == "http", !Host.isLoopback(host) {
      throw WebURLError(
        "the scheme is http, which is accepted only for a loopback address (127.0.0.0/8, [::1], localhost)")
    }
    let path = String(parts.path)
    try WebURL.checkPath(path)
    let query = parts.query ?? ""
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
