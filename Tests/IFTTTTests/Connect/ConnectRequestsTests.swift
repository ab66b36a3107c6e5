import HTTP
import IFTTT
import Testing
import Text

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
      wire(requests(.anonymous).show(id)) == [
        "GET https://connect.ifttt.com/v2/connections/Kd7Rn2Qx", "Accept: application/json",
      ])
    #expect(
      wire(requests(.user(token)).show(id)) == [
        "GET https://connect.ifttt.com/v2/connections/Kd7Rn2Qx", "Accept: application/json",
        "Authorization: Bearer \(token.revealed)",
      ])
    #expect(
      wire(requests(.service(token, userID: "u-5521"), invite: "21790-7d53f").show(id)) == [
        "GET https://connect.ifttt.com/v2/connections/Kd7Rn2Qx?user_id=u-5521", "Accept: application/json",
        "IFTTT-Service-Key: \(token.revealed)", "IFTTT-Invite-Code: 21790-7d53f",
      ])
  }

  @Test func idIsOnePercentEncodedSegment() throws {
    let id = try #require(ConnectionID(parsing: "a b%2Fé"))
    #expect(
      requests(.anonymous).show(id).url.wire == "https://connect.ifttt.com/v2/connections/a%20b%252F%C3%A9")
  }

  @Test func changesAreEmptyPostsOfAUser() throws {
    let requests = requests(.user(token))
    let disable = try requests.change(.disable, id)
    #expect(
      wire(disable) == [
        "POST https://connect.ifttt.com/v2/connections/Kd7Rn2Qx/disable", "Accept: application/json",
        "Authorization: Bearer \(token.revealed)",
      ])
    #expect(disable.body == [])
    #expect(disable.isRepeatable)
    let enable = try requests.change(.enable, id)
    #expect(wire(enable).first == "POST https://connect.ifttt.com/v2/connections/Kd7Rn2Qx/enable")
    #expect(!enable.isRepeatable)
  }

  @Test(arguments: [ConnectClient.Change.enable, .disable])
  func changesNeedAUserToken(change: ConnectClient.Change) {
    for authentication in [.anonymous, .service(token, userID: "u")] as [Authentication] {
      #expect(throws: APIError.needs(.user)) { try requests(authentication).change(change, id) }
    }
  }

  @Test func meRequestForAUserOfTheService() {
    #expect(
      wire(requests(.service(token, userID: "u-5521")).me).first
        == "GET https://connect.ifttt.com/v2/me?user_id=u-5521")
  }

  @Test func exchangeParametersAreInMaskedQuery() throws {
    let access = try #require(Secret(parsing: "at_7f20c1+/=&and-more-of-it-0123456789"))
    let request = try requests(.service(token, userID: "other")).exchange(userID: "u-5521", accessToken: access)
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
        try requests(authentication).exchange(userID: "u", accessToken: token)
      }
    }
  }

  @Test func accountLookupHasNoCredentials() {
    for authentication in [.anonymous, .user(token), .service(token, userID: "u")] as [Authentication] {
      #expect(
        wire(requests(authentication).findAccount(email: "kai+x@mail.test")) == [
          "GET https://connect.ifttt.com/v2/account/find?email=kai%2Bx%40mail.test", "Accept: application/json",
        ])
    }
  }

  @Test(arguments: ["", ".", "..", "a/b", "a?b", "a#b", "a\n"])
  func rejectsInvalidID(text: String) {
    #expect(ConnectionID(parsing: text) == nil)
  }

  private func requests(_ authentication: Authentication, invite: String? = nil) -> ConnectRequests {
    ConnectRequests(
      RequestTemplate(base: base, authentication: authentication, inviteCode: invite.flatMap(Secret.init(parsing:))))
  }

  private func wire(_ request: Request) -> [String] {
    ["\(request.method.rawValue) \(request.url.wire)"] + request.headers.map { "\($0.name): \($0.wire)" }
  }
}
