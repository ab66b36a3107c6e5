import HTTP
import JSON
import Sandbox
import Testing
import World

/// The users of `sandbox start --users`.
@Suite struct GeneratedUserTests {
  private static let second = Header.bearer("sandbox-user-token-0000002")

  private func session(_ count: Int = 1_000_000) -> EmulatorSession {
    var seed = SandboxSeed(.unusual)
    seed.generatedUsers = count
    return EmulatorSession(seed: seed)
  }

  /// Whether a state differs from the first one in the number of requests alone.
  private func isUnchanged(_ state: SandboxState) -> Bool {
    var other = session()
    for _ in 0..<state.requests { _ = other.get("/v2/me") }
    return other.emulator.state == state
  }

  @Test func aServiceReadsEachUsersConnections() throws {
    var session = session()
    for number in ["0000001", "0500000", "1000000"] {
      let me = session.get("/v2/me?user_id=u-\(number)", [.key])
      #expect(me.json["user_login"] == .string("load_\(number)"))
      let shown = session.get("/v2/connections/Kd7Rn2Qx?user_id=u-\(number)", [.key])
      let model = session.get("/v2/connections/Kd7Rn2Qx?user_id=\(SandboxFixtures.userID)", [.key])
      #expect(shown.status == 200 && shown.json == model.json && shown.json["user_status"] == "enabled")
    }
    #expect(session.get("/v2/me?user_id=u-0000001", [.otherKey]).json["user_login"] == .null)
  }

  /// As for users who are not connected to an account (docs/api/connect.md U9).
  @Test(arguments: ["u-1000001", "u-0000000", "u-1", "u-000000001", "u-00000é", "u--000001", "v-0000001"])
  func otherUsersAreUnknown(_ id: String) {
    var session = session()
    #expect(session.get("/v2/me?user_id=\(id)", [.key]).json["user_login"] == .null)
    let shown = session.get("/v2/connections/Kd7Rn2Qx?user_id=\(id)", [.key])
    #expect(shown.status == 200 && shown.json["user_status"] == "never_enabled")
    let exchange = session.post("/v2/user_token?user_id=\(id)&access_token=sandbox-access-token-1000001", [.key])
    #expect(exchange.status == 401)
    #expect(session.get("/v2/me", [.bearer("sandbox-user-token-1000001")]).status == 401)
  }

  @Test func changesConcernOneUser() throws {
    var session = session()
    func status(_ id: String) -> JSONValue? {
      session.get("/v2/connections/Kd7Rn2Qx?user_id=\(id)", [.key]).json["user_status"]
    }
    let count = session.get("/v2/connections/Kd7Rn2Qx").json["enabled_count"]?.int ?? 0
    #expect(session.post("/v2/connections/Kd7Rn2Qx/disable", [Self.second]).json["user_status"] == "disabled")
    #expect(status("u-0000002") == "disabled" && status("u-0000001") == "enabled")
    #expect(status(SandboxFixtures.userID) == "enabled")
    #expect(session.get("/v2/connections/Kd7Rn2Qx").json["enabled_count"]?.int == count - 1)
    #expect(session.post("/v2/connections/Kd7Rn2Qx/enable", [Self.second]).json["user_status"] == "enabled")
    #expect(isUnchanged(session.emulator.state), "a change that was reverted needs no memory")
    // As for the first user.
    #expect(session.post("/v2/connections/Ud6Jn1Gs/enable", [Self.second]).status == 403)
  }

  @Test func configurationsAreCopiedOnTheFirstChange() throws {
    var session = session()
    let path = "/v2/connections/Kd7Rn2Qx"
    let model = session.userFeatures("Kd7Rn2Qx")
    #expect(session.userFeatures("Kd7Rn2Qx", Self.second) == model && !model.isEmpty)
    let put = session.put("\(path)/user_connection?user_id=u-0000002", [.key], body: ["user_features": []])
    #expect(put.status < 300, "\(put.json.text)")
    #expect(session.userFeatures("Kd7Rn2Qx", Self.second) == [])
    #expect(session.userFeatures("Kd7Rn2Qx") == model)
    #expect(session.userFeatures("Kd7Rn2Qx", .bearer("sandbox-user-token-0000003")) == model)
  }

  @Test func accessTokensAreExchanged() {
    var session = session()
    let exchange = "/v2/user_token?user_id=u-0000002&access_token=sandbox-access-token-0000002"
    let first = session.post(exchange, [.key])
    #expect(
      first.json["user_token"] == "sandbox-user-token-0000002" && session.post(exchange, [.key]).json == first.json)
    #expect(session.get("/v2/me", [Self.second]).json["user_login"] == "load_0000002")
    #expect(session.post("/v2/user_token?user_id=u-0000002&access_token=at_7f20c1", [.key]).status == 401)
    #expect(session.post(exchange, [.otherKey]).status == 401)
    #expect(isUnchanged(session.emulator.state))
  }

  @Test func theApplets() {
    var session = session()
    let list = "/v1/services/lampost/applets"
    let statuses = [Header.token, Self.second].map { header in
      session.get(list, [header]).json["data"]?.array?.map { $0["user_status"] }
    }
    #expect(statuses[0] == statuses[1] && statuses[0]?.isEmpty == false)
  }

  @Test(arguments: [0, 1, 998, 2500]) func theListHasEachUserOnce(count: Int) {
    let emulator = session(count).emulator
    var (ids, position): ([String], Int?) = ([], 0)
    while let from = position {
      let page = emulator.users(from: from)
      #expect(page.users.count <= 1000)
      ids += page.users.map(\.id)
      position = page.next
    }
    #expect(ids.count == count + 2 && Set(ids).count == ids.count && ids[0] == SandboxFixtures.userID)
    #expect(emulator.users(from: Int.max).users.isEmpty && emulator.users(from: count + 2).users.isEmpty)
  }

  /// A seed may have a user with such an id.
  @Test func aUserOfTheSeedHasPrecedence() throws {
    var seed = try #require(RuntimeSession.seed.object)
    seed["users"] = [
      ["id": "u-1", "service": "lamps", "login": "one", "user_token": "t-1", "access_token": "a-1"],
      ["id": "u-0000002", "service": "lamps", "login": "two", "user_token": "t-2", "access_token": "a-2"],
    ]
    var parsed = try SandboxSeed(parsing: JSONValue.object(seed).bytes)
    parsed.generatedUsers = 3
    var session = EmulatorSession(seed: parsed)
    #expect(session.get("/v2/me?user_id=u-0000002", [RuntimeSession.key]).json["user_login"] == "two")
    #expect(
      session.emulator.users(from: 0).users.map(\.accessToken) == [
        "a-1", "a-2", "sandbox-access-token-0000001", "sandbox-access-token-0000003",
      ])
    // Its own connections are not those of the first user.
    let shown = session.get("/v2/connections/C1?user_id=u-0000002", [RuntimeSession.key])
    #expect(shown.json["user_status"] == "never_enabled")
    #expect(session.get("/v2/connections/C1?user_id=u-0000001", [RuntimeSession.key]).json["user_status"] == "disabled")
  }

  /// IFTTT polls the triggers of a generated user once a change has enabled a connection.
  @Test func aPartnersServerGetsTheUsersAccessToken() throws {
    var session = try RuntimeSession(users: 3)
    session.ask(.post, "/v2/connections/C1/enable", [Self.second])
    let polls = session.sent.filter { $0.call.path == ["triggers", "pressed"] }
    #expect(polls.map(\.accessToken) == ["sandbox-access-token-0000002"])
  }
}
