import Encoding
import HTTP

/// An absolute URI of any scheme, split at its delimiters (RFC 3986 §3); nothing is decoded.
package struct AddressParts: Sendable, Hashable {
  /// The scheme in lowercase.
  package let scheme: String
  package let user: String?
  /// The host in lowercase; empty if there is no authority.
  package let host: String
  /// The port; nil if it is the scheme's default.
  package let port: Int?
  package let path: String
  package let query: String?
  package let fragment: String?

  /// Parses a URI; nil if it is not printable ASCII, has no scheme, or has an invalid port.
  package init?(parsing text: String) {
    guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && !#"\<>"`{}|^"#.utf8.contains($0) }),
      let colon = text.firstIndex(of: ":")
    else { return nil }
    let scheme = text[..<colon].lowercased()
    guard let first = scheme.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first),
      scheme.utf8.allSatisfy({ $0.isUnreserved && $0 != 0x5f && $0 != 0x7e || $0 == 0x2b })
    else { return nil }
    var rest = text[text.index(after: colon)...]
    fragment = Self.cut(&rest, at: "#")
    query = Self.cut(&rest, at: "?")
    self.scheme = scheme
    guard rest.hasPrefix("//") else {
      guard !rest.isEmpty || query != nil, scheme != "http", scheme != "https" else { return nil }
      (user, host, port, path) = (nil, "", nil, String(rest))
      return
    }
    let authority = rest.dropFirst(2).prefix { $0 != "/" }
    path = String(rest.dropFirst(2 + authority.count))
    let at = authority.lastIndex(of: "@")
    user = at.map { String(authority[..<$0]) }
    let place = at.map { authority[authority.index(after: $0)...] } ?? authority[...]
    let bracket = place.lastIndex(of: "]") ?? place.startIndex
    guard place.hasPrefix("[") == (place.lastIndex(of: "]") != nil) else { return nil }
    guard let mark = place[bracket...].firstIndex(of: ":") else {
      (host, port) = (place.lowercased(), nil)
      return
    }
    let digits = place[place.index(after: mark)...]
    guard let number = UInt16(digits), !digits.hasPrefix("+"), number > 0 || digits == "0" else { return nil }
    host = place[..<mark].lowercased()
    port = number == (scheme == "https" ? 443 : scheme == "http" ? 80 : 0) ? nil : Int(number)
  }

  /// Removes the text from the mark on, and returns the text after the mark.
  private static func cut(_ rest: inout Substring, at mark: Character) -> String? {
    guard let place = rest.firstIndex(of: mark) else { return nil }
    defer { rest = rest[..<place] }
    return String(rest[rest.index(after: place)...])
  }
}
