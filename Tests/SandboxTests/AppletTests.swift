import HTTP
import JSON
import Sandbox
import Testing

/// The older API (docs/api/applets.md).
@Suite struct AppletTests {
  static let list = "/v1/services/lampost/applets"

  @Test func returnsTheReferenceExample() throws {
    var session = EmulatorSession()
    let response = session.get("\(Self.list)/mB3xWq7T", [.token])
    #expect(response.status == 200 && response.assumptions.isEmpty)
    #expect(response.json.sorted == (try example("applet.json")).sorted)
  }

  @Test(
    arguments: [
      ("?order=published_at_asc", "mB3xWq7T cH8nRt5K vL2sJy9D"),
      ("?order=published_at_desc", "vL2sJy9D cH8nRt5K mB3xWq7T"),
      ("?order=enabled_count_asc", "vL2sJy9D cH8nRt5K mB3xWq7T"),
      ("?order=enabled_count_desc", "mB3xWq7T cH8nRt5K vL2sJy9D"),
      ("?order=published_at_asc&platform=ios", "mB3xWq7T cH8nRt5K tN9aVc6P vL2sJy9D gZ6pFw4X"),
      ("?order=published_at_desc&platform=ios", "gZ6pFw4X vL2sJy9D tN9aVc6P cH8nRt5K mB3xWq7T"),
      ("?order=enabled_count_desc&platform=ios", "tN9aVc6P gZ6pFw4X mB3xWq7T cH8nRt5K vL2sJy9D"),
      ("?order=published_at_asc&platform=android", "mB3xWq7T kQ7eUb3N cH8nRt5K tN9aVc6P vL2sJy9D"),
      ("?order=enabled_count_asc&platform=android", "vL2sJy9D cH8nRt5K kQ7eUb3N mB3xWq7T tN9aVc6P"),
    ])
  func listsByOrderAndPlatform(query: String, ids: String) {
    var session = EmulatorSession()
    let response = session.get("\(Self.list)\(query)")
    #expect(response.json["type"] == "list" && response.assumptions.isEmpty)
    #expect(self.ids(response) == ids)
  }

  private func ids(_ response: Response) -> String {
    (response.json["data"]?.array ?? []).compactMap { $0["id"]?.string }.joined(separator: " ")
  }

  @Test func theDefaultOrderIsAnAssumption() {
    var session = EmulatorSession()
    #expect(session.get(Self.list).assumptions == ["U23"])
  }

  @Test func unpublishedAppletsComeLast() {
    var session = EmulatorSession()
    for (order, expected) in [
      ("published_at_asc", "mB3xWq7T cH8nRt5K vL2sJy9D zD4hMr8S"),
      ("published_at_desc", "vL2sJy9D cH8nRt5K mB3xWq7T zD4hMr8S"),
    ] {
      for header in [Header.key, .invite] {
        let response = session.get("\(Self.list)?order=\(order)", [header])
        #expect(ids(response) == expected)
        #expect(response.json["data"]?.array?.last?["published_at"] == JSONValue.null)
      }
    }
    #expect(session.get("\(Self.list)/zD4hMr8S", [.token]).status == 404)
    #expect(session.get("\(Self.list)/zD4hMr8S", [.key]).status == 200)
  }

