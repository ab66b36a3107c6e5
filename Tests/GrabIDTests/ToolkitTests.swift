import Foundation
import HTTP
import JSON
import PluginProtocol
import Testing
import Text
import World

@testable import GrabID

/// The complete sign-in against django-oauth-toolkit, an independent implementation.
@Suite(.enabled(if: PythonTools.python != nil, Comment(rawValue: PythonTools.requirement)), .serialized)
struct ToolkitTests {
  @Test(arguments: [false, true]) func signsInRefreshesAndSignsOut(grabPaths: Bool) throws {
    let scene = try LiveScene(ProviderProcess.shared.get(), grabPaths: grabPaths)
    let account = try scene.signedIn()
    #expect(account.name == "alice@mail.test" && account.subject == "1")
    #expect(try SessionStatus(of: account, in: scene.world).isValid)
    let fresh = try TokenRefresh(world: scene.world).refreshed(account)
    #expect(fresh.tokens?.access != account.tokens?.access && fresh.tokens?.refresh != account.tokens?.refresh)
    #expect(fresh.generation == 2 && fresh.refreshingSince == nil)
    #expect(try SessionStatus(of: fresh, in: scene.world).isValid, "a refreshed ID token may omit the nonce")
    let ended = try Logout(world: scene.world, isLocal: false, settings: GrabSettings()).end(fresh)
    #expect(ended.revoked && ended.notes.isEmpty)
    #expect(try scene.host.accounts.isEmpty)
    let endpoint = try Discovery(world: scene.world, client: try scene.settings.client()).metadata().tokenEndpoint
    let dead = TokenEndpoint(world: scene.world, client: try scene.settings.client(), url: endpoint)
    let token = try #require(fresh.tokens?.refresh)
    #expect(try scene.event { _ = try dead.refresh(token) } == .refreshRefused)
  }

  @Test func theServersSplitMetadataIsCombined() throws {
    let scene = try LiveScene(ProviderProcess.shared.get())
    let metadata = try Discovery(world: scene.world, client: try scene.settings.client()).metadata()
    #expect(metadata.revocationEndpoint?.path == "/o/revoke_token/", "only in the OAuth document")
    #expect(metadata.userInfoEndpoint?.path == "/o/userinfo/", "only in the OpenID document")
    #expect(metadata.announcesIssuerInRedirect)
  }

  @Test func anIssuerOtherThanThePinnedOneIsRejected() throws {
    let scene = try LiveScene(ProviderProcess.shared.get())
    for issuer in [
      "https://idp.grab.com", scene.party.issuer + "/", scene.party.issuer.replacing("http", with: "HTTP"),
    ] {
      scene.settings.issuer = issuer
      #expect(try scene.event { _ = try scene.signedIn() } == .discoveryUnusable, "\(issuer)")
    }
    #expect(scene.host.openings.isEmpty)
  }

  @Test func aForeignIssuerThatIsPinnedIsAccepted() throws {
    let party = try ProviderProcess("--issuer", "https://idp.grab.com")
    let scene = try LiveScene(party, grabPaths: true)
    scene.settings.issuer = GrabEnvironment.issuer
    #expect(try scene.signedIn().issuer == "https://idp.grab.com")
  }

  @Test func aCodeWorksOnceAndWithItsOwnVerifier() throws {
    let scene = try LiveScene(ProviderProcess.shared.get())
    var returned = ""
    scene.host.person = { opening in
      returned = try scene.party.visit(opening.url, as: "alice")
      return returned
    }
    _ = try scene.signedIn()
    let code = try #require(Percent.items(of: returned)?.first { $0.name == "code" }?.value)
    let client = try scene.settings.client()
    let url = try Discovery(world: scene.world, client: client).metadata().tokenEndpoint
    let endpoint = TokenEndpoint(world: scene.world, client: client, url: url)
    let redirect = try #require(scene.host.openings.first?.redirectURI)
    let replayed = try scene.event {
      _ = try endpoint.redeem(
        code: try #require(Secret(parsing: code)), redirectURI: redirect,
        verifier: PKCE(randomBytes: LiveRandom().bytes(32)).verifier)
    }
    #expect(replayed == .codeRefused)
    // A code for another sign-in does not work in this one.
    let victim = try #require(scene.host.openings.first?.url)
    let thief = try LiveScene(scene.party)
    thief.host.person = { [party = scene.party] opening in
      let stolen = Percent.items(of: try party.visit(victim, as: "bob"))?.first { $0.name == "code" }?.value ?? ""
      return "code=\(stolen)&state=\(opening.state)&iss=\(Percent.encode(party.issuer))"
    }
    #expect(try thief.event { _ = try thief.signedIn() } == .codeRefused)
    #expect(try thief.host.accounts.isEmpty)
  }

