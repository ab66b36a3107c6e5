import HTTP
import JSON
import Support
import Testing
import World

@testable import GrabID

@Suite struct DiscoveryTests {
  private static let path = "/.well-known/openid-configuration"

  private func metadata(_ scene: Scene) throws -> ProviderMetadata {
    try Discovery(world: scene.world, client: try scene.settings.client()).metadata()
  }

  @Test(
    arguments: [
      ["issuer": .null], ["issuer": 5], ["issuer": "https://IDP.lampost.test"], ["issuer": "https://idp.lampost.test/"],
      ["issuer": "https://evil.test"], ["authorization_endpoint": .null], ["authorization_endpoint": 5],
      ["authorization_endpoint": "http://idp.lampost.test/authorize"], ["token_endpoint": .null],
      ["token_endpoint": "https://idp.lampost.test/token#x"], ["token_endpoint": "https://u:p@idp.lampost.test/token"],
      ["token_endpoint": "/token"], ["token_endpoint": "http://localhost:5/token"],
    ] as [JSONObject])
  func rejectsUnusableMetadata(_ change: JSONObject) throws {
    let scene = try Scene()
    scene.provider.metadata = change
    let failure = try scene.refused(.discoveryUnusable)
    #expect(
      failure.code == .badResponse && failure.grab?.reference == "(GrabID serviceDiscovery/grabIdServiceFailed 0)")
    #expect(scene.host.rows.isEmpty, "nothing is stored")
  }

  @Test(arguments: [
    (200, "<html>", GrabEvent.discoveryUnusable, ProblemCode.badResponse),
    (200, "[]", .discoveryUnusable, .badResponse),
    (200, #"{"issuer":"a","issuer":"b"}"#, .discoveryUnusable, .badResponse), (404, "", .discoveryStatus, .badResponse),
    (500, "", .discoveryStatus, .serverError), (503, "", .unavailable, .serverError),
    (429, "", .tooManyRequests, .rateLimited),
  ])
  func reportsOtherResponses(_ status: Int, _ body: String, _ event: GrabEvent, _ code: ProblemCode) throws {
    let scene = try Scene()
    scene.provider.overrides[Self.path] = { _ in .success(Response(status: status, body: Array(body.utf8))) }
    #expect(try scene.refused(event).code == code)
  }

  @Test(arguments: [
    (TransportError.Kind.resolve, GrabEvent.noConnection), (.connect, .noConnection), (.tls, .tlsFailed),
    (.timeout, .timeLimit), (.tooLarge, .discoveryUnusable), (.offline, .noConnection),
  ])
  func reportsTransportErrors(_ kind: TransportError.Kind, _ event: GrabEvent) throws {
    let scene = try Scene()
    let failure = TransportError(kind: kind, message: "as the library says", mayHaveArrived: true)
    scene.provider.overrides[Self.path] = { _ in .failure(failure) }
    let found = try scene.refused(event)
    #expect(found.reason == (kind == .tooLarge ? "no response in a sign-in is that long" : "as the library says"))
    #expect(found.hint != nil, "the error has a hint")
    if event != .discoveryUnusable { #expect(found.grab == GrabCode(.serviceDiscovery, .network)) }
  }

  @Test func isCachedBetweenFiveMinutesAndADay() throws {
    for (header, seconds) in [
      ("max-age=600", 600), ("no-store", 300), ("max-age=1", 300), ("public, max-age=9999999", 86_400),
    ] {
      let scene = try Scene()
      scene.provider.metadata = ["device_authorization_endpoint": .null]
      let document = try #require(scene.provider.documentBytes)
      scene.provider.overrides[Self.path] = { _ in
        .success(Response(status: 200, headers: [.init("Cache-Control", header)], body: document))
      }
      _ = try metadata(scene)
      scene.test.clock.advance(by: .seconds(seconds - 1))
      _ = try metadata(scene)
      #expect(scene.provider.asked(Self.path).count == 1, "\(header)")
      scene.test.clock.advance(by: .seconds(1))
      _ = try metadata(scene)
      #expect(scene.provider.asked(Self.path).count == 2, "\(header)")
      #expect(scene.provider.asked("/.well-known/oauth-authorization-server").count == 2, "both documents are fetched")
    }
  }

  @Test func theSecondDocumentFillsGapsOnlyForTheSameIssuer() {
    let first: JSONObject = ["issuer": "https://a.test", "token_endpoint": "https://a.test/t"]
    let second: JSONObject = [
      "issuer": "https://a.test", "token_endpoint": "https://b.test/t", "revocation_endpoint": "https://a.test/r",
    ]
    let whole = Discovery.completed(first, by: second)
    #expect(whole["token_endpoint"] == "https://a.test/t" && whole["revocation_endpoint"] == "https://a.test/r")
    var foreign = second
    foreign["issuer"] = "https://b.test"
    #expect(Discovery.completed(first, by: foreign) == first)
  }

  @Test func aServiceMustSupportS256OrNotAnnounceMethods() throws {
    let scene = try Scene()
    scene.provider.metadata = ["code_challenge_methods_supported": ["plain"]]
    _ = try scene.refused(.discoveryUnusable)
    let silent = try Scene()
    silent.provider.metadata = ["code_challenge_methods_supported": .null]
    silent.settings.requiresPKCE = true
    _ = try silent.refused(.discoveryUnusable)
    silent.settings.requiresPKCE = nil
    try silent.signedIn()
    #expect(silent.host.notes.contains { $0.text.hasPrefix("the service does not advertise whether it supports PKCE") })
  }

  @Test func hostsAreReportedOnceAndWhenTheyChange() throws {
    let scene = try Scene()
    scene.options.isForced = true
    try scene.signedIn()
    try scene.signedIn()
    #expect(scene.host.notes.count { $0.text.hasPrefix("signing in at https://idp.lampost.test") } == 1)
    scene.provider.metadata = ["token_endpoint": "https://other.test/token"]
    scene.test.clock.advance(by: .seconds(400))
    try scene.signedIn()
    #expect(
      scene.host.notes.last?.text
        == "the service's hosts have changed: signing in at https://idp.lampost.test, https://other.test")
  }

  @Test func grabsURLsHaveGrabsIssuer() throws {
    var settings = GrabSettings()
    settings.clientID = "x"
    #expect(try settings.client().issuer == "https://idp.grab.com" && settings.client().environmentName == "production")
    settings.discoveryURL = GrabEnvironment.staging.discoveryURL
    #expect(try settings.client().issuer == "https://idp.grab.com" && settings.client().environmentName == "staging")
    settings.discoveryURL = "https://idp.grab.com.evil.test/.well-known/openid-configuration"
    #expect(throws: GrabError.self) { try settings.client() }
    settings.discoveryURL = "http://partner-api.grab.com/x"
    let error = #expect(throws: GrabError.self) { try settings.client() }
    #expect(error?.event == .badDiscoveryURL)
  }
}
