import HTTP
import JSON
import Sandbox
import Testing
import Text

/// The state of a server as a seed, from which another server continues.
@Suite struct PresentSeedTests {
  private static let now = EmulatorSession.now
  private static let connections =
    SandboxFixtures.ownConnectionIDs + [SandboxFixtures.foreignConnectionID, "L0000001", "L0000002", "L0000003"]

  private func emulator(_ seed: BuiltInSeed = .plain) -> Emulator {
    var contents = SandboxSeed(seed)
    (contents.generated, contents.generatedUsers) = (3, 5)
    return Emulator(state: .seed, seed: contents)
  }

  /// A server that is started with the seed of another one and the same options.
  private func continued(_ emulator: Emulator) throws -> Emulator {
    var seed = try SandboxSeed(parsing: emulator.presentSeed.json.bytes)
    (seed.generated, seed.generatedUsers) = (3, 5)
    return Emulator(state: .seed, seed: seed)
  }

  /// The bodies that each user gets, and those without a user.
  private func bodies(_ emulator: Emulator, _ users: [SandboxFixtures.User]) -> [String: String] {
    var copy = emulator
    var bodies: [String: String] = [:]
    let generated = (1...5).map { "sandbox-user-token-000000\($0)" }
    for token in users.map(\.userToken) + generated {
      for target in Self.connections.map({ "/v2/connections/\($0)" }) + [
        "/v2/me", "/v1/services/lampost/applets", "/v1/services/orchard/applets",
      ] {
        let response = copy.response(to: request(.get, target, [.bearer(token)], host: "127.0.0.1"), at: Self.now)
        bodies["\(token) \(target)"] = "\(response.status) " + String(decoding: response.body, as: UTF8.self)
      }
    }
    return bodies
  }

  private func check(_ first: Emulator, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let second = try continued(first)
    let users = first.presentSeed.users
    let (before, after) = (bodies(first, users), bodies(second, users))
    for (key, body) in before where after[key] != body {
      Issue.record("\(key): \(body) and \(after[key] ?? "")", sourceLocation: sourceLocation)
    }
    // A server that continues can be continued again.
    #expect(bodies(try continued(second), users) == before, sourceLocation: sourceLocation)
  }

  @discardableResult
  private func send(
    _ method: HTTP.Method, _ target: String, _ headers: [Header] = [.token], _ body: JSONValue? = nil,
    to emulator: inout Emulator
  ) -> Response {
    let headers = headers + (body == nil ? [] : [.json])
    return emulator.response(
      to: request(method, target, headers, body: body?.text, host: "127.0.0.1"), at: Self.now)
  }

  /// Activate a connection, and return the user token in the redirect.
  private func activate(_ id: String, _ query: String, in emulator: inout Emulator) throws -> String {
    let response = send(
      .get, "/access/api/\(id)?sdk_return_to=lampost://done&\(query)", [], to: &emulator)
    let location = try #require(response.headers.first { $0.name == "Location" }?.value)
    return String(location.split(separator: "user_token=").last ?? "")
  }

  @Test(arguments: BuiltInSeed.allCases) func everyUserSeesTheSame(_ seed: BuiltInSeed) throws {
    var emulator = emulator(seed)
    try check(emulator)
    #expect(send(.post, "/v2/connections/Kd7Rn2Qx/disable", to: &emulator).status == 200)
    #expect(send(.post, "/v2/connections/Xe2Gf9Ln/enable", to: &emulator).status == 200)
    #expect(send(.post, "/v2/connections/pT5vXb2M/disable", [.secondToken], to: &emulator).status == 200)
    #expect(send(.post, "/v2/connections/Yb8Cz3Ve/disable", to: &emulator).status == 200)
    #expect(send(.post, "/v1/services/lampost/applets/mB3xWq7T/disable", to: &emulator).status == 200)
    #expect(send(.post, "/v1/services/orchard/applets/bW5yKj2L/disable", [.otherToken], to: &emulator).status == 200)
    try check(emulator)
    let features: JSONValue = [
      "user_features": [
        ["feature_id": "h5yc2vuxgo", "enabled": false, "user_fields": [["field_id": "scene", "value": "sc_23"]]]
      ]
    ]
    let put = send(.put, "/v2/connections/Rw9Ky4Hc/user_connection", [.token], features, to: &emulator)
    #expect(put.status == 200, "\(put.json.text)")
    try check(emulator)
    _ = try activate("Ud6Jn1Gs", "email=ann@mail.test&emulator_outcome=complete", in: &emulator)
    _ = try activate("Kd7Rn2Qx", "email=bob@mail.test&emulator_outcome=complete-skipped", in: &emulator)
    _ = try activate("Ud6Jn1Gs", "username=mira_o&emulator_outcome=complete", in: &emulator)
    _ = try activate("Or4Ch7Dz", "email=ann@mail.test&emulator_outcome=complete", in: &emulator)
    try check(emulator)
    // A generated user, and a generated connection, that were changed.
    let second = Header.bearer("sandbox-user-token-0000002")
    #expect(send(.post, "/v2/connections/Fq3Lw8Zt/disable", [second], to: &emulator).status == 200)
    #expect(send(.post, "/v2/connections/L0000002/disable", to: &emulator).status == 200)
    try check(emulator)
    let users = emulator.presentSeed.users.map(\.id)
    #expect(users == ["u-5521", "u-7304", "90210", "u-9001", "u-9002", "u-9003", "u-0000002"])
  }

