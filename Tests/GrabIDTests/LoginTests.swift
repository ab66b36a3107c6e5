import HTTP
import JSON
import PluginProtocol
import Support
import Testing
import Text
import World

@testable import GrabID

@Suite struct LoginTests {
  @Test func signsInAndStoresTheAccount() throws {
    let scene = try Scene()
    let account = try scene.signedIn()
    #expect(account.name == "u-1@mail.test" && account.subject == "u-1" && account.generation == 1)
    #expect(scene.host.bound == ["http://127.0.0.1:0/callback"])
    #expect(scene.host.finished == [true])
    #expect(scene.host.pending == [])
    #expect(try scene.host.accounts.map(\.key) == [account.key])
    let opening = try #require(scene.host.openings.first)
    #expect(opening.redirectURI == "http://127.0.0.1:51234/callback")
    let exchange = try #require(scene.provider.asked("/token").first)
    let body = String(decoding: exchange.body ?? [], as: UTF8.self)
    #expect(exchange.url.query.isEmpty, "the URL has no query")
    #expect(
      body.hasPrefix("grant_type=authorization_code&code=code-1&redirect_uri=http%3A%2F%2F127.0.0.1%3A51234%2Fcallback")
    )
    let verifier = try #require(Percent.items(of: body)?.first { $0.name == "code_verifier" }?.value)
    let challenge = PKCE(verifier: try #require(Secret(parsing: verifier))).challenge
    #expect(
      Percent.items(of: opening.url.split(separator: "?")[1])?.contains { $0 == ("code_challenge", challenge) }
        == true)
  }

  @Test func theURLHasTheParametersInOrder() throws {
    let scene = try Scene()
    scene.settings.scope = try Scope(parsing: ["openid", "profile.read"])
    scene.settings.acrValues = [
      try ACRValue(parsing: "service:PASSENGER"), try ACRValue(parsing: "consent_ctx:countryCode=SG,currency=SGD"),
    ]
    scene.settings.loginHint = "a+b/c&prompt=none #%ü"
    scene.settings.prompt = "login"
    scene.settings.parameters = [("device_id", "x y")]
    scene.provider.metadata = ["authorization_endpoint": .string("\(TestProvider.base)/authorize?tenant=a%20b")]
    try scene.signedIn()
    let url = try #require(scene.host.openings.first?.url)
    #expect(url.hasPrefix("\(TestProvider.base)/authorize?tenant=a%20b&client_id=lampost-cli&code_challenge="))
    let names = (Percent.items(of: url.split(separator: "?")[1]) ?? []).map(\.name)
    #expect(
      names == [
        "tenant", "client_id", "code_challenge", "code_challenge_method", "nonce", "redirect_uri", "response_type",
        "state", "scope", "login_hint", "prompt", "acr_values", "device_id",
      ])
    #expect(
      url.hasSuffix(
        "&scope=openid%20profile.read&login_hint=a%2Bb%2Fc%26prompt%3Dnone%20%23%25%C3%BC&prompt=login"
          + "&acr_values=service%3APASSENGER%20consent_ctx%3AcountryCode%3DSG%2Ccurrency%3DSGD&device_id=x%20y"))
  }

  @Test func everySignInHasItsOwnSecrets() throws {
    let scene = try Scene()
    scene.options.isForced = true
    try scene.signedIn()
    try scene.signedIn()
    let urls = scene.host.openings.map { Percent.items(of: $0.url.split(separator: "?")[1]) ?? [] }
    for name in ["state", "nonce", "code_challenge"] {
      let values = urls.map { $0.first { $0.name == name }?.value ?? "" }
      #expect(Set(values).count == 2 && values.allSatisfy { $0.utf8.count == 43 }, "\(name)")
    }
  }

  @Test func aValidSessionIsUsedOffline() throws {
    let scene = try Scene()
    try scene.signedIn()
    let sent = scene.provider.requests.count
    guard case .stillSignedIn(let account) = try scene.login() else { throw FakeHost.Unexpected(what: "a sign-in") }
    #expect(account.subject == "u-1" && scene.provider.requests.count == sent)
    scene.test.clock.advance(by: .seconds(601))
    #expect(try scene.signedIn().generation == 2, "an expired session opens the browser again")
    scene.settings.scope = try Scope(parsing: ["openid", "phone"])
    #expect(try scene.signedIn().requestedScopes == ["openid", "phone"], "other scopes require a new session")
  }

  @Test func anotherUserIsAnotherAccount() throws {
    let scene = try Scene()
    try scene.signedIn()
    scene.options.isForced = true
    scene.provider.subject = "u-2"
    #expect(try scene.signedIn().name == "u-2@mail.test")
    #expect(try scene.host.accounts.count == 2)
    #expect(scene.host.notes.contains { $0.text.hasSuffix("as an additional account") })
    scene.options.account = "u-1@mail.test"
    let before = scene.host.rows
    let failure = try scene.refused(.idTokenInvalid)
    #expect(failure.details.map(\.parameter) == ["sub"])
    #expect(scene.host.rows == before, "no account was replaced")
  }

  @Test func theBrowserIsNotOpenedIfTheStoreIsReadOnly() throws {
    let scene = try Scene()
    scene.host.beforeChange = { names in
      if names.contains(where: { $0.hasPrefix("pending/") }) { throw FakeHost.readOnly }
    }
    #expect(throws: FakeHost.readOnly) { try scene.login() }
    #expect(scene.host.openings.isEmpty && scene.provider.asked("/token").isEmpty)
  }

  @Test func aLoginCanBeFinishedByAnotherProcess() throws {
    let scene = try Scene()
    scene.options.printsURL = true
    guard case .pending(let url, let redirectURI, _) = try scene.login() else { throw FakeHost.Unexpected(what: "?") }
    #expect(scene.host.openings.isEmpty && scene.host.bound.isEmpty && scene.host.pending.count == 1)
    #expect(redirectURI == "http://127.0.0.1/callback")
    let row = try #require(scene.host.rows[scene.host.pending[0]])
    #expect(row.contains("verifier") && !scene.host.pending[0].contains("="))
    let back = "http://127.0.0.1/callback?" + scene.provider.authorize(url)
    let account = try LoginFinish(world: scene.world).account(pasted: " '\(back)'\n ")
    #expect(account.subject == "u-1" && scene.host.pending == [])
    let again = try scene.refused(.noPendingLogin) { _ = try LoginFinish(world: scene.world).account(pasted: back) }
    #expect(again.code == .notFound)
    #expect(scene.provider.asked("/token").count == 1, "the code is spent only once")
  }

  @Test func onlyOneOfTwoProcessesFinishesALogin() throws {
    let scene = try Scene()
    scene.options.printsURL = true
    guard case .pending(let url, _, _) = try scene.login() else { throw FakeHost.Unexpected(what: "?") }
    let back = "?" + scene.provider.authorize(url)
    let name = scene.host.pending[0]
    var reads = 0
    scene.host.beforeReading = { read in
      // Another process takes the row between this process's read and its take.
      if read == name { reads += 1 }
      if reads == 3 { scene.host.rows[name] = nil }
    }
    _ = try scene.refused(.noPendingLogin) { _ = try LoginFinish(world: scene.world).account(pasted: back) }
    #expect(scene.provider.asked("/token").isEmpty)
  }

  @Test func aPendingLoginExpiresAfterElevenMinutes() throws {
    let scene = try Scene()
    scene.options.printsURL = true
    guard case .pending(let url, _, _) = try scene.login() else { throw FakeHost.Unexpected(what: "?") }
    let back = "?" + scene.provider.authorize(url)
    scene.test.clock.advance(by: .seconds(660))
    _ = try scene.refused(.noPendingLogin) { _ = try LoginFinish(world: scene.world).account(pasted: back) }
    #expect(scene.host.pending == [], "an expired pending login is removed")
  }

  @Test func customSchemesAreNeitherBoundNorGivenAPort() throws {
    let scene = try Scene()
    scene.settings.redirectURI = try GrabRedirectURI(parsing: "grablampost://signed-in?x=1")
    try scene.signedIn()
    #expect(scene.host.bound.isEmpty)
    let opening = try #require(scene.host.openings.first)
    #expect(opening.redirectURI == "grablampost://signed-in", "the program compares only the address")
    #expect(
      Percent.items(of: opening.url.split(separator: "?")[1])?.contains { $0.value == "grablampost://signed-in?x=1" }
        == true)
    scene.options.isForced = true
    scene.options.port = 4000
    _ = try scene.refused(.badSetting)
  }

  @Test func notesAndErrorsContainNoSecrets() throws {
    let scene = try Scene()
    scene.provider.tokenResponse = ["token_type": "mac"]
    let failure = try scene.refused(.tokenUnreadable)
    let shown = scene.host.noteText + failure.pluginError.value.description
    let body = String(decoding: scene.provider.asked("/token")[0].body ?? [], as: UTF8.self)
    let secrets = (Percent.items(of: body) ?? []).filter { ["code", "code_verifier"].contains($0.name) }
    #expect(secrets.count == 2)
    for secret in secrets { #expect(!shown.contains(secret.value)) }
    #expect(!shown.contains("access-token-number"))
  }
}
