import HTTP
import JSON
import PluginProtocol
import Support
import Testing
import Text
import World

@testable import GrabID

@Suite struct DeviceTests {
  @Test func waitsBeforeEachPoll() {
    var polling = DevicePolling(lifetime: 100, interval: 5)
    #expect(polling.first() == .wait(5))
    #expect(polling.next(status: 400, error: "authorization_pending", elapsed: 5) == .wait(5))
    #expect(polling.next(status: 400, error: "slow_down", elapsed: 10) == .wait(10))
    #expect(polling.next(status: 400, error: "authorization_pending", elapsed: 20) == .wait(10), "the slowdown stays")
    #expect(polling.next(status: nil, error: nil, elapsed: 30) == .wait(20))
    #expect(polling.next(status: nil, error: nil, elapsed: 50) == .wait(40))
    #expect(polling.next(status: 500, error: nil, elapsed: 60) == .wait(20))
    for (index, status) in [408, 425, 429, 503].enumerated() {
      #expect(polling.next(status: status, error: nil, elapsed: 61 + index) == .wait(20), "\(status) is transient")
    }
    #expect(polling.next(status: 200, error: nil, elapsed: 90) == .tokens)
  }

  @Test(
    arguments: [
      (400, "access_denied", DevicePolling.Step.end(.userCancelled)), (400, "expired_token", .end(.redirectTimeout)),
      (401, "invalid_client", .end(.tokenRefused)), (400, nil, .end(.tokenRefused)),
    ] as [(Int, String?, DevicePolling.Step)])
  func responsesEndThePolling(_ status: Int, _ error: String?, _ step: DevicePolling.Step) {
    var polling = DevicePolling(lifetime: 100, interval: 5)
    #expect(polling.next(status: status, error: error, elapsed: 5) == step)
  }

  @Test func endsWhenTheLifetimeExpires() {
    var polling = DevicePolling(lifetime: 20, interval: 5)
    #expect(polling.next(status: 400, error: "authorization_pending", elapsed: 14) == .wait(5))
    #expect(polling.next(status: 400, error: "authorization_pending", elapsed: 15) == .end(.redirectTimeout))
    #expect(DevicePolling(lifetime: 5, interval: 5).first() == .end(.redirectTimeout))
  }

  private func scene(_ response: JSONObject = [:], polls: [String]) throws -> Scene {
    let scene = try Scene()
    scene.options.usesDevice = true
    var grant: JSONObject = [
      "device_code": "the-device-code-of-this-grant", "user_code": "WDJB-MJHT",
      "verification_uri": "https://idp.lampost.test/device",
      "verification_uri_complete": "https://idp.lampost.test/device?user_code=WDJB-MJHT", "expires_in": 60,
    ]
    for member in response.members { grant[member.key] = member.value }
    let bytes = JSONValue.object(grant).bytes
    scene.provider.overrides["/device"] = { _ in .success(Response(status: 200, body: bytes)) }
    var left = polls
    scene.provider.overrides["/token"] = { [provider = scene.provider] _ in
      guard !left.isEmpty else { return nil }
      let error = left.removeFirst()
      return error == "lost"
        ? .failure(TransportError(kind: .broken, message: "", mayHaveArrived: true))
        : .success(provider.refusal(error))
    }
    return scene
  }

  @Test func signsInWithoutANonce() throws {
    let scene = try scene(polls: ["authorization_pending", "slow_down", "lost", "authorization_pending"])
    let account = try scene.signedIn()
    #expect(account.subject == "u-1" && account.nonce == nil)
    #expect(scene.host.waits == [5, 5, 10, 20, 10], "the waits do not count against the timeout")
    #expect(scene.host.opened == ["https://idp.lampost.test/device?user_code=WDJB-MJHT"])
    #expect(scene.host.notes.contains { $0.text == "    WDJB-MJHT" }, "the code is shown, although the URL contains it")
    #expect(!scene.host.noteText.contains("the-device-code-of-this-grant"))
    #expect(scene.host.pending.isEmpty)
    let body = String(decoding: scene.provider.asked("/token")[0].body ?? [], as: UTF8.self)
    #expect(body.contains("device_code=the-device-code-of-this-grant"))
  }

  @Test func everyErrorIsReported() throws {
    #expect(try scene(polls: ["access_denied"]).refused(.userCancelled).code == .userCancelled)
    #expect(try scene(polls: ["expired_token"]).refused(.redirectTimeout).code == .timeout)
    #expect(
      try scene(polls: .init(repeating: "authorization_pending", count: 11)).refused(.redirectTimeout).code == .timeout)
    #expect(try scene(polls: ["invalid_client"]).refused(.clientRefused).code == .unauthorized)
  }

  @Test func theUsersTimeLimitApplies() throws {
    let scene = try scene(polls: .init(repeating: "authorization_pending", count: 20))
    scene.host.greeting.timeout = .seconds(17)
    let failure = try scene.refused(.redirectTimeout)
    #expect(failure.code == .timeout && failure.reason == "--timeout allows 17 s")
    #expect(scene.host.waits == [5, 5, 5], "polls respect the service's interval")
    #expect(scene.host.pending.isEmpty)
  }

  @Test func aLongerLimitDoesNotOutlastTheCode() throws {
    let scene = try scene(polls: .init(repeating: "authorization_pending", count: 20))
    scene.host.greeting.timeout = .seconds(3600)
    #expect(try scene.refused(.redirectTimeout).reason == "the code has expired")
    #expect(scene.host.waits.reduce(0, +) < 60)
  }

  @Test(
    arguments: [
      ["device_code": .null], ["user_code": ""], ["verification_uri": "http://evil.test"], ["expires_in": .null],
      ["expires_in": "60"],
    ] as [JSONObject])
  func rejectsABadGrant(_ response: JSONObject) throws { _ = try scene(response, polls: []).refused(.tokenUnreadable) }

  @Test func isRejectedIfTheServiceDoesNotOfferIt() throws {
    let scene = try scene(polls: [])
    scene.provider.metadata = ["device_authorization_endpoint": .null]
    #expect(try scene.refused(.noDeviceGrant).code == .refused)
  }

  @Test func ctrlCEndsThePolling() throws {
    let scene = try scene(polls: ["authorization_pending"])
    scene.provider.overrides["/token"] = { [provider = scene.provider, test = scene.test] _ in
      test.interruption.interrupt()
      return .success(provider.refusal("authorization_pending"))
    }
    #expect(throws: PluginError.cancelled) { try scene.login() }
    #expect(try scene.host.accounts.isEmpty && scene.host.pending.isEmpty)
  }
}