  @Test func countsAreKept() throws {
    var emulator = emulator()
    for token in [Header.token, .bearer("sandbox-user-token-0000001")] {
      send(.post, "/v2/connections/Kd7Rn2Qx/disable", [token], to: &emulator)
    }
    var second = try continued(emulator)
    #expect(send(.get, "/v2/connections/Kd7Rn2Qx", [], to: &second).json["enabled_count"] == 46)
    send(.post, "/v2/connections/Kd7Rn2Qx/enable", to: &second)
    #expect(send(.get, "/v2/connections/Kd7Rn2Qx", [], to: &second).json["enabled_count"] == 47)
  }

  @Test func tokensStayValidAndAreNotMadeAgain() throws {
    var emulator = emulator()
    var tokens: [(token: String, login: JSONValue)] = []
    for _ in 0..<2 {
      let exchange = send(.post, "/v2/user_token?user_id=u-7304&access_token=at_c93e58", [.key], to: &emulator)
      tokens.append((try #require(exchange.json["user_token"]?.string), "mira_o"))
    }
    tokens.append(
      (try activate("Ud6Jn1Gs", "email=ann@mail.test&emulator_outcome=complete", in: &emulator), "ann"))
    for _ in 0..<2 {
      emulator = try continued(emulator)
      for (token, login) in tokens {
        #expect(send(.get, "/v2/me", [.bearer(token)], to: &emulator).json["user_login"] == login)
      }
      let exchange = send(.post, "/v2/user_token?user_id=u-5521&access_token=at_7f20c1", [.key], to: &emulator)
      let token = try #require(exchange.json["user_token"]?.string)
      let other = try activate("Ud6Jn1Gs", "email=c\(tokens.count)@mail.test&emulator_outcome=complete", in: &emulator)
      #expect(!tokens.contains { $0.token == token || $0.token == other })
      tokens += [(token, "kai_lamps"), (other, .string("c\(tokens.count)"))]
      let all = emulator.presentSeed.users.map(\.userToken)
      #expect(Set(all).count == all.count)
    }
    // Accounts are known too.
    #expect(send(.get, "/v2/account/find?email=ann@mail.test", [], to: &emulator).status == 204)
  }

  /// Names and addresses in URLs can be any text.
  @Test func everySeedCanBeRead() throws {
    var emulator = emulator()
    for user in ["a b/c", "\u{202e}\n\"", "<b>", "u-0000004", "ü"] {
      let target =
        "/embed/lampost/applets/cH8nRt5K?user_id=\(user)&redirect_uri=lampost://done&emulator_outcome=complete"
      #expect(send(.get, target, [], to: &emulator).status == 303)
    }
    _ = try activate("Ud6Jn1Gs", "username=no \n one&emulator_outcome=complete", in: &emulator)
    _ = try activate("Ud6Jn1Gs", "email=a/b@mail.test&emulator_outcome=complete", in: &emulator)
    try check(emulator)
  }

  @Test func issuedTokensBelongToOneUser() throws {
    var seed = try #require(RuntimeSession.seed.object)
    seed["users"] = [
      [
        "id": "u-1", "service": "lamps", "login": "one", "user_token": "t-1", "access_token": "a-1",
        "issued_tokens": ["t-3", "t-4"], "created": true,
      ],
      ["id": "u-2", "service": "lamps", "login": "two", "user_token": "t-4", "access_token": "a-2"],
    ]
    let error = #expect(throws: SeedError.self) { try SandboxSeed(parsing: JSONValue.object(seed).bytes) }
    #expect(error?.description == "users[1] repeats an id, key or token of an earlier entry")
    for (key, value, text) in [
      ("issued_tokens", ["a b"], "users[0].issued_tokens[0] is empty or contains"),
      ("created", 1, "users[0].created is not true or false"), ("id", "", "users[0].id is empty"),
    ] as [(String, JSONValue, String)] {
      var user: JSONObject = [
        "id": "u-1", "service": "lamps", "login": "one", "user_token": "t-1", "access_token": "a/1",
      ]
      user[key] = value
      seed["users"] = [.object(user)]
      let error = #expect(throws: SeedError.self) { try SandboxSeed(parsing: JSONValue.object(seed).bytes) }
      #expect(error?.description.hasPrefix(text) == true, "\(String(describing: error))")
    }
    var built = try #require(SandboxSeed(.plain).json.object)
    built["salt"] = -1
    let problem = #expect(throws: SeedError.self) { try SandboxSeed(parsing: JSONValue.object(built).bytes) }
    #expect(problem?.path == "salt")
  }

  // MARK: The partner's server

  /// The token that the host passes is for users whose accounts the sandbox created, also after it continues. It is in
  /// no seed.
  @Test func createdUsersHaveTheTokenOfTheHost() throws {
    var session = try RuntimeSession()
    session.emulator.startRuntime(accessToken: "token-of-the-host", at: session.now)
    session.ask(.get, "/connect/C1?email=new@mail.test&emulator_outcome=complete", [])
    // No other user has enabled the connection.
    func tokens(_ session: RuntimeSession) -> Set<String?> {
      Set(session.sent.filter { $0.call.path.last == "pressed" }.map(\.accessToken))
    }
    #expect(tokens(session) == ["token-of-the-host"])
    let seed = session.emulator.presentSeed.json
    #expect(!seed.text.contains("token-of-the-host"))
    var second = try RuntimeSession(seed: seed)
    second.emulator.startRuntime(accessToken: "token-of-the-host", at: second.now)
    second.settle()
    #expect(tokens(second) == ["token-of-the-host"])
    #expect(second.emulator.presentSeed.json["users"] == seed["users"])
  }
}
