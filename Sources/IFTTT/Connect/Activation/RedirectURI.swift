package import HTTP

/// The URL the browser is redirected to at the end of an activation: on this machine, a developer's page, or a custom
/// scheme.
package struct RedirectURI: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// On this machine, where the listener receives the redirect.
    case loopback(host: String, port: Int?)
    /// A page elsewhere, or a program registered for the scheme. The redirect must be passed on to this program.
    case elsewhere
  }

  /// The text as it is used in a URL.
  package private(set) var text: String
  package let kind: Kind
  let scheme: String
  let authority: String?
  let path: String
  /// The items that a redirect must contain, decoded, in any order.
  private(set) var items: [Item]

  struct Item: Equatable {
    var name: String
    var value: String?
  }

  /// - Throws: ``WebURLError`` if a redirect to it could not be recognized: no scheme, a fragment, or a user name.
  ///   Also throws for plain http to another machine.
  package init(parsing text: String) throws(WebURLError) {
    guard let parts = RedirectParts(text), text.utf8.allSatisfy({ $0 < 0x80 }) else {
      throw WebURLError("it is not a URL: it needs a scheme and a colon, and only ASCII characters without whitespace")
    }
    guard parts.fragment == nil else {
      throw WebURLError("it has a fragment (#), which is not sent to servers")
    }
    var kind = Kind.elsewhere
    switch parts.scheme {
    case "http", "https":
      let url = try WebURL(parsing: text)
      if url.scheme == "http" { kind = .loopback(host: url.host, port: url.port) }
    case "javascript", "data", "file", "about", "blob", "view-source":
      throw WebURLError("no program can receive a redirect to the scheme \(parts.scheme)")
    default:
      if parts.authority?.utf8.contains(UInt8(ascii: "@")) == true {
        throw WebURLError("user information (name@) before the host is not accepted")
      }
    }
    guard let items = RedirectURI.items(of: parts) else {
      throw WebURLError("a percent sign in its query is not followed by two hexadecimal digits")
    }
    (self.text, self.kind, self.items) = (text, kind, items)
    (scheme, authority, path) = (parts.scheme, parts.authority, parts.path)
  }

  /// The decoded items of a query; nil if one of them is malformed.
  static func items(of parts: RedirectParts) -> [Item]? {
    var items: [Item] = []
    for item in parts.query {
      guard let name = RawQueryItem.decoded(item.name) else { return nil }
      guard let spelled = item.value else {
        items.append(Item(name: name, value: nil))
        continue
      }
      guard let value = RawQueryItem.decoded(spelled) else { return nil }
      items.append(Item(name: name, value: value))
    }
    return items
  }

  /// The same URI with one more required item.
  /// - Parameters: made of unreserved characters only.
  package func expecting(_ name: String, _ value: String) -> RedirectURI {
    let mark = text.utf8.contains(UInt8(ascii: "?")) ? (text.hasSuffix("?") || text.hasSuffix("&") ? "" : "&") : "?"
    var copy = self
    copy.text += "\(mark)\(name)=\(value)"
    copy.items.append(Item(name: name, value: value))
    return copy
  }
}
