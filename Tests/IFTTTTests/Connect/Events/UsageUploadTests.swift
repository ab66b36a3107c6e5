import HTTP
import IFTTT
import Testing
import Text

@Suite struct UsageUploadTests {
  @Test func requestMatchesReference() throws {
    let identity = SDKIdentity(
      version: "0.1.0", anonymousID: try #require(Secret(parsing: "0b56f5d9-6f0c-4a5e-9a2e-3f0c5a1b2c3d")))
    let upload = UsageUpload(base: try WebURL(parsing: "https://connect.ifttt.com"), identity: identity)
    let request = upload.request([Array(#"{"name":"sdk.click"}"#.utf8), Array(#"{"name":"sdk.impression"}"#.utf8)])
    #expect(request.method == .post)
    #expect(request.url.wire == "https://connect.ifttt.com/v2/sdk/events")
    #expect(
      request.headers.map { "\($0.name): \($0.wire)" } == [
        "Accept: application/json", "IFTTT-SDK-Version: 0.1.0", "IFTTT-SDK-Platform: ifttt-cli",
        "IFTTT-SDK-Anonymous-Id: 0b56f5d9-6f0c-4a5e-9a2e-3f0c5a1b2c3d", "Content-Type: application/json",
      ])
    #expect(
      String(decoding: request.body ?? [], as: UTF8.self)
        == #"{"events":[{"name":"sdk.click"},{"name":"sdk.impression"}]}"#)
    #expect(!request.isRepeatable)
  }

  /// The id grants no access, but must not appear in a log or on another host.
  @Test func idIsMaskedAndNotRedirectedElsewhere() throws {
    let id = try #require(Secret(parsing: "0b56f5d9-6f0c-4a5e-9a2e-3f0c5a1b2c3d"))
    let template = RequestTemplate(
      base: try WebURL(parsing: "https://connect.ifttt.com"), authentication: .anonymous, inviteCode: nil,
      identity: SDKIdentity(version: "0.1.0", anonymousID: id))
    let request = template.get(["v2", "me"])
    #expect(request.headers.map(\.redacted).contains("0b56…2c3d"))
    let away = Response(status: 302, headers: [.init("Location", "https://elsewhere.test/")])
    guard case .follow(let next) = Redirect.decide(request, away, followed: 0) else {
      Issue.record("the redirect must be followed")
      return
    }
    #expect(next.header("IFTTT-SDK-Anonymous-Id") == nil)
  }

  @Test func accountLookupHasNoIdentity() throws {
    let identity = SDKIdentity(version: "0.1.0", anonymousID: try #require(Secret(parsing: "an-id")))
    let template = RequestTemplate(
      base: try WebURL(parsing: "https://connect.ifttt.com"), authentication: .anonymous, inviteCode: nil,
      identity: identity)
    let client = ConnectClient(caller: .unconnected(template))
    #expect(client.accountExists(email: "kai@mail.test").request.headers.map(\.name) == ["Accept"])
    #expect(client.me().request.header("IFTTT-SDK-Anonymous-Id") == "an-id")
  }
}
