import HTTP
import Text

/// Decides whether a redirect from a browser, or a pasted URL, is the expected one (RFC 8252, section 8; RFC 9700,
/// section 4.4).
package struct RedirectRules: Sendable, Equatable {
  /// The length limit of a whole URL, in bytes.
  package static let limit = 16 << 10

  /// The scheme, host and port in lower case, and the path.
  package let address: RedirectAddress
  package let state: String
  /// The issuer that the redirect may contain (RFC 9207); nil if none is expected.
  var issuer: String?

  package init(address: RedirectAddress, state: String, issuer: String? = nil) {
    (self.address, self.state, self.issuer) = (address, state, issuer)
  }

  package enum Verdict: Equatable {
    /// The query without the question mark, as received.
    case accepted(query: String)
    /// The redirect contains a different issuer than the expected one. The sign-in fails, because it may be a mix-up
    /// attack.
    case otherIssuer
    case refused(Mismatch)
  }

  /// The reason why a URL is not the expected redirect; the wait continues.
  package enum Mismatch: Equatable {
    case malformed, elsewhere, inFragment, repeated, state

    package var description: String {
      switch self {
      case .malformed: "it is not a valid URL"
      case .elsewhere: "its address is not the redirect URI"
      case .inFragment: "its parameters follow '#', which is not sent to servers"
      case .repeated: "a parameter is repeated"
      case .state: "it does not belong to the sign-in that was started here"
      }
    }
  }

  /// - Parameter text: one line of pasted text: a URL as in ``evaluate(_:)``, or only the parameters, optionally
  ///   surrounded by spaces, quotes or angle brackets.
  package func evaluate(pasted text: String) -> Verdict {
    var rest = text.filter { !$0.isNewline && $0 != "\t" }[...]
    let delimiters: Set<Character> = [" ", "\"", "'", "<", ">"]
    while let first = rest.first, delimiters.contains(first) { rest.removeFirst() }
    while let last = rest.last, delimiters.contains(last) { rest.removeLast() }
    let isQuery = ["code=", "state=", "error=", "iss="].contains { rest.hasPrefix($0) }
    return evaluate((isQuery ? "?" : "") + rest)
  }

  /// - Parameter text: a whole URL, or its query with the question mark.
  package func evaluate(_ text: String) -> Verdict {
    guard text.utf8.count <= Self.limit, text.utf8.allSatisfy({ 0x21...0x7e ~= $0 }) else {
      return .refused(.malformed)
    }
    let parts = URLParts(text)
    let isQuery = parts.scheme == nil && parts.authority == nil && parts.path.isEmpty
    if !isQuery, RedirectAddress(parts) != address { return .refused(.elsewhere) }
    if let fragment = parts.fragment, !fragment.isEmpty, fragment != "_=_" {
      return .refused(parts.query == nil ? .inFragment : .malformed)
    }
    return evaluate(query: parts.query.map(String.init) ?? "")
  }

  package func evaluate(query: String) -> Verdict {
    guard query.utf8.count <= Self.limit, query.utf8.allSatisfy({ 0x21...0x7e ~= $0 }),
      let items = Percent.items(of: query)
    else { return .refused(.malformed) }
    func values(of name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }
    for name in ["code", "state", "iss", "error"] where values(of: name).count > 1 { return .refused(.repeated) }
    guard let receivedState = values(of: "state").first, ExactText.sameInConstantTime(receivedState, state) else {
      return .refused(.state)
    }
    if let issuer, let receivedIssuer = values(of: "iss").first,
      !ExactText.sameInConstantTime(receivedIssuer, issuer)
    {
      return .otherIssuer
    }
    return .accepted(query: query)
  }
}

/// A redirect URI without user, query or fragment.
package struct RedirectAddress: Sendable, Equatable {
  package let scheme: String
  /// The host and port, in lower case; empty for a scheme without an authority.
  let authority: String
  /// The path; an empty path equals `/`.
  package let path: String

  package init?(parsing text: String) {
    guard text.utf8.allSatisfy({ 0x21...0x7e ~= $0 }) else { return nil }
    let parts = URLParts(text)
    guard parts.query == nil, parts.fragment == nil else { return nil }
    self.init(parts)
  }

  /// The address in a URL of printable ASCII characters. The query and the fragment are ignored.
  init?(_ parts: URLParts) {
    let address = [parts.authority, parts.path].compactMap(\.self)
    guard let scheme = parts.scheme, !address.contains(where: { $0.utf8.contains(UInt8(ascii: "\\")) }),
      parts.authority?.utf8.contains(UInt8(ascii: "@")) != true
    else { return nil }
    self.scheme = scheme
    authority = parts.authority?.lowercased() ?? ""
    path = parts.authority != nil && parts.path.isEmpty ? "/" : String(parts.path)
  }

  /// The host and port of a loopback URL that supports listening, with port 0 for any; nil for every other URL.
  package var loopback: (host: String, port: Int)? {
    guard scheme == "http" else { return nil }
    let parts = URLParts.Authority(authority[...])
    guard !LoopbackAddress.Host.named(parts.host).isEmpty else { return nil }
    let port = parts.port ?? "0"
    guard port.utf8.allSatisfy(\.isDigit), let number = Int(port), number < 65536 else { return nil }
    return (String(parts.host), number)
  }

  /// The origins of URLs that support listening, in words.
  static let loopbackOrigins = "http://127.0.0.1, http://[::1] or http://localhost"

  /// Whether the Host header of a request names this address. The header omits the port if it is HTTP's default port.
  func isHost(_ field: String?) -> Bool {
    guard let host = field?.lowercased() else { return false }
    return host == authority || "\(host):80" == authority || host == "\(authority):80"
  }

  /// Whether no server on this machine can receive the redirect, so that it must be pasted: a claimed https page, or
  /// an app's own scheme.
  package var isElsewhere: Bool { scheme != "http" }
}
