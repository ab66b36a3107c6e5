package import HTTP
import Text

/// A registered client and its service: complete settings.
package struct GrabClient: Sendable {
  package let settings: GrabSettings
  package let id: String
  package let discoveryURL: WebURL
  /// The pinned issuer, which the service's metadata and every token must name.
  package let issuer: String
  package let scope: Scope

  init(_ settings: GrabSettings) throws(GrabError) {
    guard let id = settings.clientID, !id.isEmpty else {
      throw GrabError(
        .noClientID, "no client id is set",
        hint:
          "Pass --client-id, set IFTTT_GRAB_CLIENT_ID, or read it from an app with --from-plist or --from-manifest.",
        in: .loadConfiguration)
    }
    // VSCHAR of RFC 6749 Appendix A.1.
    guard id.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else {
      throw GrabError(.badSetting, "the client id contains an invalid character")
    }
    let text = settings.discoveryURL ?? GrabEnvironment.production.discoveryURL
    do { discoveryURL = try WebURL(parsing: text) } catch {
      throw GrabError(
        .badDiscoveryURL, "the discovery URL cannot be used: \(error)",
        hint: "Pass --discovery-url or --environment production|staging.", in: .serviceDiscovery)
    }
    guard let issuer = settings.issuer ?? GrabEnvironment.issuer(of: text), !issuer.isEmpty else {
      throw GrabError(
        .badSetting, "no issuer is known for this discovery URL",
        hint: "Pass --issuer with the exact issuer of the service's tokens.")
    }
    self.id = id
    self.issuer = issuer
    scope = settings.scope ?? .standard
    self.settings = settings
  }

  /// `production`, `staging`, or the host of another service.
  package var environmentName: String { GrabEnvironment.named(by: discoveryURL.wire)?.rawValue ?? discoveryURL.host }

  package var algorithms: Set<SignatureAlgorithm> {
    SignatureAlgorithm.allowedByDefault.union(settings.moreAlgorithms)
  }

  package var allowance: Duration {
    min(.seconds(settings.clockAllowance ?? 60), IDTokenRules.longestAllowance)
  }
}

/// One of Grab's environments for partners (GrabPartnerUrls of the JavaScript client).
package enum GrabEnvironment: String, Sendable, CaseIterable {
  case production, staging

  /// The issuer of all Grab environments (docs/api/grab.md GU1). It is not a prefix of any discovery URL, so it is
  /// pinned here and can be configured.
  package static let issuer = "https://idp.grab.com"

  var base: String {
    switch self {
    case .production: "https://partner-api.grab.com/grabid/v1/oauth2"
    case .staging: "https://partner-api.stg-myteksi.com/grabid/v1/oauth2"
    }
  }

  package var discoveryURL: String { base + Self.discoveryPath }

  /// The issuer for a discovery URL of Grab, including the environments for Grab's own employees; nil for any other
  /// URL.
  package static func issuer(of discoveryURL: String) -> String? {
    let bases =
      allCases.map(\.base) + [
        "https://api.grab.com/grabid/v1/oauth2", "https://api.stg-myteksi.com/grabid/v1/oauth2",
      ]
    return bases.contains { ExactText.same($0 + discoveryPath, discoveryURL) } ? issuer : nil
  }

  package static func named(by discoveryURL: String) -> GrabEnvironment? {
    allCases.first { ExactText.same($0.discoveryURL, discoveryURL) }
  }

  private static let discoveryPath = "/.well-known/openid-configuration"
}

/// The requested scopes: a set of names, compared as a set and case-sensitively (RFC 6749 §3.3), in the order typed.
package struct Scope: Sendable, Equatable {
  package let names: [String]

  package static let standard = Scope(unchecked: ["openid"])

  private init(unchecked names: [String]) { self.names = names }

  /// Parses scopes.
  /// - Parameter texts: names; one text may contain several, separated by spaces.
  /// - Throws: ``GrabError``.
  package init(parsing texts: [String]) throws(GrabError) {
    var names: [String] = []
    for name in texts.flatMap({ $0.split(separator: " ") }).map(String.init) {
      // %x21 / %x23-5B / %x5D-7E
      guard name.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != 0x22 && $0 != 0x5c }) else {
        throw GrabError(.emptyScope, "a scope contains an invalid character")
      }
      if !names.contains(name) { names.append(name) }
    }
    guard !names.isEmpty else {
      throw GrabError(.emptyScope, "the scope is empty", hint: "Omit --scope to request only openid.")
    }
    self.names = names
  }

  package var text: String { names.joined(separator: " ") }
  package var requestsIdentity: Bool { names.contains("openid") }

  package static func == (a: Scope, b: Scope) -> Bool { Set(a.names) == Set(b.names) }
}

