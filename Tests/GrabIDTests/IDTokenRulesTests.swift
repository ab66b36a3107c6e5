import JSON
import Testing
import World

@testable import GrabID

/// The rules that apply only to some requests; those of every sign-in are in ``OracleTests``.
@Suite struct IDTokenRulesTests {
  private func rules() -> IDTokenRules {
    IDTokenRules(issuer: "https://idp.lampost.test", clientID: "lampost-cli", now: ForgedToken.now)
  }
  private let now = 1_770_000_000

  @Test func afterARefreshTheNonceIsAbsentOrUnchanged() throws {
    var rules = rules()
    rules.nonce = .absentOr("n-1")
    #expect(try rules.nonce(of: [:]) == nil)
    #expect(try rules.nonce(of: ["nonce": "n-1"]) == "n-1")
    #expect(throws: IDTokenError.self) { try rules.nonce(of: ["nonce": "n-2"]) }
    rules.nonce = .absentOr(nil)
    #expect(throws: IDTokenError.self) { try rules.nonce(of: ["nonce": "n-1"]) }
    rules.nonce = .unchecked
    #expect(try rules.nonce(of: ["nonce": "n-3"]) == "n-3")
  }

  @Test func authenticationMustBeRecentIfRequested() throws {
    var rules = rules()
    rules.maximumAge = .seconds(100)
    #expect(throws: IDTokenError.self) { try rules.checkAuthentication([:]) }
    try rules.checkAuthentication(["auth_time": .init(now - 160)])
    #expect(throws: IDTokenError.self) { try rules.checkAuthentication(["auth_time": .init(now - 161)]) }
  }

  @Test(arguments: [
    #""[\"service:PASSENGER\"]""#, #"["service:PASSENGER","x"]"#, #""service:PASSENGER x""#,
  ])
  func contextsAreReadInEveryForm(_ claim: String) throws {
    var rules = rules()
    rules.requiredContexts = ["service:PASSENGER"]
    try rules.checkAuthentication(["acr": JSONValue(parsing: Array(claim.utf8))])
    rules.requiredContexts = ["service:DRIVER"]
    #expect(throws: IDTokenError.self) {
      try rules.checkAuthentication(["acr": JSONValue(parsing: Array(claim.utf8))])
    }
  }

  @Test func anotherUserIsRejected() throws {
    var rules = rules()
    rules.subject = "u-1"
    #expect(try rules.subject(of: ["sub": "u-1"]) == "u-1")
    #expect(throws: IDTokenError.self) { try rules.subject(of: ["sub": "u-2"]) }
  }
}
