import HTTP
import IFTTT
import Support
import Testing
import Text

/// The requests, byte for byte, at each level of authentication.
struct ConnectRequestsTests {
  private let id: ConnectionID
  private let token: Secret
  private let base: WebURL

  init() throws {
    id = try #require(ConnectionID(parsing: "Kd7Rn2Qx"))
    token = try #require(Secret(parsing: "Zq8v_T2mLr-5YpWc0NdXs7KhGb3JtE9uFa6RiOxQ1lDyVwBk"))
    base = try WebURL(parsing: "https://connect.ifttt.com")
  }

  @Test func showRequestAtEachLevel() throws {
    #expect(
      wire(client(.anonymous).show(id).request) == [
        "GET https://connect.ifttt.com/v2/connections/Kd7Rn2Qx", "Accept: application/json",
      ])
    #expect(
      wire(client(.user(token)).show(id).request) == [
        "GET https://connect.ifttt.com/v2/connections/Kd7Rn2Qx", "Accept: application/json",
        "Authorization: Bearer \(token.revealed)",
      ])
    #expect(
      wire(client(.service(token, userID: "u-5521"), invite: "21790-7d53f").show(id).request) == [
        "GET https://connect.ifttt.com/v2/connections/Kd7Rn2Qx?user_id=u-5521", "Accept: application/json",
        "IFTTT-Service-Key: \(token.revealed)", "IFTTT-Invite-Code: 21790-7d53f",
      ])
  }

  @Test func idIsOnePercentEncodedSegment() throws {
    let id = try #require(ConnectionID(parsing: "a b%2Fé"))
    #expect(
      client(.anonymous).show(id).request.url.wire == "https://connect.ifttt.com/v2/connections/a%20b%252F%C3%A9")
  }

  @Test func changesAreEmptyPostsOfAUser() throws {
    let client = client(.user(token))
    let disable = try client.change(.disable, id).request
    #expect(
      wire(disable) == [
        "POST https://connect.ifttt.com/v2/connections/Kd7Rn2Qx/disable", "Accept: application/json",
        "Authorization: Bearer \(token.revealed)",
      ])
    #expect(disable.body == [])
    #expect(disable.isRepeatable)
    let enable = try client.change(.enable, id).request
    #expect(wire(enable).first == "POST https://connect.ifttt.com/v2/connections/Kd7Rn2Qx/enable")
    #expect(!enable.isRepeatable)
  }

  @Test(arguments: [StatusSwitch.enable, .disable])
  func changesNeedAUserToken(change: StatusSwitch) {
    for authentication in [.anonymous, .service(token, userID: "u")] as [Authentication] {
      #expect(throws: APIError.needs(.user)) { try client(authentication).change(change, id) }
    }
  }

  @Test func meRequestForAUserOfTheService() {
    #expect(
      wire(client(.service(token, userID: "u-5521")).me().request).first
        == "GET https://connect.ifttt.com/v2/me?user_id=u-5521")
  }

  @Test func exchangeParametersAreInMaskedQuery() throws {
    let access = try #require(Secret(parsing: "at_7f20c1+/=&and-more-of-it-0123456789"))
    let request = try client(.service(token, userID: "other")).exchange(userID: "u-5521", accessToken: access).request
    #expect(
      wire(request) == [
        "POST https://connect.ifttt.com/v2/user_token?user_id=u-5521"
          + "&access_token=at_7f20c1%2B%2F%3D%26and-more-of-it-0123456789",
        "Accept: application/json", "IFTTT-Service-Key: \(token.revealed)",
      ])
    #expect(request.body == [])
    #expect(!request.isRepeatable)
    #expect(!request.url.redacted.contains("7f20c1"))
    #expect(request.url.redacted.contains("user_id=u-5521"))
  }

  @Test func exchangeNeedsAServiceKey() {
    for authentication in [.anonymous, .user(token)] as [Authentication] {
      #expect(throws: APIError.needs(.service)) {
        try client(authentication).exchange(userID: "u", accessToken: token)
      }
    }
  }

  @Test func accountLookupHasNoCredentials() {
    for authentication in [.anonymous, .user(token), .service(token, userID: "u")] as [Authentication] {
      #expect(
        wire(client(authentication).accountExists(email: "kai+x@mail.test").request) == [
          "GET https://connect.ifttt.com/v2/account/find?email=kai%2Bx%40mail.test", "Accept: application/json",
        ])
    }
  }

  @Test(arguments: ["", ".", "..", "a/b", "a?b", "a#b", "a\n"])
  func rejectsInvalidID(text: String) {
    #expect(ConnectionID(parsing: text) == nil)
  }

  private func client(_ authentication: Authentication, invite: String? = nil) -> ConnectClient {
    ConnectClient(
      caller: .unconnected(
        RequestTemplate(base: base, authentication: authentication, inviteCode: invite.flatMap(Secret.init(parsing:)))))
  }

  private func wire(_ request: Request) -> [String] {
    ["\(request.method.rawValue) \(request.url.wire)"] + request.headers.map { "\($0.name): \($0.wire)" }
  }
}

extension APIClient {
  /// A client for requests that are not sent.
  static func unconnected(_ template: RequestTemplate) -> APIClient {
    connected(template, to: ScriptedTransport(answers: []))
  }

  static func connected(_ template: RequestTemplate, to transport: ScriptedTransport) -> APIClient {
    APIClient(
      http: HTTPClient(transport: transport, world: quietWorld(), policy: .init(retries: 0)), template: template)
  }
}
