import HTTP
import JSON
import Sandbox
import Testing

/// Testing a trigger (docs/api/connect.md §7.12), which sends the service a webhook (docs/api/service.md §10).
@Suite struct TriggerTestTests {
  private func webhook(of step: String, _ connection: String, body: JSONValue? = nil) throws -> JSONValue? {
    var session = EmulatorSession()
    let path = "/v2/connections/\(connection)/triggers/\(step)/test"
    let response = session.post(path, [.token], json: body ?? [:])
    guard response.status == 204 else { return nil }
    let hooks = session.takeWebhooks()
    #expect(hooks.count == 1 && hooks[0].target == "/ifttt/v1/webhooks/trigger_subscription/fired")
    return try JSONValue(parsing: hooks[0].request.body)
  }

  @Test func aGeofenceTestSendsTheIngredientsOfAnEvent() throws {
    let body = try #require(try webhook(of: "location.exit_region_location", "Kd7Rn2Qx"))
    #expect(body["data"]?["trigger_id"] == "location.exit_region_location")
    #expect(body["data"]?["user_feature_trigger_id"] == "d27e9a40-5b13-4c68-9f02-3e8a6b7c1d54")
    let ingredients = body["event_data"]?["ingredients"]?.object
    #expect(ingredients?.members.map(\.key) == ["OccurredAt", "LocationMapUrl", "LocationMapImageUrl"])
  }

  @Test func anotherServicesTriggerSendsTheTime() throws {
    let body = try #require(try webhook(of: "skyglass.wind_at_point", "Fq3Lw8Zt"))
    #expect(body["data"]?["connection_id"] == "Fq3Lw8Zt")
    #expect(body["event_data"]?["ingredients"]?.object?.members.map(\.key) == ["OccurredAt"])
  }

  /// IFTTT's webhooks also contain a key that receivers do not know.
  @Test func webhooksHaveOneUnknownKey() throws {
    let body = try #require(try webhook(of: "skyglass.wind_at_point", "Fq3Lw8Zt")?.object)
    #expect(body.members.count { !["sent_at", "data", "event_data"].contains($0.key) } == 1)
  }

  @Test func aRejectedTestFiresNothing() throws {
    #expect(try webhook(of: "location.nothing", "Kd7Rn2Qx") == nil)
    var session = EmulatorSession()
    _ = session.post("/v2/connections/Kd7Rn2Qx/triggers/location.nothing/test", [.token], json: [:])
    #expect(session.takeWebhooks().isEmpty)
  }
}
