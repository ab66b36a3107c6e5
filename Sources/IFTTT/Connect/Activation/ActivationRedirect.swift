package import HTTP
package import Text

/// The result of an activation, from the browser's redirect (docs/api/activation.md §5).
package enum ActivationRedirect: Sendable, Equatable {
  case complete(token: Secret?)
  case accountCreationFailed
  case authorizationFailed(AuthorizationFailure)
  /// Canceled on IFTTT's configuration screen.
  case cancelled
  /// The Connect URL's redirect, which is not known to carry any information (docs/api/activation.md U12).
  case back
  case unknown(Unknown)

  /// The part of signing in that failed.
  package enum AuthorizationFailure: Sendable, Equatable {
    case partnerSignIn, identityNotVerified, appCouldNotFinish
    /// An unknown error type.
    case other(String)
    /// No error type was sent.
    case unexplained

    init(onWire word: String?) {
      self =
        switch word {
        case nil, "": .unexplained
        case "auth_error": .partnerSignIn
        case "verification_failed": .identityNotVerified
        case "connection_request_failed": .appCouldNotFinish
        case let word?: .other(word)
        }
    }
  }

  /// The reason a redirect is not recognized.
  package enum Unknown: Sendable, Equatable {
    case noStep
    case step(String)
    /// All parameters came after `#`, which browsers do not send to a server.
    case behindFragment
    /// A percent sign without its digits, or bytes that are not text.
    case damaged
  }
}

/// A redirect URL, compared with the expected one.
package enum RedirectParser: Sendable, Equatable {
  case accepted(ActivationRedirect)
  case refused(Difference)

  /// The part that differs from the expected URL.
  package enum Difference: Sendable, Equatable {
    case noURL, scheme, host, path
    /// Part of the expected query is missing, as in an old redirect or one for another activation.
    case query
  }

  /// - Parameter text: the whole URL from the browser.
  package init(_ text: String, at address: RedirectURI, of page: ActivationPage) {
    guard let parts = RedirectParts(text) else {
      self = .refused(.noURL)
      return
    }
    let difference: Difference? =
      parts.scheme != address.scheme
      ? .scheme : parts.authority != address.authority ? .host : parts.path != address.path ? .path : nil
    if let difference {
      self = .refused(difference)
      return
    }
    var items = parts.query
    for expected in address.items {
      let index = items.firstIndex { item in
        RawQueryItem.decoded(item.name) == expected.name
          && (item.value == nil ? expected.value == nil : item.value.flatMap(RawQueryItem.decoded) == expected.value)
      }
      guard let index else {
        self = .refused(.query)
        return
      }
      items.remove(at: index)
    }
    self = .accepted(ActivationRedirect(items, hasFragment: !(parts.fragment ?? "").isEmpty, of: page))
  }
}

extension ActivationRedirect {
  /// - Parameter items: the query items that do not belong to the redirect URI itself. If several have the same name,
  ///   the first counts.
  fileprivate init(_ items: [RawQueryItem], hasFragment: Bool, of page: ActivationPage) {
    do throws(Damage) {
      func text(_ name: String) throws(Damage) -> String? {
        guard let spelled = items.first(where: { $0.name == name })?.value else { return nil }
        guard let text = RawQueryItem.decoded(spelled), text.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else {
          throw Damage()
        }
        return text
      }
      switch try text("next_step") {
      case nil where items.isEmpty && hasFragment, "" where items.isEmpty && hasFragment:
        self = .unknown(.behindFragment)
      // No source says what the Connect URL's redirect carries. Without `next_step`, it only means that the browser
      // returned (docs/api/activation.md U12).
      case nil, "": self = page == .connect ? .back : .unknown(.noStep)
      case "complete":
        let token = try text("user_token") ?? ""
        guard token.isEmpty || Secret(parsing: token) != nil else { throw Damage() }
        self = .complete(token: Secret(parsing: token))
      case "error":
        let word = try text("error_type")
        self = word == "account_creation" ? .accountCreationFailed : .authorizationFailed(.init(onWire: word))
      case "user_cancelled_configuration": self = .cancelled
      case let step?: self = .unknown(.step(step))
      }
    } catch {
      self = .unknown(.damaged)
    }
  }

  private struct Damage: Error {}
}

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
  /// - Precondition: the name and the value consist of unreserved characters.
  package func expecting(_ name: String, _ value: String) -> RedirectURI {
    let mark = text.utf8.contains(UInt8(ascii: "?")) ? (text.hasSuffix("?") || text.hasSuffix("&") ? "" : "&") : "?"
    var copy = self
    copy.text += "\(mark)\(name)=\(value)"
    copy.items.append(Item(name: name, value: value))
    return copy
  }
}

/// The components of a redirect URL of any scheme, in the form in which redirects are compared. Nothing is decoded.
struct RedirectParts {
  /// In lower case.
  let scheme: String
  /// In lower case, without the scheme's default port; nil if absent.
  let authority: String?
  /// A lone `/` after an authority is the empty path.
  let path: String
  let query: [RawQueryItem]
  let fragment: Substring?

  /// Nil for text without a scheme, or with white space or a control character.
  init?(_ text: String) {
    let parts = URLParts(text)
    guard text.unicodeScalars.allSatisfy({ $0.value > 0x20 && !(0x7f...0x9f ~= $0.value) }), let scheme = parts.scheme
    else { return nil }
    self.scheme = scheme
    authority = parts.authority.map { Self.withoutDefaultPort($0.lowercased(), scheme) }
    path = parts.authority != nil && parts.path == "/" ? "" : String(parts.path)
    query = (parts.query ?? "").split(separator: "&").map(RawQueryItem.init)
    fragment = parts.fragment
  }

  private static func withoutDefaultPort(_ authority: String, _ scheme: String) -> String {
    for (name, port) in [("http", ":80"), ("https", ":443")] where scheme == name && authority.hasSuffix(port) {
      return String(authority.dropLast(port.count))
    }
    return authority
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
  static func decoded(_ text: Substring) -> String? { Percent.decode(text, plus: .literal) }
}
