/// Decides whether a redirect from a browser, or a pasted URL, is the expected one (RFC 8252, section 8; RFC 9700,
/// section 4.4).
struct RedirectRules: Sendable, Equatable {
  /// The length limit of a whole URL, in bytes.
  package static let limit = 16 << 10

  /// The scheme, host and port in lower case, and the path.
  package let address: RedirectAddress
  package let state: String
  /// The issuer that the redirect may contain (RFC 9207); nil if none is expected.
  var issuer: String?

  package enum Verdict: Equatable {
    /// The query without the question mark, as received.
    case accepted(query: String)
    /// The redirect contains a different issuer than the expected one. The sign-in fails, because it may be a mix-up
    /// attack.
    case otherIssuer
    case refused(Stray)
  }

  /// The reason why a URL is not the expected redirect; the wait continues.
  enum Stray: Equatable {
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

  /// - Parameter text: one line of pasted text: a URL as in ``judge(_:)``, or only the parameters, optionally
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
    let (whole, fragment) = text.split(at: "#")
    let (base, query) = whole.split(at: "?")
    if !base.isEmpty, RedirectAddress(parsing: String(base)) != address { return .refused(.elsewhere) }
    if let fragment, !fragment.isEmpty, fragment != "_=_" {
      return .refused(query == nil ? .inFragment : .malformed)
    }
    return evaluate(query: query.map(String.init) ?? "")
  }

  package func evaluate(query: String) -> Verdict {
    guard query.utf8.count <= Self.limit, query.utf8.allSatisfy({ 0x21...0x7e ~= $0 }),
      let parameters = QueryParameters(query)
    else { return .refused(.malformed) }
    for name in ["code", "state", "iss", "error"] where parameters.values(of: name).count > 1 {
      return .refused(.repeated)
    }
    guard let returned = parameters.values(of: "state").first, Self.areSame(returned, state) else {
      return .refused(.state)
    }
    if let issuer, let named = parameters.values(of: "iss").first, !Self.areSame(named, issuer) { return .otherIssuer }
    return .accepted(query: query)
  }

  /// Compares in a time that does not reveal the position of the first difference.
  static func areSame(_ one: String, _ other: String) -> Bool {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

/// A redirect URI without user, query or fragment.
struct RedirectAddress: Sendable, Equatable {
  package let scheme: String
  /// The host and port, in lower case; empty for a scheme without an authority.
  let authority: String
  /// The path; an empty path equals `/`.
  package let path: String

  package init?(parsing text: String) {
    guard !text.isEmpty, text.utf8.allSatisfy({ 0x21...0x7e ~= $0 }),
      !text.utf8.contains(where: { [UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\\")].contains($0) })
    else { return nil }
    let (scheme, rest) = text.split(at: ":")
    guard let rest, let first = scheme.utf8.first, UInt8(ascii: "a")...UInt8(ascii: "z") ~= first | 0x20,
      scheme.utf8.allSatisfy({ byte in
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
          || [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(byte)
      })
    else { return nil }
    self.scheme = scheme.lowercased()
    guard rest.hasPrefix("//") else {
      (authority, path) = ("", String(rest))
      return
    }
    let (authority, path) = rest.dropFirst(2).split(at: "/")
    guard !authority.utf8.contains(UInt8(ascii: "@")) else { return nil }
    self.authority = authority.lowercased()
    self.path = path.map { "/" + $0 } ?? "/"
  }

  /// The host and port of a loopback URL that supports listening, with port 0 for any; nil for every other URL.
  package var loopback: (host: String, port: Int)? {
    guard scheme == "http" else { return nil }
    for host in ["127.0.0.1", "[::1]"] where authority == host || authority.hasPrefix(host + ":") {
      let port = authority.dropFirst(host.utf8.count + 1)
      guard port.isEmpty || port.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
      guard let number = authority == host ? 0 : Int(port), number < 65536 else { return nil }
      return (host, number)
    }
    return nil
  }

  /// Whether the Host header of a request names this address. The header omits the port if it is HTTP's default port.
  func isHost(_ field: String?) -> Bool {
    guard let host = field?.lowercased() else { return false }
    return host == authority || "\(host):80" == authority || host == "\(authority):80"
  }

  /// Whether no server on this machine can receive the redirect, so that it must be pasted: a claimed https page, or
  /// an app's own scheme.
  package var isElsewhere: Bool { scheme != "http" }
}

/// The parameters of a query, each decoded once (WHATWG URL, application/x-www-form-urlencoded).
struct QueryParameters {
  private var pairs: [(name: String, value: String)] = []

  /// Nil if an escape is truncated or does not decode to text.
  package init?(_ query: String) {
    for part in query.utf8.split(separator: UInt8(ascii: "&")) {
      let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decoded(sides[0]), let value = sides.count > 1 ? Self.decoded(sides[1]) : "" else {
        return nil
      }
      pairs.append((name, value))
    }
  }

  package func values(of name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

  private static func decoded(_ text: Substring.UTF8View) -> String? {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(0x20)
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
        bytes.append(high << 4 | low)
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension StringProtocol where SubSequence == Substring {
  /// The text before and after the first occurrence of this character; the second part is nil if there is none.
  fileprivate func split(at mark: Character) -> (Substring, Substring?) {
    guard let place = firstIndex(of: mark) else { return (self[...], nil) }
    return (self[..<place], self[index(after: place)...])
  }
}
