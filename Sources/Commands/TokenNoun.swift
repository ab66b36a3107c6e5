package import CommandLine
package import Session

extension Node {
  package static var token: Node {
    .group("token", summary: "Get, store and verify user tokens", heading: "Setup") {
      [
        .verb(TokenExchange.self),
        .verb(TokenList.self),
        .verb(TokenShow.self),
        .verb(TokenSet.self),
        .verb(TokenRemove.self),
        .verb(TokenVerify.self),
      ]
    }
  }
}

extension ValueKind<String> {
  /// The id of a user whose token is stored. The empty id selects the token that was stored without one.
  static var tokenUser: ValueKind { .text("USER", completion: .dynamic("token-user")) }
}
