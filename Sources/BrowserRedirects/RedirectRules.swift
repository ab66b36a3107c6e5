/// Decides whether what came back from a browser, or was pasted, is the return that is awaited (RFC 8252, section 8; RFC 9700,
/// section 4.4).
struct RedirectRules: Sendable, Equatable {
  /// Of a whole address, in bytes.
  package static let limit = 16 << 10

  /// Scheme, host and port in lower case, and path.
  package let address: RedirectAddress
  package let state: String
  /// The issuer that a return may name (RFC 9207); nil where none is expected.
  var issuer: String?

  package enum Verdict: Equatable {
    /// What stands behind the question mark, as it came.
    case accepted(query: String)
    /// It names another issuer than the one that was asked: the login is mixed up, and over.
    case otherIssuer
    case refused(Stray)
  }

  /// Why something is not the return; the wait goes on.
  enum Stray: Equatable {
    case malformed, elsewhere, inFragment, repeated, state

    package var words: String {
      switch self {
      case .malformed: "it is no address, or a damaged one"
      case .elsewhere: "it is not the address the browser returns to"
      case .inFragment: "its parameters stand behind '#', which no server sees"
      case .repeated: "a parameter stands in it twice"
      case .state: "it does not belong to the sign-in that was begun here"
      }
    }
  }

  /// - Parameter text: one line of what a person pasted: ``judge(_:)`` takes it, or it is the parameters alone, with spaces,
  ///   quotes or angle brackets around it.
  package func judge(pasted text: String) -> Verdict {
    var rest = text.filter { !$0.isNewline && $0 != "\t" }[...]
    let around: Set<Character> = [" ", "\"", "'", "<", ">"]
    while let first = rest.first, around.contains(first) { rest.removeFirst() }
    while let last = rest.last, around.contains(last) { rest.removeLast() }
    let isQuery = ["code=", "state=", "error=", "iss="].contains { rest.hasPrefix($0) }
    return judge((isQuery ? "?" : "") + rest)
  }

  /// - Parameter text: a whole address, or what is behind it from the question mark on.
  package func judge(_ text: String) -> Verdict {
    guard text.utf8.count <= Self.limit, text.utf8.allSatisfy({ 0x21...0x7e ~= $0 }) else {
      return .refused(.malformed)
    }
    let (whole, fragment) = text.split(at: "#")
    let (base, query) = whole.split(at: "?")
    if !base.isEmpty, RedirectAddress(parsing: String(base)) != address { return .refused(.elsewhere) }
    if let fragment, !fragment.isEmpty, fragment != "_=_" {
      return .refused(query == nil ? .inFragment : .malformed)
    }
    return judge(query: query.map(String.init) ?? "")
  }

  package func judge(query: String) -> Verdict {
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

  /// In a time that does not tell where they differ.
  static func areSame(_ one: String, _ other: String) -> Bool {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

/// Where a browser is to return to: no user, no query, no fragment.
struct RedirectAddress: Sendable, Equatable {
  package let scheme: String
  /// Host and port, in lower case; empty for a scheme without.
  let authority: String
  /// Empty and `/` are the same.
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

  /// The port of a loopback address that can be listened at, 0 for any; nil for every other address.
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

  /// Whether the field of a request names this address; its port is left out where it is http's own.
  func isHost(_ field: String?) -> Bool {
    guard let host = field?.lowercased() else { return false }
    return host == authority || "\(host):80" == authority || host == "\(authority):80"
  }

  /// Whether no server of this machine can take it, so that it has to be pasted: a claimed https page, or a scheme of an
  /// app's own.
  package var isElsewhere: Bool { scheme != "http" }
}

/// The parameters of a query, each decoded once (WHATWG URL, application/x-www-form-urlencoded).
struct QueryParameters {
  private var pairs: [(name: String, value: String)] = []

  /// Nil where an escape is cut off or stands for no text.
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
  /// What is before and behind the first of these characters; nothing behind it where it is not there.
  fileprivate func split(at mark: Character) -> (Substring, Substring?) {
    guard let place = firstIndex(of: mark) else { return (self[...], nil) }
    return (self[..<place], self[index(after: place)...])
  }
}
