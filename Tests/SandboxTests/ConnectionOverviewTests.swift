import HTTP
import JSON
import Sandbox
import Testing

/// The connections of a user in words, and the list of users, as the control endpoint has them.
@Suite struct ConnectionOverviewTests {
  private func connections(_ user: String, _ emulator: Emulator) throws -> [String: JSONValue] {
    let list = try #require(try emulator.connections(of: user, at: EmulatorSession.now).array)
    return Dictionary(uniqueKeysWithValues: list.map { ($0["id"]?.string ?? "", $0) })
  }

  private func steps(_ connection: JSONValue?) -> [JSONValue] {
    (connection?["features"]?.array ?? []).flatMap { $0["steps"]?.array ?? [] }
  }

  @Test func aConnectionIsShownInWords() throws {
    let shown = try #require(try connections("u-5521", EmulatorSession().emulator)["Kd7Rn2Qx"])
    #expect(shown["name"] == "Lamps that follow the tide" && shown["status"] == "enabled" && shown["pending"] == false)
    #expect(shown["enabled_count"] == 48 && shown["last_run_at"] == .null)
    #expect(
      shown["services"]?.array?.first == [
        "slug": "lampost", "name": "Lampost Lights", "color": "#3a7d44",
        "icon_url": "https://assets.ifttt.com/images/channels/7000001/icons/on_color_regular.png",
        "url": "https://ifttt.com/lampost",
      ])
    let feature = try #require(shown["features"]?.array?.first)
    #expect(feature["id"] == "8f0b6c1e-2d57-4a93-b8e4-71c0d9a5f326" && feature["enabled"] == true)
    #expect(feature["title"] == "Leave and the lamps go dark")
    #expect(feature["fields"] == [["id": "scene", "label": "Scene", "value": "Night"]])
    let steps = steps(shown)
    #expect(steps.map { $0["kind"] } == ["triggers", "queries", "actions"])
    #expect(
      steps.map { $0["name"] } == ["location.exit_region_location", "tidebook.list_tides", "tidebook.add_entry"])
    #expect(steps[0]["id"] == "d27e9a40-5b13-4c68-9f02-3e8a6b7c1d54" && steps[0]["is_own"] == false)
    #expect(
      steps[0]["fields"] == [
        ["id": "location", "label": "Area", "value": "38.7369, -9.1427, 220.5 m, Rua Invented 9, Lisboa"]
      ])
    let (latitude, longitude) = (JSONValue.number(JSONNumber(38.7369)), JSONValue.number(JSONNumber(-9.1427)))
    #expect(
      steps[0]["region"] == [
        "latitude": latitude, "longitude": longitude, "radius": .number(JSONNumber(220.5)), "event": "exit",
      ])
    #expect(
      steps[0]["ingredients"] == [
        ["name": "OccurredAt", "example": "March 04, 2026 at 05:10AM"],
        ["name": "LocationMapUrl", "example": "https://maps.test/?q=38.7369,-9.1427"],
        ["name": "LocationMapImageUrl", "example": "https://maps.test/image?center=38.7369,-9.1427"],
      ])
    #expect(steps[1]["region"] == .null && steps[1]["ingredients"]?.array?.first?["name"] == "id")
    #expect(steps[2]["fields"]?.array?.map { $0["value"] } == ["Shared › Boat", ""] && steps[2]["ingredients"] == [])
  }

  @Test func eachInstanceOfAFeatureIsShown() throws {
    let features = try connections("u-5521", EmulatorSession().emulator)["Fq3Lw8Zt"]?["features"]?.array
    #expect(features?.map { $0["enabled"] } == [true, false, true])
    #expect(features?[0]["title"] == features?[1]["title"] && features?[0]["id"] != features?[1]["id"])
    let regions = (features ?? []).flatMap { $0["steps"]?.array ?? [] }.compactMap { $0["region"]?["event"] }
    #expect(regions == ["entry", "entry", "exit", "both"], "a place without a transition is not a region")
  }

  @Test func aFeatureThatTheUserDoesNotHaveIsDisabled() throws {
    let connections = try connections("u-5521", EmulatorSession().emulator)
    for (id, status, isPending) in [("Ud6Jn1Gs", "never_enabled", false), ("Yb8Cz3Ve", "enabled", true)] {
      let shown = connections[id]
      #expect(shown?["status"] == .string(status) && shown?["pending"] == .bool(isPending))
      #expect(shown?["features"]?.array?.map { $0["enabled"] } == [false])
      #expect(steps(shown).allSatisfy { $0["id"] == .null && $0["region"] == .null } && !steps(shown).isEmpty)
      #expect(steps(shown).flatMap { $0["fields"]?.array ?? [] }.allSatisfy { $0["value"] == .null })
      #expect(steps(shown)[0]["ingredients"]?.array?.map { $0["name"] } == ["OccurredAt"])
    }
  }

  @Test func changesAreShown() throws {
    var session = EmulatorSession()
    _ = session.post("/v2/connections/Kd7Rn2Qx/disable", [.token])
    _ = session.put("/v2/connections/Fq3Lw8Zt/user_connection", [.token], body: ["user_features": []])
    let connections = try connections("u-5521", session.emulator)
    #expect(connections["Kd7Rn2Qx"]?["status"] == "disabled" && connections["Kd7Rn2Qx"]?["enabled_count"] == 47)
    #expect(connections["Fq3Lw8Zt"]?["features"]?.array?.map { $0["enabled"] } == [false, false])
  }

  @Test func usersOfEachServiceHaveItsConnections() throws {
    var seed = SandboxSeed(.plain)
    (seed.generatedUsers, seed.generated) = (3, 2)
    let emulator = Emulator(state: .seed, seed: seed)
    #expect(try connections("90210", emulator).keys.sorted() == [SandboxFixtures.foreignConnectionID])
    let own = try connections("u-5521", emulator)
    #expect(Set(own.keys) == Set(SandboxFixtures.ownConnectionIDs))
    #expect(try connections("u-0000002", emulator) == own)
    for id in ["u-0000004", "", "u-5521 ", "\u{0}"] {
      let error = #expect(throws: InspectionError.self) { try connections(id, emulator) }
      #expect(error?.kind == .notFound)
    }
  }

  @Test func usersAreListedWithTheirTokens() throws {
    var session = EmulatorSession()
    let users = session.emulator.users(from: 0).users
    #expect(users == Array(SandboxFixtures.users.prefix(2)))
    for user in users {
      #expect(session.get("/v2/me", [.bearer(user.userToken)]).json["user_login"]?.string == user.login)
    }
  }
}
