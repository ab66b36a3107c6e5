import Text

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
  package var asksForIdentity: Bool { names.contains("openid") }

  package static func == (a: Scope, b: Scope) -> Bool { Set(a.names) == Set(b.names) }
}
