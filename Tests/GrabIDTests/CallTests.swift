import HTTP
import JSON
import Testing
import Text
import World

@testable import GrabID

/// The limits on each request to the service.
@Suite struct CallTests {
  @Test func noRequestOutlastsTheCommandsTimeout() throws {
    let scene = try Scene()
    // One second is reserved for reporting a timeout.
    scene.host.timeLeft = .seconds(8)
    let document = "/.well-known/openid-configuration"
    scene.provider.overrides[document] = { [host = scene.host] _ in
      host.timeLeft = .zero
      return nil
    }
    let login = Login(world: scene.world, client: try scene.settings.client(), options: scene.options)
    let failure = try scene.refused(.noKeySet) { _ = try login.run() }
    #expect(failure.code == .timeout)
    #expect(scene.provider.limits.first == .seconds(7))
    #expect(
      scene.provider.requests.map(\.url.path) == [document], "nothing is begun that could not end in time")
    let late = try scene.refused(.timeLimit) {
      _ = try Discovery(world: scene.world, client: login.client).metadata(isForced: true)
    }
    #expect(late.code == .timeout && late.grab == GrabCode(.serviceDiscovery, .network))
  }

  /// The text of an error response is shown, and must not reveal the credentials of the request.
  @Test func anErrorResponseRevealsNoCredential() throws {
    let scene = try Scene()
    let account = try scene.signedIn()
    let token = try #require(account.tokens?.refresh)
    let body = JSONValue.object(["error": "invalid_request", "error_description": .string("no \(token.revealed)!")])
    scene.provider.overrides["/token"] = { _ in .success(Response(status: 400, body: body.bytes)) }
    let failure = try scene.refused(.tokenRefused) { _ = try TokenRefresh(world: scene.world).refreshed(account) }
    #expect(failure.reason?.contains(token.masked) == true)
    #expect(failure.reason?.contains(token.revealed) == false)
  }

  @Test func aSlowTokenEndpointLosesNoTokens() throws {
    let scene = try Scene()
    // One second is reserved for reporting a timeout.
    scene.host.timeLeft = .seconds(8)
    scene.provider.overrides["/token"] = { [host = scene.host] _ in
      host.timeLeft = .zero
      return nil
    }
    let login = Login(world: scene.world, client: try scene.settings.client(), options: scene.options)
    guard case .signedIn(let account) = try login.run() else { throw FakeHost.Unexpected(what: "no sign-in") }
    #expect(try scene.host.accounts.map(\.key) == [account.key])
  }

  @Test(arguments: [301, 302, 307, 308]) func requestsWithSecretsDoNotFollowRedirects(_ status: Int) throws {
    let scene = try Scene()
    scene.settings.scope = try Scope(parsing: ["openid", "profile"])
    scene.settings.remoteVerification = .always
    scene.provider.claims = ["email": .null]
    let elsewhere = Response(
      status: status, headers: [HeaderField("Location", "\(TestProvider.base)/elsewhere")])
    scene.provider.overrides["/token_info"] = { _ in .success(elsewhere) }
    let failure = try scene.refused(.remoteUnreadable)
    #expect(failure.code == .badResponse && failure.reason == "this request must not be redirected")
    scene.settings.remoteVerification = .never
    scene.provider.overrides["/userinfo"] = { _ in .success(elsewhere) }
    #expect(try scene.signedIn().name == "u-1", "a name does not justify a redirect")
    #expect(scene.provider.asked("/elsewhere").isEmpty)
  }

  @Test func requestsWithoutSecretsFollowRedirects() throws {
    let scene = try Scene()
    let keys = scene.provider.keySet.bytes
    scene.provider.overrides["/keys"] = { _ in
      .success(
        Response(status: 302, headers: [HeaderField("Location", "\(TestProvider.base)/newer-keys")]))
    }
    scene.provider.overrides["/newer-keys"] = { _ in .success(Response(status: 200, body: keys)) }
    #expect(try scene.signedIn().subject == "u-1")
  }
}