/// One pair of `acr_values` in Grab's form: `service:PASSENGER` (docs/api/grab.md GC5: the key as typed).
package struct ACRValue: Sendable, Hashable {
  package let key: String
  package let value: String

  /// Creates a pair.
  /// - Throws: ``GrabError`` for a key or value that would change the meaning of the whole parameter.
  package init(key: String, value: String) throws(GrabError) {
    func bad(_ why: String) -> GrabError {
      GrabError(.badSetting, "--acr-value \(why)", hint: "Use KEY:VALUE, such as --acr-value service:PASSENGER.")
    }
    guard !key.isEmpty, !value.isEmpty else { throw bad("needs a key and a value") }
    guard key.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: ":") }) else {
      throw bad("has a key with a space or a colon in it")
    }
    guard value.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7f }) else {
      throw bad("has a value with a space in it")
    }
    (self.key, self.value) = (key, value)
  }

  package init(parsing text: String) throws(GrabError) {
    let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    try self.init(key: halves[0], value: halves.count == 2 ? halves[1] : "")
  }

  package var text: String { "\(key):\(value)" }
}

/// A redirect URI: a loopback address, a claimed https address, or an app's own scheme (RFC 8252).
package struct GrabRedirectURI: Sendable, Hashable {
  package enum Kind: Sendable { case loopback, https, custom }

  package let text: String
  package let kind: Kind
  let parts: GrabURI

  /// The default path of the listener.
  package static let path = "/callback"

  /// Parses a redirect URI.
  /// - Throws: ``GrabError`` with one of the events for redirect URIs.
  package init(parsing text: String) throws(GrabError) {
    guard !text.isEmpty else {
      throw GrabError(
        .badRedirectURI, "the redirect URI is empty", hint: "Omit --redirect-uri to listen on this machine.")
    }
    guard let parts = GrabURI(parsing: text) else {
      throw GrabError(
        .unparsableRedirectURI, "the redirect URI is not an absolute URL",
        hint: "Pass the URL that is registered for the client, such as --redirect-uri http://127.0.0.1/callback.")
    }
    func bad(_ why: String) -> GrabError {
      GrabError(
        .badRedirectURI, "the redirect URI \(why)", hint: "Pass another registered one with --redirect-uri.")
    }
    guard parts.fragment == nil else { throw bad("has a fragment (RFC 6749 §3.1.2)") }
    guard !parts.path.utf8.contains(UInt8(ascii: "*")) else {
      throw bad("is a pattern; pass the URL itself")
    }
    switch parts.scheme {
    case "http":
      guard ["127.0.0.1", "[::1]", "localhost"].contains(parts.host), parts.user == nil else {
        throw bad("uses http with a host other than 127.0.0.1, [::1] and localhost")
      }
      kind = .loopback
    case "https":
      guard !parts.host.isEmpty, parts.user == nil else { throw bad("has no host, or contains a user name") }
      kind = .https
    case "javascript", "data", "file", "about", "blob", "ftp", "mailto", "vbscript", "ws", "wss":
      throw bad("has the scheme \(parts.scheme), which is not allowed")
    default: kind = .custom
    }
    (self.text, self.parts) = (text, parts)
  }

  /// Whether a URI differs from this redirect URI only in its query and fragment. The case of scheme and host is ignored.
  func matches(_ uri: GrabURI) -> Bool {
    uri.user == nil && uri.scheme == parts.scheme && uri.host == parts.host && uri.port == parts.port
      && ExactText.same(uri.path, parts.path)
  }
}

/// An absolute URI of any scheme that a sign-in accepts. Nothing is decoded.
package struct GrabURI: Sendable, Hashable {
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
    let parts = URLParts(text)
    guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && !#"\<>"`{}|^"#.utf8.contains($0) }),
      let scheme = parts.scheme
    else { return nil }
    (self.scheme, path) = (scheme, String(parts.path))
    (query, fragment) = (parts.query.map(String.init), parts.fragment.map(String.init))
    guard let authority = parts.authority.map(URLParts.Authority.init) else {
      guard !parts.path.isEmpty || parts.query != nil, scheme != "http", scheme != "https" else { return nil }
      (user, host, port) = (nil, "", nil)
      return
    }
    (user, host) = (authority.user.map(String.init), authority.host.lowercased())
    guard host.hasPrefix("[") == host.utf8.contains(UInt8(ascii: "]")) else { return nil }
    guard let digits = authority.port else {
      port = nil
      return
    }
    guard let number = UInt16(digits), !digits.hasPrefix("+"), number > 0 || digits == "0" else { return nil }
    port = number == (scheme == "https" ? 443 : scheme == "http" ? 80 : 0) ? nil : Int(number)
  }
}
