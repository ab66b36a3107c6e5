import HTTP
import JSON
import Sandbox
import Testing

@Suite struct StateTests {
  @Test func changesRoundTrip() throws {
    var before = EmulatorSession(SandboxState(.unusual, salt: 77))
    _ = before.post("/v2/connections/Kd7Rn2Qx/disable", [.token])
    _ = before.post("/v2/connections/pT5vXb2M/disable", [.secondToken])
    _ = before.post("/v1/services/lampost/applets/vL2sJy9D/enable", [.token])
    let exchange = before.post("/v2/user_token?user_id=u-7304&access_token=at_c93e58", [.key])
    let token = try #require(exchange.json["user_token"]?.string)

    let bytes = before.emulator.state.bytes
    let read = try SandboxState(parsing: bytes)
    #expect(read == before.emulator.state && read.bytes == bytes && read.salt == 77 && read.requests == 4)
    var after = EmulatorSession(read)
    let shown = after.get("/v2/connections/Kd7Rn2Qx", [.token])
    #expect(shown.status200 == "disabled" && shown.header("X-Request-ID") == "sandbox-00000005")
    #expect(after.get("/v2/connections/pT5vXb2M", [.bearer(token)]).status200 == "disabled")
    #expect(after.get("/v1/services/lampost/applets/vL2sJy9D", [.token]).json["enabled_count"]?.int == 88)
    let again = after.post("/v2/user_token?user_id=u-7304&access_token=at_c93e58", [.key])
    #expect(again.json["user_token"]?.string != token)
  }

  @Test func storesOnlyDifferencesFromTheSeed() {
    var session = EmulatorSession(.seed)
    #expect(
      String(decoding: SandboxState.seed.bytes, as: UTF8.self)
        == #"{"format":2,"salt":0,"requests":0,"tokens":[],"statuses":{}}"#)
    _ = session.post("/v2/connections/Kd7Rn2Qx/disable", [.token])
    #expect(
      String(decoding: session.emulator.state.bytes, as: UTF8.self)
        == #"{"format":2,"salt":0,"requests":1,"tokens":[],"statuses":{"u-5521":{"Kd7Rn2Qx":"disabled"}}}"#)
    _ = session.post("/v2/connections/Kd7Rn2Qx/enable", [.token])
    #expect(
      String(decoding: session.emulator.state.bytes, as: UTF8.self)
        == #"{"format":2,"salt":0,"requests":2,"tokens":[],"statuses":{}}"#)
  }

