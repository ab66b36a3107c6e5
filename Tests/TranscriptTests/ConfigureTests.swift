import Foundation
import Support
import Testing

/// Configuring and using a connection through a server that rejects every unknown member.
@Suite struct ConfigureTests {
  let server: Server
  let home: Home
  private static let asService = ["IFTTT_SERVICE_KEY": Known.serviceKey, "IFTTT_USER_ID": Known.oddUser]

  init() throws {
    server = try Server()
    home = Home(server, Self.asService)
  }

  private func lines() throws -> [String] { try server.requests().map { "\($0.level) \($0.line)" } }

  private static let user = "user_id=kai%20%26%20co%2F%C3%BC%2B1%25"

  @Test func settingAFieldKeepsTheOthers() throws {
    let before = try home.run([
      "connections", "show", "conf-1", "--json", "--as", "service", "--fields", "configuration",
    ])
    let set = try home.run("configure", "conf-1", "--set", "scene=Evening", "--set", "calendar=Garden")
    #expect(set.status == 0, "\(set.errors)")
    #expect(set.text.contains("Evening"))
    let after = try home.run([
      "connections", "show", "conf-1", "--json", "--as", "service", "--fields", "configuration",
    ])
    #expect(
      after.text
        == before.text.replacing("sc_4;=+", with: "sc_1").replacing("Night; =+", with: "Evening").replacing(
          #""group":"Shared","label":"Boat","value":"cal_b""#, with: #""group":null,"label":"Garden","value":"cal_a""#))
    var sent = try lines()
    // Both requests are sent in parallel, and may arrive in either order.
    if sent.count > 4 { sent[2...3].sort { $0.count < $1.count } }
    #expect(
      sent == [
        "service GET /v2/connections/conf-1?\(Self.user)", "service GET /v2/connections/conf-1?\(Self.user)",
        "service GET /v2/connections/conf-1/features/mw4tq9hzjc/field_options?\(Self.user)",
        "service GET /v2/connections/conf-1/features/mw4tq9hzjc/actions/tidebook.add_entry/field_options?\(Self.user)",
        "service PUT /v2/connections/conf-1/user_connection?\(Self.user)",
        "service GET /v2/connections/conf-1?\(Self.user)", "service GET /v2/connections/conf-1?\(Self.user)",
      ])
  }

  @Test func configurationsRoundTrip() throws {
    let shown = try home.run("connections", "show", "conf-2", "--json", "--as", "service")
    let put = try home.run(["configure", "conf-2", "--file", "-"], input: shown.text)
    #expect(put.status == 0)
    #expect(put.errors == "There is nothing to change.\n")
    #expect(try !lines().contains { $0.contains("PUT") })
  }

  @Test func aUserTokenIdentifiesItsUser() throws {
    let set = try home.run(
      ["configure", "conf-3", "--set", "name=Attic", "--as", "user"], ["IFTTT_USER_TOKEN": Known.userToken])
    #expect(set.status == 0, "\(set.errors)")
    #expect(try lines().last == "user GET /v2/connections/conf-3")
    #expect(try lines().contains("user PUT /v2/connections/conf-3/user_connection"))
  }

  @Test func configuresASkippedConfiguration() throws {
    #expect(try home.run("connections", "run", "conf-skipped-1", "add_entry", "--json").code == "pending")
    #expect(try server.requests().count == 1, "nothing is sent")
    let set = try home.run("configure", "conf-skipped-1", "--set", "scene=sc_1", "--set", "area=1.50,2,300")
    #expect(set.status == 0, "\(set.errors)")
    let body = try #require(try server.requests().first { $0.method == "PUT" }?.body)
    #expect(
      body
        == #"{"user_features":[{"feature_id":"mw4tq9hzjc","enabled":true,"user_fields":[{"field_id":"scene","value":"sc_1"}],"#
        + #""user_feature_triggers":[{"feature_trigger_id":"t1","user_fields":[{"field_id":"area","value":{"lat":1.50,"lng":2,"#
        + #""radius":300}}]}],"user_feature_queries":[{"feature_query_id":"q1","user_fields":[]}],"user_feature_actions":[{"#
        + #""feature_action_id":"a1","user_fields":[]}]}]}"#)
    #expect(try home.run("connections", "run", "conf-skipped-1", "add_entry").status == 0)
  }

  @Test func runsStepsByName() throws {
    let options = try home.run([
      "connections", "options", "conf-4", "scene", "-o", "tsv", "--no-header", "--fields", "value,chosen",
    ])
    #expect(options.text == "sc_1\tfalse\nsc_4;=+\ttrue\n")
    #expect(try home.run("connections", "run", "conf-4", "add_entry", "-f", "calendar=Shared > Boat").status == 0)
    #expect(try home.run("connections", "test", "conf-4", "exit_region_location").status == 0)
    #expect(try home.run("connections", "options", "conf-4", "--refresh").status == 0)
    let rows = try home.run([
      "connections", "query", "conf-4", "list_tides", "--all", "--page-size", "2", "-o", "jsonl", "--fields", "id",
    ])
    #expect(rows.text.split(separator: "\n").count == 6)
    let bodies = try server.requests().filter { $0.method == "POST" && !$0.body.isEmpty }.map(\.body)
    #expect(bodies.first == #"{"user_id":"kai & co/ü+1%","fields":{"calendar":"cal_b"}}"#)
    #expect(bodies.last == #"{"user_id":"kai & co/ü+1%","limit":2,"cursor":"page-2"}"#)
  }

  @Test func aClosedPipeEndsTheQuery() throws {
    let running = try home.start(["connections", "query", "conf-5", "list_tides", "--all", "-o", "jsonl"])
    running.read(until: "\n")
    running.endOutput()
    #expect(running.wait() == 0)
  }

  @Test func promptsCanBeInterrupted() throws {
    let running = try home.start(onTerminal: ["configure", "conf-6"])
    running.read(until: "Press Enter to keep ")
    running.type("\u{3}")
    #expect(running.read(until: "status 130").hasSuffix("status 130"))
    running.type("\n")
    #expect(try !lines().contains { $0.contains("PUT") })
  }

  @Test func promptsConfigureTheConnection() throws {
    let running = try home.start(onTerminal: ["configure", "conf-7"])
    for answer in ["Attic", "1", "", "-", "y"] {
      running.read(until: answer == "y" ? "[y/N] " : ": ")
      running.type(answer + "\n")
    }
    #expect(running.read(until: "status 0").hasSuffix("status 0"))
    running.type("\n")
    let body = try #require(try server.requests().first { $0.method == "PUT" }?.body)
    #expect(body.contains(#""user_fields":[{"field_id":"name","value":"Attic"},{"field_id":"scene","value":"sc_1"}]"#))
    #expect(body.contains(#"{"feature_action_id":"a1","user_fields":[]}"#))
  }
}
