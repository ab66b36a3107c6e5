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
    guard let markIndex = rest.firstIndex(of: mark) else { return nil }
    defer { rest = rest[..<markIndex] }
    return rest[rest.index(after: markIndex)...]
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
      let hostAndPort = at.map { text[text.index(after: $0)...] } ?? text
      let bracket = hostAndPort.lastIndex(of: "]") ?? hostAndPort.startIndex
      let colon = hostAndPort[bracket...].firstIndex(of: ":")
      host = hostAndPort[..<(colon ?? hostAndPort.endIndex)]
      port = colon.map { hostAndPort[hostAndPort.index(after: $0)...] }
    }
  }
}

/// Percent-encoding of one URL component (RFC 3986 §2.1), and of the names and values of queries and forms.
package enum Percent {
  /// The meaning of a plus sign: a space in queries and forms, itself elsewhere.
  package enum Plus { case space, literal }

  /// The treatment of a percent sign that is not followed by two hexadecimal digits.
  package enum InvalidEscape { case rejected, unchanged }

  /// Decodes each escape once.
  /// - Returns: nil for an invalid escape that is rejected.
  package static func bytes(
    of text: some Sequence<UInt8>, plus: Plus, invalidEscape: InvalidEscape = .rejected
  ) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = Array(text)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        if let high = rest.first?.hexadecimal, let low = rest.dropFirst().first?.hexadecimal {
          bytes.append(high << 4 | low)
          rest = rest.dropFirst(2)
        } else if invalidEscape == .unchanged {
          bytes.append(byte)
        } else {
          return nil
        }
      case UInt8(ascii: "+") where plus == .space: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    return bytes
  }

  /// Decodes a text strictly: a malformed sign-in response, for example, must be rejected.
  /// - Returns: nil for an invalid escape or invalid UTF-8.
  package static func decode(_ text: some StringProtocol, plus: Plus) -> String? {
    bytes(of: text.utf8, plus: plus).flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// Decodes a name or value of a query leniently. An invalid escape is kept, and invalid UTF-8 is replaced by U+FFFD.
  package static func decodeQuery(_ text: some StringProtocol) -> String {
    String(decoding: bytes(of: text.utf8, plus: .space, invalidEscape: .unchanged) ?? [], as: UTF8.self)
  }

  /// Decodes the items of a query strictly.
  /// - Returns: nil if one of them is invalid.
  package static func items(of query: some StringProtocol) -> [(name: String, value: String)]? {
    var items: [(name: String, value: String)] = []
    for piece in query.split(separator: "&") {
      let halves = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = decode(halves[0], plus: .space),
        let value = halves.count == 2 ? decode(halves[1], plus: .space) : ""
      else { return nil }
      items.append((name, value))
    }
    return items
  }

  /// Encodes everything but the unreserved characters `A–Z a–z 0–9 - . _ ~`, with uppercase digits.
  package static func encode(_ text: String) -> String {
    String(decoding: encode(bytes: Array(text.utf8)), as: UTF8.self)
  }

  /// Encodes everything but the unreserved characters `A–Z a–z 0–9 - . _ ~`.
  static func encode(bytes: [UInt8], uppercase: Bool = true) -> [UInt8] {
    var encoded: [UInt8] = []
    encoded.reserveCapacity(bytes.count)
    for byte in bytes {
      if byte.isUnreserved {
        encoded.append(byte)
      } else {
        encoded.append(UInt8(ascii: "%"))
        encoded.append((byte >> 4).hexadecimalDigit(uppercase: uppercase))
        encoded.append((byte & 15).hexadecimalDigit(uppercase: uppercase))
      }
    }
    return encoded
  }

  /// Encodes the items as `name=value&…`.
  package static func encode(_ items: [(name: String, value: String)]) -> String {
    items.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
  }
}
