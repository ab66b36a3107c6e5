import Crypto
import HTTP
import JSON
import PluginProtocol
import Support
import Testing
import Text
import World

@testable import GrabID

/// Failures between spending a refresh token and saving the new tokens. The service rotates refresh tokens: reusing a
/// spent token ends the sign-in, so each failure is followed by a refresh that must succeed.
@Suite struct SpentTokenTests {
  /// A signed-in account whose keys are cached, and stale if requested.
  private func scene(keysAreStale: Bool = false) throws -> (Scene, Account) {
    let scene = try Scene()
    let account = try scene.signedIn()
    if keysAreStale { scene.test.clock.advance(by: .seconds(400)) }
    scene.provider.requests = []
    return (scene, account)
  }

  private func row(_ scene: Scene) throws -> Account { try #require(try scene.host.accounts.first) }

  private func refresh(_ scene: Scene) throws -> Account {
    try TokenRefresh(world: scene.world).refreshed(try row(scene))
  }

  private func expectUsable(_ scene: Scene, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let fresh = try refresh(scene)
    #expect(fresh.accessIsValid(at: scene.world.now) && !fresh.isUnverified, sourceLocation: sourceLocation)
    #expect(fresh.tokens?.refresh?.revealed == scene.provider.refreshToken, sourceLocation: sourceLocation)
    #expect(try row(scene).stored == fresh.stored, sourceLocation: sourceLocation)
    #expect(try SessionStatus(of: fresh, in: scene.world).isValid, sourceLocation: sourceLocation)
  }

  /// Checks the state after a response that could not be verified.
  private func expectUnverified(_ scene: Scene, _ before: Account, sourceLocation: SourceLocation = #_sourceLocation)
    throws
  {
    let left = try row(scene)
    #expect(left.isUnverified && left.refreshingSince == nil, sourceLocation: sourceLocation)
    #expect(left.tokens?.refresh?.revealed == scene.provider.refreshToken, sourceLocation: sourceLocation)
    #expect(left.tokens?.id == before.tokens?.id, "only verified ID tokens are stored", sourceLocation: sourceLocation)
    #expect(!left.accessIsValid(at: scene.world.now), sourceLocation: sourceLocation)
    #expect(left.refreshIsDue(at: scene.world.now), sourceLocation: sourceLocation)
    #expect(try SessionStatus(of: left, in: scene.world).access == .unverified, sourceLocation: sourceLocation)
    #expect(scene.host.held.isEmpty, sourceLocation: sourceLocation)
  }

  /// Refreshes while the provider has a fault, which must leave a usable refresh token, and again without the fault.
  private func expectTokenKept<Value>(
    despite fault: ReferenceWritableKeyPath<TestProvider, Value>, _ value: Value,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let (scene, account) = try scene()
    let normal = scene.provider[keyPath: fault]
    scene.provider[keyPath: fault] = value
    #expect(throws: GrabError.self, sourceLocation: sourceLocation) { _ = try refresh(scene) }
    try expectUnverified(scene, account, sourceLocation: sourceLocation)
    scene.provider[keyPath: fault] = normal
    try expectUsable(scene, sourceLocation: sourceLocation)
  }

  // MARK: Before the token is spent

  @Test(
    arguments: [
      .success(Response(status: 503)), .success(Response(status: 200, body: Array("<html>".utf8))),
      .failure(TransportError(kind: .resolve, message: "no such host", mayHaveArrived: false)),
    ] as [Result<Response, TransportError>])
  func staleKeysThatCannotBeFetchedSpendNothing(_ response: Result<Response, TransportError>) throws {
    let (scene, account) = try scene(keysAreStale: true)
    scene.provider.overrides["/keys"] = { _ in response }
    _ = try scene.refused(.noKeySet) { _ = try refresh(scene) }
    #expect(scene.provider.asked("/token").isEmpty)
    #expect(try row(scene).stored == account.stored)
    scene.provider.overrides["/keys"] = nil
    try expectUsable(scene)
  }

  @Test func aServiceThatLostItsKeySetSpendsNothing() throws {
    let (scene, account) = try scene()
    scene.provider.metadata = ["jwks_uri": .null]
    scene.test.clock.advance(by: .seconds(90_000))
    _ = try scene.refused(.noKeySet) { _ = try refresh(scene) }
    #expect(scene.provider.asked("/token").isEmpty)
    #expect(try row(scene).stored == account.stored)
  }

  @Test func keysAreFetchedBeforeTheTokenIsSpent() throws {
    let (scene, _) = try scene(keysAreStale: true)
    try expectUsable(scene)
    let order = scene.provider.requests.map(\.url.path).filter { ["/keys", "/token"].contains($0) }
    #expect(order == ["/keys", "/token"])
  }

  // MARK: Spent but not verified

  @Test(
    arguments: [
      .success(Response(status: 503)), .success(Response(status: 200, body: Array("{}".utf8))),
      .failure(TransportError(kind: .resolve, message: "no such host", mayHaveArrived: false)),
      .failure(TransportError(kind: .timeout, message: "too slow", mayHaveArrived: true)),
    ] as [Result<Response, TransportError>])
  func anUnavailableRotatedKeyKeepsTheRefreshToken(_ response: Result<Response, TransportError>) throws {
    let (scene, account) = try scene()
    scene.test.clock.advance(by: .seconds(100))
    scene.provider.key = P256.Signing.PrivateKey()
    scene.provider.keyID = "lamp-2"
    scene.provider.overrides["/keys"] = { _ in response }
    let failure = try scene.refused(.noKeySet) { _ = try refresh(scene) }
    #expect(failure.hint?.text.contains("ifttt grab refresh") == true)
    try expectUnverified(scene, account)
    scene.provider.overrides["/keys"] = nil
    scene.test.clock.advance(by: .seconds(400))
    try expectUsable(scene)
  }

  @Test(
    arguments: [
      ["sub": "u-2"], ["aud": "someone-else"], ["azp": "lampost-cli"], ["nonce": "another"], ["iat": 1_769_999_000],
      ["iss": "https://evil.test"], ["at_hash": "AAAAAAAAAAAAAAAAAAAAAA"], ["exp": 1],
    ] as [JSONObject])
  func aTokenThatFailsACheckKeepsTheRefreshToken(_ claims: JSONObject) throws {
    try expectTokenKept(despite: \.claims, claims)
  }

  /// A successful but invalid response still contains the only valid refresh token.
  @Test(
    arguments: [
      ["access_token": .null], ["token_type": "mac"], ["token_type": .null], ["expires_in": "soon"],
      ["id_token": 7], ["id_token": .string(String(repeating: "a", count: 20_000))], ["id_token": "not.a.token"],
    ] as [JSONObject])
  func anUnreadableResponseKeepsTheRefreshToken(_ response: JSONObject) throws {
    try expectTokenKept(despite: \.tokenResponse, response)
  }

  @Test func aDuplicateMemberKeepsTheRefreshToken() throws {
    // The service's own response, with a duplicate member.
    try expectTokenKept(despite: \.amend["/token"]) { response in
      var response = response
      response.body = Array(#"{"scope":"openid","scope":"openid","#.utf8) + response.body.dropFirst()
      return response
    }
  }

  @Test func anUnverifiedAccountWithoutANewIDTokenStaysUnverified() throws {
    let (scene, _) = try scene()
    scene.provider.claims = ["sub": "u-2"]
    #expect(throws: GrabError.self) { _ = try refresh(scene) }
    scene.provider.claims = [:]
    scene.provider.tokenResponse = ["id_token": .null]
    _ = try scene.refused(.idTokenInvalid) { _ = try refresh(scene) }
    #expect(try row(scene).isUnverified)
    #expect(try row(scene).tokens?.refresh?.revealed == scene.provider.refreshToken)
  }

  // MARK: Ctrl-C

  @Test func ctrlCWhileTheTokenIsSpentTakesEffectAfterSaving() throws {
    let (scene, _) = try scene()
    scene.provider.amend["/token"] = { [test = scene.test] response in
      test.interruption.interrupt()
      return response
    }
    let fresh = try refresh(scene)
    #expect(try row(scene).tokens?.refresh?.revealed == scene.provider.refreshToken)
    #expect(try row(scene).stored == fresh.stored && scene.world.interruption.isInterrupted)
  }

  @Test func ctrlCBeforeKeysAreFetchedAgainKeepsTheRefreshToken() throws {
    let (scene, account) = try scene()
    scene.test.clock.advance(by: .seconds(100))
    scene.provider.key = P256.Signing.PrivateKey()
    scene.provider.keyID = "lamp-2"
    var writes = 0
    scene.host.beforeChange = { [test = scene.test] names in
      writes += names.contains(account.storedName) ? 1 : 0
      if writes == 2 { test.interruption.interrupt() }
    }
    #expect(throws: PluginError.cancelled) { _ = try refresh(scene) }
    try expectUnverified(scene, account)
  }

  // MARK: The store

  @Test func aStoreThatFailsAfterSpendingReceivesTheTokensAsObtained() throws {
    let (scene, account) = try scene()
    let before = scene.host.obtained.count
    var writes = 0
    scene.host.beforeChange = { names in
      guard names.contains(account.storedName) else { return }
      writes += 1
      if writes == 2 { throw FakeHost.readOnly }
    }
    #expect(throws: FakeHost.readOnly) { _ = try refresh(scene) }
    #expect(scene.host.obtained.dropFirst(before) == [[account.storedName]], "the host writes a recovery file")
    #expect(scene.provider.asked("/token").count == 1 && scene.host.held.isEmpty)
  }

  @Test func aStoreThatFailsAfterVerificationHasTheTokens() throws {
    let (scene, account) = try scene()
    var writes = 0
    scene.host.beforeChange = { names in
      guard names.contains(account.storedName) else { return }
      writes += 1
      if writes == 3 { throw FakeHost.readOnly }
    }
    #expect(throws: FakeHost.readOnly) { _ = try refresh(scene) }
    try expectUnverified(scene, account)
    scene.host.beforeChange = { _ in }
    try expectUsable(scene)
  }

  @Test func rowsOfEarlierVersionsCountAsVerified() throws {
    let (_, account) = try scene()
    let old = try #require(Account(stored: account.stored.replacing(#","unverified":false"#, with: "")))
    #expect(!old.isUnverified && old.stored == account.stored)
  }
}
