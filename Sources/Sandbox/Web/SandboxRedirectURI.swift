/// The redirect URI of an activation.
struct SandboxRedirectURI {
  /// The URI as received.
  let text: String

  /// - Throws: The 400 page, if the browser cannot be redirected to the URI or if it is not a registered one.
  init(parsing text: String, _ rules: WebRules) throws(WebPageError) {
    let bytes = text.utf8
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), let first = bytes.first, isLetter(first),
      bytes[..<colon].allSatisfy(isOfScheme)
    else { throw .badReturn("It does not begin with a scheme, such as https:") }
    guard bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else {
      throw .badReturn("It contains a space or a control character")
    }
    let scheme = String(text[..<colon]).lowercased()
    let rest = text[colon...].dropFirst()
    switch scheme {
    case "http":
      guard Self.isLoopback(rest) else { throw .badReturn("Plain http is allowed only for a loopback address") }
    case "https":
      guard rest.hasPrefix("//"), rest.utf8.count > 2 else { throw .badReturn("It has no host") }
    case "javascript", "data", "file", "blob", "about", "view-source", "vbscript":
      throw .badReturn("Redirects to this scheme are not allowed")
    default: break
    }
    if let registered = rules.registered, !registered.contains(text) {
      throw .badReturn("It is not exactly one of the registered URLs")
    }
    self.text = text
  }

  /// The URI with a result appended to its query, before its fragment (U14), encoded for a header.
  func location(_ result: String?, inFragment: Bool = false) -> String {
    guard let result else { return Self.encoded(text) }
    let hash = text.firstIndex(of: "#") ?? text.endIndex
    if inFragment { return Self.encoded(String(text[..<hash])) + "#" + result }
    let base = String(text[..<hash])
    let separator: String
    if base.utf8.contains(UInt8(ascii: "?")) {
      separator = base.hasSuffix("?") || base.hasSuffix("&") ? "" : "&"
    } else {
      separator = "?"
    }
    return Self.encoded(base) + separator + result + Self.encoded(String(text[hash...]))
  }

  private static func isLoopback(_ rest: Substring) -> Bool {
    guard rest.hasPrefix("//") else { return false }
    let authority = rest.dropFirst(2).prefix { !"/?#\\".contains($0) }
    let host = authority.hasPrefix("[") ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
    let tail = authority.dropFirst(host.count)
    guard tail.isEmpty || (tail.first == ":" && tail.dropFirst().utf8.allSatisfy(isDigit)) else { return false }
    return ["127.0.0.1", "[::1]", "localhost"].contains(host.lowercased())
  }

  /// The text with all characters percent-encoded that a header cannot contain or a URL should not contain.
  private static func encoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    let unsafe = Array("\"<>\\^`{|}".utf8)
    let bytes = text.utf8.flatMap { byte in
      byte < 0x7f && !unsafe.contains(byte)
        ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

private func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

private func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 }

private func isOfScheme(_ byte: UInt8) -> Bool {
  isLetter(byte) || isDigit(byte) || [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(byte)
}
