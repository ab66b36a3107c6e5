import HTTP
import Text

/// One request in an activation: the parameters of its URL, and the form input so far.
struct Visit {
  enum Kind {
    case access, connect, embedded
    /// The page on which a configuration is edited.
    case edit
  }

  let request: Request
  let kind: Kind
  /// The connection or Applet to enable.
  var subject: SeededConnection
  let query: [QueryItem]
  /// The submitted form; empty on the first request.
  var form: [QueryItem]
  /// The path and query to which forms are submitted.
  let target: String
  let redirectURI: SandboxRedirectURI?
  /// Warnings about parts of the query that other parsers may read differently.
  let warnings: [String]

  /// - Throws: The page that lists the missing parameters.
  init(
    _ kind: Kind, _ subject: SeededConnection, _ request: Request, target: String?, _ rules: WebRules
  ) throws(WebPageError) {
    (self.kind, self.subject, self.request, query) = (kind, subject, request, request.url.query)
    self.target = target ?? String(request.url.wire.dropFirst(request.url.origin.utf8.count))
    warnings = target.map(Self.warnings) ?? []
    form = request.method == .post ? formItems(request.body ?? []) : []
    let name = kind == .access ? "sdk_return_to" : "redirect_uri"
    let text = query.last { $0.name == name }?.value ?? ""
    redirectURI = text.isEmpty ? nil : try SandboxRedirectURI(parsing: text, rules)
    switch kind {
    case .access where redirectURI == nil, .embedded where redirectURI == nil: throw .missing(name)
    case .connect where redirectURI == nil && skipsConfiguration:
      throw .missing(name, "With skip_config=true, a redirect URL is required.")
    case .embedded where value("user_id") == nil: throw .missing("user_id")
    case .access where value("email") == nil && value("username") == nil,
      .connect where value("email") == nil && value("username") == nil:
      throw .missing("email", "The URL requires an email or a username.")
    default: break
    }
  }

  /// The value of a query parameter; nil if it is missing or empty.
  func value(_ name: String) -> String? {
    query.last { $0.name == name && !$0.value.isEmpty }?.value
  }

  /// The value of a form input; nil if it is missing or empty.
  func filled(_ name: String) -> String? {
    form.last { $0.name == name && !$0.value.isEmpty }?.value
  }

  /// The id of the service that owns the connection or Applet.
  var owner: String { subject.connection.services.first?.slug ?? "" }

  var skipsConfiguration: Bool { kind != .embedded && value("skip_config") == "true" }

  /// Warnings about plus signs, which forms decode as spaces but other parsers do not, and about invalid escapes.
  private static func warnings(_ target: String) -> [String] {
    let query = target.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()
    return query.split(separator: UInt8(ascii: "&")).flatMap { item -> [String] in
      let name = String(Substring(item.prefix { $0 != UInt8(ascii: "=") }))
      var warnings: [String] = []
      if item.contains(UInt8(ascii: "+")) {
        warnings.append(
          "\(name) contains a raw “+”, which is decoded as a space here. Write %2B for a plus, %20 for a space.")
      }
      if hasInvalidEscape(in: item) { warnings.append("\(name) contains a “%” that is not an escape.") }
      return warnings
    }
  }

  private static func hasInvalidEscape(in item: Substring.UTF8View) -> Bool {
    item.indices.contains { index in
      guard item[index] == UInt8(ascii: "%") else { return false }
      return
        !(item[index...].dropFirst().prefix(2).count == 2
        && item[index...].dropFirst().prefix(2).allSatisfy { $0.hexadecimal != nil })
    }
  }
}

/// The redirect URI of an activation.
struct SandboxRedirectURI {
  /// The URI as received.
  let text: String

  /// - Throws: The 400 page, if the browser cannot be redirected to the URI or if the URI is not registered.
  init(parsing text: String, _ rules: WebRules) throws(WebPageError) {
    let bytes = text.utf8
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), let first = bytes.first, first.isLetter,
      bytes[..<colon].allSatisfy(isSchemeCharacter)
    else { throw .unusableRedirectURI("It does not begin with a scheme, such as https:") }
    guard bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else {
      throw .unusableRedirectURI("It contains a space or a control character")
    }
    let scheme = String(text[..<colon]).lowercased()
    let rest = text[colon...].dropFirst()
    switch scheme {
    case "http":
      guard Self.isLoopback(rest) else {
        throw .unusableRedirectURI("Plain http is allowed only for a loopback address")
      }
    case "https":
      guard rest.hasPrefix("//"), rest.utf8.count > 2 else { throw .unusableRedirectURI("It has no host") }
    case "javascript", "data", "file", "blob", "about", "view-source", "vbscript":
      throw .unusableRedirectURI("Redirects to this scheme are not allowed")
    default: break
    }
    if let registered = rules.registered, !registered.contains(text) {
      throw .unusableRedirectURI("It is not exactly one of the registered URLs")
    }
    self.text = text
  }

  /// The URI with a result appended to its query, before its fragment (docs/api/activation.md U14), encoded for a
  /// header.
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
    guard tail.isEmpty || (tail.first == ":" && tail.dropFirst().utf8.allSatisfy(\.isDigit)) else { return false }
    return ["127.0.0.1", "[::1]", "localhost"].contains(host.lowercased())
  }

  /// The text with all characters percent-encoded that a header cannot contain or a URL should not contain.
  private static func encoded(_ text: String) -> String {
    let unsafe = Array("\"<>\\^`{|}".utf8)
    let bytes = text.utf8.flatMap { byte in
      byte < 0x7f && !unsafe.contains(byte) ? [byte] : Array("%\(String(hex: byte, width: 2, uppercase: true))".utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

private func isSchemeCharacter(_ byte: UInt8) -> Bool {
  byte.isLetterOrDigit || "+-.".utf8.contains(byte)
}
