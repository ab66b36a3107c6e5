import Crypto
import HTTP
import JSON
import PluginProtocol
import Support
import Testing
import World

@testable import GrabID

@Suite struct JWKSCacheTests {
  private func verify(_ scene: Scene, _ text: String) throws {
    let client = try scene.settings.client()
    let metadata = try Discovery(world: scene.world, client: client).metadata()
    let rules = IDTokenRules(issuer: client.issuer, clientID: client.id, now: scene.test.clock.now())
    _ = try JWKSCache(world: scene.world, client: client).verify(text, metadata: metadata, rules: rules)
  }

  @Test func aNewKeyIsFetchedOnceTheSetIsAMinuteOld() throws {
    let scene = try Scene()
    try verify(scene, scene.provider.idToken(nonce: nil))
    scene.provider.key = P256.Signing.PrivateKey()
    scene.provider.keyID = "lamp-2"
    let rotated = scene.provider.idToken(nonce: nil)
    scene.test.clock.advance(by: .seconds(59))
    #expect(throws: IDTokenError.self) { try verify(scene, rotated) }
    #expect(scene.provider.asked("/keys").count == 1, "the set is too recent to be fetched again")
    scene.test.clock.advance(by: .seconds(1))
    try verify(scene, rotated)
    #expect(scene.provider.asked("/keys").count == 2)
  }

  @Test func forgedTokensDoNotCauseAStreamOfRequests() throws {
    let scene = try Scene()
    try verify(scene, scene.provider.idToken(nonce: nil))
    scene.test.clock.advance(by: .seconds(100))
    let real = (scene.provider.key, scene.provider.keyID)
    for number in 0..<20 {
      (scene.provider.key, scene.provider.keyID) = (P256.Signing.PrivateKey(), "forged-\(number)")
      let forged = scene.provider.idToken(nonce: nil)
      (scene.provider.key, scene.provider.keyID) = real
      #expect(throws: IDTokenError.self) { try verify(scene, forged) }
    }
    #expect(scene.provider.asked("/keys").count == 2)
  }

  @Test func aMalformedTokenCausesNoRequest() throws {
    let scene = try Scene()
    #expect(throws: IDTokenError.self) { try verify(scene, "a.b.c") }
    #expect(scene.provider.asked("/keys").isEmpty)
  }

  @Test(arguments: [
    (404, "", "bad_response"), (500, "", "server_error"), (200, "<html>", "bad_response"), (503, "", "server_error"),
  ])
  func withoutKeysNoTokenIsAccepted(_ status: Int, _ body: String, _ code: String) throws {
    let scene = try Scene()
    scene.provider.overrides["/keys"] = { _ in .success(Response(status: status, body: Array(body.utf8))) }
    let failure = try scene.refused(.noKeySet)
    #expect(failure.code.rawValue == code && failure.grab == GrabCode(.exchangeToken, .idTokenInfoServiceFailed))
    #expect(try scene.host.accounts.isEmpty)
  }

  @Test func aServiceWithoutAKeySetIsRejected() throws {
    let scene = try Scene()
    scene.provider.metadata = ["jwks_uri": .null]
    let failure = try scene.refused(.discoveryUnusable)
    #expect(failure.code == .badResponse && failure.grab == GrabCode(.serviceDiscovery, .grabIdServiceFailed))
    #expect(scene.host.openings.isEmpty, "the browser is not opened for an unverifiable service")
    scene.provider.metadata = ["jwks_uri": "http://idp.lampost.test/keys"]
    #expect(try scene.refused(.discoveryUnusable).reason == "its jwks_uri is not an https URL")
  }

  @Test func aPublishedPrivateKeyIsReported() throws {
    let scene = try Scene()
    let real = scene.provider.keySet["keys"]?.array ?? []
    scene.provider.overrides["/keys"] = { _ in
      .success(
        Response(status: 200, body: JSONValue.object(["keys": .array(real + [["kty": "RSA", "d": "AQAB"]])]).bytes))
    }
    try scene.signedIn()
    #expect(
      scene.host.notes.contains {
        $0.level == .warning && $0.text == "the service publishes a private key; it is not used"
      })
  }
}
