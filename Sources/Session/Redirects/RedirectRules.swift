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
    case refused(Stray)
  }

  /// The reason why a URL is not the expected redirect; the wait continues.
  package enum Stray: Equatable {
    case malformed, elsewhere, inFragment, repeated, state

    package var words: String {
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
    let around: Set<Character> = [" ", "\"", "'", "<", ">"]
    while let first = rest.first, around.contains(first) { rest.removeFirst() }
    while let last = rest.last, around.contains(last) { rest.removeLast() }
    let isQuery = ["code=", "state=", "error=", "iss="].contains { rest.hasPrefix($0) }
    return evaluate((isQuery ? "?" : "") + rest)
  }

  /// - Parameter text: a whole URL, or the part of it from the question mark on.
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
    guard let returned = values(of: "state").first, ExactText.sameInConstantTime(returned, state) else {
      return .refused(.state)
    }
    if let issuer, let named = values(of: "iss").first, !ExactText.sameInConstantTime(named, issuer) {
      return .otherIssuer
    }
    return .accepted(query: query)
  }
}
