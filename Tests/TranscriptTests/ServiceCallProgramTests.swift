import Foundation
import Support
import Testing

/// `service call` and the example of a partner's server.
@Suite(.enabled(if: Tool.isInstalled("python3") && Tool.isInstalled("curl"), "skipped: needs python3 and curl"))
struct ServiceCallProgramTests {
  private static let key = ["IFTTT_SERVICE_KEY": PartnerServer.serviceKey]

  @Test func printsTheRowsOfEachKind() throws {
    let server = try PartnerServer(["--no-sign-in"])
    let home = Home(nil, Self.key)
    func call(_ words: String...) throws -> Home.Outcome { try home.run(["service", "call", server.url] + words) }
    let trigger = try call("triggers/lamp_switched_on", "--set", "lamp=garden-2", "--limit", "1", "--json")
    #expect(
      trigger.text.contains(#"{"lamp":"garden-2","switched_at":"2026-03-04T18:05:00+00:00","brightness":"40","meta":"#))
    let query = try call("queries/list_lamps", "--set", "room=garden", "--limit", "1", "-o", "csv", "--no-header")
    #expect(query.text == "garden-2,Pond,true\n")
    #expect(query.errors.contains("The cursor of the next page: garden-1"))
    let next = try call("queries/list_lamps", "--set", "room=garden", "--cursor", "garden-1", "--json")
    #expect(next.status == 0 && !next.text.contains("garden-2"))
    let action = try call("actions/set_scene", "--set", "scene=sc_04", "--set", "note=hello", "--json")
    #expect(action.text.contains(#""id":"#), "\(action.errors)")
    #expect(
      try JSONSchemaValidator.problems(
        of: [trigger.text, action.text], against: home.run("schema", "service", "call").text) == [])
    let skipped = try call("actions/set_scene", "--set", "scene=sc_04", "--set", "note=", "--json")
    #expect(skipped.status == 1 && skipped.code == "refused")
    let unknown = try call("triggers/nothing", "--json")
    #expect(unknown.status == 3 && unknown.code == "not_found")
  }

  /// Without a token, that of `test/setup` is used, as IFTTT's endpoint tests do.
  @Test func theTokenComesFromTestSetup() throws {
    let server = try PartnerServer()
    let home = Home(nil, Self.key)
    let outcome = try home.run(
      "service", "call", server.url, "queries/list_lamps", "--set", "room=garden", "--limit", "1", "-o", "tsv",
      "--no-header", "--fields", "lamp")
    #expect(outcome.status == 0 && outcome.text == "garden-2\n", "\(outcome.errors)\(outcome.text)")
    let rejected = try Home(nil, Self.key.merging(["IFTTT_ACCESS_TOKEN": "at_wrong_012345"]) { $1 }).run(
      "service", "call", server.url, "user/info", "--json")
    #expect(rejected.status == 4 && rejected.errors.contains("access token from IFTTT_ACCESS_TOKEN"))
  }

  @Test func everyEndpointCanBeCalled() throws {
    let server = try PartnerServer()
    let home = Home(nil, Self.key)
    let token = try server.accessToken()
    let trigger = "triggers/lamp_switched_on"
    for (words, expected) in [
      ("status", #"{"status":200}"#), ("user/info", #""id":""#), ("test/setup", #""samples":{"#),
      ("\(trigger)/fields/lamp/options", #""label":"#), ("actions/set_scene/fields/scene/options", #""value":"sc_04""#),
      ("\(trigger)/fields/lamp/validate --set value=garden-2", #"{"valid":true}"#),
      ("\(trigger)/fields/lamp/validate --set value=nope", #""valid":false,"message":"#),
      (
        "triggers/lamp_of_room_switched_on/validate --set room=garden --set lamp=garden-2",
        #""field":"lamp","valid":true"#
      ),
      ("\(trigger)/trigger_identity/0123456789abcdef0123456789abcdef01234567", #"{"status":200}"#),
      ("webhooks/connection/enabled", #"{"status":20"#), ("webhooks/trigger_subscription/fired", #"{"status":20"#),
      (
        "\(trigger) --set lamp=garden-2 --timezone Europe/Lisbon --trigger-identity abc --limit 1",
        #""lamp":"garden-2""#
      ),
      ("queries/list_lamps --set room=garden --include name -H X-Note:1 --limit 1", #""lamp":"garden-2""#),
    ] {
      let outcome = try home.run(
        ["service", "call", server.url] + words.split(separator: " ").map(String.init) + ["--json"])
      #expect(outcome.status == 0 && outcome.text.contains(expected), "\(words): \(outcome.errors)\(outcome.text)")
      #expect(!outcome.text.contains(token), "the token of test/setup is masked")
    }
    for words in [
      "nothing", "triggers", "webhooks/connection/other", "status --set a=b", "\(trigger)/validate",
      "\(trigger)/fields/lamp/validate --set lamp=x", "user/info --limit 1", "queries/x --trigger-identity a",
      "actions/x --include a", "status --timezone UTC", "queries/x -H Authorization:x",
    ] {
      let outcome = try home.run(["service", "call", server.url] + words.split(separator: " ").map(String.init))
      #expect(outcome.status == 2, "\(words): \(outcome.errors)")
    }
  }

  @Test func followPrintsOnlyNewEvents() throws {
    let server = try PartnerServer(["--no-sign-in"])
    let home = Home(nil, Self.key)
    let running = try home.start([
      "service", "call", server.url, "triggers/lamp_switched_on", "--set", "lamp=garden-2", "--follow", "--realtime",
      "--interval", "100ms", "-o", "jsonl", "-v",
    ])
    // The second request shows that the first response was read.
    for _ in 0..<2 { _ = running.read(until: "< 200", from: running.errors) }
    for _ in 0..<2 { try server.press("garden-2") }
    let events = [running.read(until: "\n"), running.read(until: "\n")]
    #expect(events.allSatisfy { $0.hasPrefix(#"{"lamp":"garden-2""#) && !$0.contains("ev-3107") })
    #expect(Set(events).count == 2)
    running.signal(2)
    #expect(running.wait() == 130)
  }
}