  /// A configuration keeps the texts of the seed that it was made in.
  @Test func aStateRemembersItsSeed() throws {
    for (seed, label) in [(BuiltInSeed.plain, "Moonlight"), (.unusual, "月夜")] {
      var session = EmulatorSession(SandboxState(seed))
      let id = "pT5vXb2M"
      #expect(session.post("/v2/connections/\(id)/enable", [.token]).status200 == "enabled")
      let features = session.userFeatures(id)
      #expect(
        session.put("/v2/connections/\(id)/user_connection", [.token], body: ["user_features": .array(features)]).status
          == 200)
      let state = session.emulator.state
      let read = try SandboxState(parsing: state.bytes)
      #expect(read == state && read.builtInSeed == seed)
      var after = EmulatorSession(read)
      let shown = after.userFeatures(id)
      #expect(shown.first?["user_fields"]?.array?.first?["value"]?["label"]?.string == label, "\(shown)")
    }
    #expect(String(decoding: SandboxState(.unusual).bytes, as: UTF8.self).contains(#""seed":"unusual""#))
  }

  @Test(
    arguments: [
      ("", .notJSON(JSONError(problem: "", offset: 0))), ("{}", .malformed("format")), ("[]", .malformed("format")),
      (#"{"format":0}"#, .malformed("format")), (#"{"format":3}"#, .laterFormat(3)),
      (#"{"format":1}"#, .malformed("salt")), (#"{"format":1,"salt":-1}"#, .malformed("salt")),
      (#"{"format":1,"salt":0,"requests":1e3}"#, .malformed("requests")),
      (#"{"format":1,"salt":0,"requests":9223372036854775807}"#, .malformed("requests")),
      (#"{"format":1,"salt":0,"requests":0}"#, .malformed("tokens")),
      (#"{"format":1,"salt":0,"requests":0,"tokens":["x"]}"#, .malformed("tokens")),
      (#"{"format":1,"salt":0,"requests":0,"tokens":[{"token":"","user_id":"u"}]}"#, .malformed("tokens")),
      (#"{"format":1,"salt":0,"requests":0,"tokens":[]}"#, .malformed("statuses")),
      (#"{"format":1,"salt":0,"requests":0,"tokens":[],"statuses":{"u-5521":1}}"#, .malformed("statuses")),
      (
        #"{"format":1,"salt":0,"requests":0,"tokens":[],"statuses":{"u-5521":{"Kd7Rn2Qx":"pending"}}}"#,
        .malformed("statuses")
      ),
      (#"{"format":2,"salt":0,"requests":0,"tokens":[],"statuses":{},"made":"1"}"#, .malformed("made")),
      (#"{"format":2,"seed":"x","salt":0,"requests":0,"tokens":[],"statuses":{}}"#, .malformed("seed")),
      (#"{"format":2,"seed":1,"salt":0,"requests":0,"tokens":[],"statuses":{}}"#, .malformed("seed")),
      (#"{"format":2,"salt":0,"requests":0,"tokens":[],"statuses":{},"codes":[{}]}"#, .malformed("codes")),
      (#"{"format":2,"salt":0,"requests":0,"tokens":[],"statuses":{},"users":{}}"#, .malformed("users")),
      (#"{"format":2,"salt":0,"requests":0,"tokens":[],"statuses":{},"accounts":[1]}"#, .malformed("accounts")),
      (
        #"{"format":2,"salt":0,"requests":0,"tokens":[],"statuses":{},"configurations":{"u-5521":{"Kd7Rn2Qx":{}}}}"#,
        .malformed("configurations")
      ),
    ] as [(String, SandboxStateError)])
  func rejectsInvalidStates(text: String, problem: SandboxStateError) {
    #expect {
      try SandboxState(parsing: Array(text.utf8))
    } throws: { error in
      switch (error as? SandboxStateError, problem) {
      case (.notJSON, .notJSON): true
      case (let thrown, _): thrown == problem
      }
    }
  }

  @Test func unknownUsersAndConnectionsAreDropped() throws {
    let text = #"""
      {"format":1,"salt":0,"requests":3,"tokens":[{"token":"abc","user_id":"gone"}],
       "statuses":{"gone":{"Kd7Rn2Qx":"disabled"},"u-5521":{"gone":"enabled","Rw9Ky4Hc":"enabled"}}}
      """#
    let state = try SandboxState(parsing: Array(text.utf8))
    var session = EmulatorSession(state)
    #expect(session.get("/v2/me", [.bearer("abc")]).status == 401)
    #expect(session.get("/v2/connections/Kd7Rn2Qx").json["enabled_count"]?.int == 48)
    #expect(JSONValue.object(try #require(JSONValue(parsing: state.bytes)["statuses"]?.object)) == [:])
  }

  @Test func differentSaltsGiveDifferentTokens() {
    let tokens = [0, 1, 2, 3, -4, .max].map { salt in
      var session = EmulatorSession(SandboxState(.unusual, salt: salt))
      return session.post("/v2/user_token?user_id=u-5521&access_token=at_7f20c1", [.key]).json["user_token"]
    }
    #expect(tokens[0] == tokens[4])
    #expect(Set(tokens.compactMap { $0?.string }).count == 5)
  }

  @Test func theRequestCounterDoesNotOverflow() throws {
    let text = #"{"format":1,"salt":0,"requests":9007199254740991,"tokens":[],"statuses":{}}"#
    var session = EmulatorSession(try SandboxState(parsing: Array(text.utf8)))
    _ = session.get("/v2/me")
    #expect(session.emulator.state.requests == SandboxState.largestNumber)
    #expect(try SandboxState(parsing: session.emulator.state.bytes) == session.emulator.state)
  }
}