  @Test func errorsAreReportedInTheServersWords() throws {
    let scene = try LiveScene(ProviderProcess.shared.get())
    scene.settings.prompt = "none"
    scene.user = nil
    #expect(try scene.event { _ = try scene.signedIn() } == .interactionRequired, "the browser has no session")
    scene.settings.prompt = nil
    scene.user = "alice"
    scene.settings.scope = try Scope(parsing: ["openid", "no-such-scope"])
    #expect(try scene.event { _ = try scene.signedIn() } == .invalidScope)
    #expect(scene.host.pending.isEmpty)
  }

  @Test func twoUsersAreTwoAccounts() throws {
    let scene = try LiveScene(ProviderProcess.shared.get())
    scene.options.isForced = true
    _ = try scene.signedIn()
    scene.user = "bob"
    let bob = try scene.signedIn()
    #expect(bob.name == "bob@mail.test")
    #expect(try scene.host.accounts.map(\.name).sorted() == ["alice@mail.test", "bob@mail.test"])
    scene.options.account = "alice@mail.test"
    #expect(try scene.event { _ = try scene.signedIn() } == .idTokenInvalid, "the browser is still signed in as bob")
  }

  @Test func aRedirectToAnAppsSchemeIsPasted() throws {
    let scene = try LiveScene(ProviderProcess.shared.get())
    scene.settings.redirectURI = try GrabRedirectURI(parsing: "ifttt-grab://signed-in")
    scene.options.printsURL = true
    let login = Login(world: scene.world, client: try scene.settings.client(), options: scene.options)
    guard case .pending(let url, _, _) = try login.run() else { throw FakeHost.Unexpected(what: "?") }
    let query = try scene.party.visit(url, as: "alice")
    let account = try LoginFinish(world: scene.world).account(pasted: "<ifttt-grab://signed-in?\(query)>\n")
    #expect(account.name == "alice@mail.test")
  }

  @Test func aConfidentialClientSendsItsSecretInTheBody() throws {
    let scene = try LiveScene(ProviderProcess.shared.get())
    scene.settings.clientID = "ifttt-secret"
    #expect(try scene.event { _ = try scene.signedIn() } == .clientRefused)
    scene.settings.clientSecret = Secret(parsing: "lamp-oil-42")
    #expect(try scene.signedIn().name == "alice@mail.test")
    #expect(scene.host.rows[GrabSettings.storedSecretName] == "lamp-oil-42", "stored for the next refresh")
  }

  @Test func jsonIsSentIfConfigured() throws {
    let scene = try LiveScene(ProviderProcess.shared.get(), grabPaths: true)
    scene.settings.tokenRequest = .json
    #expect(try scene.signedIn().subject == "1")
  }

  @Test func theServiceConfirmsItsOwnToken() throws {
    let scene = try LiveScene(ProviderProcess.shared.get(), grabPaths: true)
    scene.settings.remoteVerification = .always
    for shape in GrabSettings.TokenInfoRequest.allCases where shape != .form {
      scene.settings.tokenInfoRequest = shape
      scene.options.isForced = true
      #expect(try scene.signedIn().subject == "1", "\(shape)")
    }
    let commands = GrabCommands(world: scene.world) { output in
      guard case .rows(let rows) = output else { throw FakeHost.Unexpected(what: "text") }
      #expect(rows.first?["verified"] == "local+remote" && rows.first?["service"] == "PASSENGER")
      #expect(rows.first?["authentication_contexts"] == ["service:PASSENGER"])
      #expect(rows.first?["partner_id"] == "partner-lampost" && rows.first?["remote"]?["pid"] == "partner-lampost")
    }
    try commands.run(CommandCall("id-token", ["remote": true]))
  }

  @Test func publicInformationIsDecoded() throws {
    let scene = try LiveScene(ProviderProcess.shared.get(), grabPaths: true)
    _ = try scene.signedIn()
    var rows: [JSONValue] = []
    try GrabCommands(world: scene.world) { if case .rows(let more) = $0 { rows = more } }
      .run(CommandCall("apps"))
    #expect(rows.count == 4 && rows[0]["url"] == "grab://open?screenType=PARTNERLOGIN")
    #expect(rows[1]["minimum_version"] == "5.60.0" && rows[2]["kind"] == "store")
  }
}