  @Test func includesTheStatusForAUser() {
    func statuses(_ target: String, _ headers: [Header]) -> [JSONValue?] {
      var session = EmulatorSession()
      let applets = session.get(target, headers).json["data"]?.array ?? []
      return applets.map { $0["user_status"] }
    }
    let target = "\(Self.list)?order=published_at_asc"
    #expect(statuses(target, []) == [.null, .null, .null])
    #expect(statuses("\(target)&user_id=u-5521", []) == [.null, .null, .null])
    #expect(statuses(target, [.token]) == ["enabled", "never_enabled", "disabled"])
    #expect(
      statuses("\(target)&user_id=u-7304", [.key]) == ["disabled", "never_enabled", "enabled", "never_enabled"])
  }

  @Test func enablesAndDisablesWithKeyOrToken() {
    var session = EmulatorSession()
    let applet = "\(Self.list)/mB3xWq7T"
    let off = session.post("\(applet)/disable", [.key], body: #"{"user_id":"u-5521"}"#)
    #expect(off.status200 == "disabled" && off.json["enabled_count"]?.int == 1203 && off.json["type"] == "applet")
    #expect(session.post("\(applet)/disable", [.token]).status200 == "disabled")
    let on = session.post("\(applet)/enable", [.token])
    #expect(on.status200 == "enabled" && on.json["enabled_count"]?.int == 1204)
    #expect(session.post("\(applet)/enable", [.token]).json["enabled_count"]?.int == 1204)
    #expect(session.get("\(Self.list)?order=enabled_count_asc", [.token]).status == 200)
  }

  @Test(
    arguments: [
      ("lampost/applets/mB3xWq7T/enable", [], nil, 401, "emulator_unauthorized"),
      ("lampost/applets/mB3xWq7T/enable", [.key], nil, 400, "emulator_bad_request"),
      ("lampost/applets/mB3xWq7T/enable?user_id=u-5521", [.key], nil, 400, "emulator_bad_request"),
      ("lampost/applets/mB3xWq7T/enable", [.key], "{", 400, "emulator_bad_request"),
      ("lampost/applets/mB3xWq7T/enable", [.key], #"{"user_id":""}"#, 400, "emulator_bad_request"),
      ("lampost/applets/mB3xWq7T/enable", [.key], #"{"user_id":"u-1"}"#, 403, "emulator_never_enabled"),
      ("lampost/applets/cH8nRt5K/enable", [.token], nil, 403, "emulator_never_enabled"),
      ("lampost/applets/cH8nRt5K/disable", [.token], nil, 403, "emulator_never_enabled"),
      ("lampost/applets/mB3xWq7T/enable", [.token], #"{"user_id":"u-7304"}"#, 403, "emulator_forbidden"),
      ("lampost/applets/mB3xWq7T/enable", [.otherToken], nil, 403, "emulator_forbidden"),
      ("orchard/applets/bW5yKj2L/disable", [.token], nil, 403, "emulator_forbidden"),
      ("lampost/applets/bW5yKj2L/disable", [.token], nil, 404, "emulator_not_found"),
      ("nosuch/applets/mB3xWq7T/disable", [.token], nil, 404, "emulator_not_found"),
      ("orchard/user_token", [.key], #"{"user_id":"u-5521","token":"at_7f20c1"}"#, 403, "emulator_forbidden"),
      ("lampost/user_token?user_id=u-5521&access_token=at_7f20c1", [.key], nil, 400, "emulator_bad_request"),
      ("lampost/user_token", [.key], #"{"user_id":"u-5521","token":"x"}"#, 401, "emulator_unauthorized"),
    ] as [(String, [Header], String?, Int, String)])
  func rejectsInvalidRequests(target: String, headers: [Header], body: String?, status: Int, code: String) {
    var session = EmulatorSession()
    let response = session.post("/v1/services/\(target)", headers, body: body)
    #expect(response.status == status && response.code == code && response.assumptions == ["U23"])
    #expect(response.json.object?.members.map(\.key) == ["type", "code", "message"])
  }

  @Test(
    arguments: ["?order=newest", "?order=", "?platform=windows", "?platform=iOS"])
  func rejectsUnknownChoices(query: String) {
    var session = EmulatorSession()
    #expect(session.get("\(Self.list)\(query)").code == "emulator_bad_request")
  }

  @Test func listsOfAnotherServiceRejectOtherCredentials() {
    var session = EmulatorSession()
    #expect(ids(session.get("/v1/services/orchard/applets")) == "bW5yKj2L")
    #expect(ids(session.get("/v1/services/orchard/applets", [.otherKey])) == "bW5yKj2L")
    #expect(session.get("/v1/services/orchard/applets", [.key]).code == "emulator_forbidden")
    #expect(session.get("/v1/services/nosuch/applets").code == "emulator_not_found")
  }

  @Test func meOmitsUnknownKeys() {
    var session = EmulatorSession()
    #expect(session.get("/v1/me").json == ["type": "me", "authentication_level": "none"])
    #expect(
      session.get("/v1/me", [.token]).json == [
        "type": "me", "authentication_level": "user", "service_id": "lampost", "user_login": "kai_lamps",
      ])
  }

  @Test func exchangesTokensAndFindsAccounts() throws {
    var session = EmulatorSession()
    let response = session.post(
      "/v1/services/lampost/user_token", [.key], body: #"{"user_id":"u-7304","token":"at_c93e58"}"#)
    let token = try #require(response.json["user_token"]?.string)
    #expect(session.get("/v2/me", [.bearer(token)]).json["user_login"] == "mira_o")
    #expect(session.get("/v1/account/find?email=kai@mail.test").status == 204)
    #expect(session.get("/v1/account/find?email=x@mail.test").status == 404)
    #expect(session.get("/v1/account/find").status == 400)
  }
}
