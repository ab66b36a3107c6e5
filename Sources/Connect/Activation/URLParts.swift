/// The components of a URL of any scheme (RFC 3986, section 3), not decoded.
struct URLParts {
  /// In lower case.
  let scheme: String
  /// In lower case, without the scheme's default port; nil if absent.
  let authority: String?
  /// A lone `/` is the empty path.
  let path: String
  /// Split at each `&`; nil if there is no `?`.
  let query: [Substring]?
  let fragment: Substring?

  /// Nil for text without a scheme, or with white space or a control character.
  init?(_ text: String) {
    guard text.unicodeScalars.allSatisfy({ $0.value > 0x20 && !(0x7f...0x9f ~= $0.value) }),
      let colon = text.firstIndex(of: ":"), URLParts.isScheme(text[..<colon])
    else { return nil }
    scheme = text[..<colon].lowercased()
    var rest = text[text.index(after: colon)...]
    var fragment: Substring?
    if let hash = rest.firstIndex(of: "#") {
      fragment = rest[rest.index(after: hash)...]
      rest = rest[..<hash]
    }
    self.fragment = fragment
    var query: [Substring]?
    if let mark = rest.firstIndex(of: "?") {
      let text = rest[rest.index(after: mark)...]
      query = text.split(separator: "&", omittingEmptySubsequences: true)
      rest = rest[..<mark]
    }
    self.query = query
    guard rest.hasPrefix("//") else {
      (authority, path) = (nil, String(rest))
      return
    }
    let name = rest.dropFirst(2).prefix { $0 != "/" }
    authority = URLParts.plain(name.lowercased(), scheme)
    let below = rest.dropFirst(2 + name.count)
    path = below == "/" ? "" : String(below)
  }

  private static func plain(_ authority: String, _ scheme: String) -> String {
    for (name, port) in [("http", ":80"), ("https", ":443")] where scheme == name && authority.hasSuffix(port) {
      return String(authority.dropLast(port.count))
    }
    return authority
  }

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, (first | 0x20) >= 0x61, (first | 0x20) <= 0x7a else { return false }
    return text.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20) || byte == UInt8(ascii: "+")
        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
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
  static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }
}
