import IFTTT
import JSON
import ProgramDriver
import Sandbox
import Session
import Support
import Testing

@testable import DeveloperCommands

/// `sandbox seed --definition`, and the options for a partner's server.
@Suite struct DefinedSeedTests {
  private func seed(_ definition: String) throws -> JSONValue {
    let json = DefinedSeed(try ServiceDefinition(parsing: Array(definition.utf8))).json
    _ = try SandboxSeed(parsing: json.bytes)
    return json
  }

  @Test func theExampleHasAConnectionForEachTrigger() throws {
    let json = try seed(Checkout.text("Examples/service/definition.json"))
    #expect(json["services"]?.array?.first?["authentication"] == "oauth2")
    let connections = try #require(json["connections"]?.array)
    #expect(
      connections.map { $0["name"] }
        == ["A lamp is switched on", "Any lamp is switched on", "A lamp of a room is switched on"])
    let triggers = connections.map { $0["features"]?.array?.first?["triggers"]?.array?.first }
    #expect(triggers.map { $0?["validation"] } == [nil, nil, "contextual"])
    let feature = try #require(connections[0]["features"]?.array?.first)
    #expect(connections[0]["features"]?.array?.count == 1, "one action")
    let steps = ["triggers", "queries", "actions"].map { feature[$0]?.array?.map { $0["slug"] } }
    #expect(steps == [["lamp_switched_on"], ["list_lamps"], ["set_scene"]])
    let fields = feature["actions"]?.array?.first?["fields"]?.array
    #expect(fields?.map { $0["type"] } == ["COLLECTION_SELECT", "TEXT_FIELD"])
    #expect(fields?.last?["preset"] == "{{lamp}}", "the first ingredient")
  }

  /// A preset is either a valid value or none: a text with options has none, and one without a trigger either.
  @Test func aPresetIsValid() throws {
    let fields = #"[{"id":"a","type":"TEXT_FIELD","options":true},{"id":"b","type":"TEXT_FIELD"}]"#
    for (triggers, expected) in [
      (#"[{"id":"t","ingredients":[{"id":"at"}]}]"#, [nil, "{{at}}"]), ("[]", [nil, nil]),
    ] as [(String, [JSONValue?])] {
      let json = try seed(#"{"triggers":\#(triggers),"actions":[{"id":"x","fields":\#(fields)}]}"#)
      let feature = json["connections"]?.array?.first?["features"]?.array?.first
      let found = feature?["actions"]?.array?.first?["fields"]?.array?.map { $0["preset"] }
      #expect(found == expected, "\(json.text)")
    }
  }

  @Test func everyPairOfATriggerAndAnActionOccurs() throws {
    let json = try seed(
      #"{"service":{"authentication":"none"},"triggers":[{"id":"a"},{"id":"b"}],"actions":[{"id":"x"},{"id":"y"}]}"#)
    #expect(json["services"]?.array?.first?["authentication"] == "none")
    let pairs = json["connections"]?.array?.flatMap { connection in
      (connection["features"]?.array ?? []).map { feature in
        ["triggers", "actions"].map { feature[$0]?.array?.first?["slug"]?.string }
      }
    }
    #expect(pairs == [["a", "x"], ["a", "y"], ["b", "x"], ["b", "y"]])
  }

  @Test func aServiceWithoutTriggersHasOneConnection() throws {
    #expect(try seed(#"{"queries":[{"id":"q"}]}"#)["connections"]?.array?.count == 1)
    #expect(try seed(#"{"service":{"id":"lampost"}}"#)["connections"]?.array?.count == 1)
  }

  @Test func anInvalidDefinitionIsRejected() {
    let sandbox = ServedSandbox()
    let path = sandbox.folder.write("definition.json", #"{"service":{"id":"a b"}}"#)
    let run = sandbox.run("sandbox seed --definition \(path)")
    #expect(run.exit == .failure && run.errors.contains("services[0].id"), "\(run.errors)")
    sandbox.folder.write("definition.json", "[]")
    #expect(sandbox.run("sandbox seed --definition \(path)").errors.contains("it is not a JSON object"))
    #expect(sandbox.run("sandbox seed --definition \(sandbox.folder["none"])").exit == .failure)
  }

  @Test func theOptionsForAServerRequireItsURL() {
    let sandbox = ServedSandbox()
    let key = sandbox.folder.write("key", "k")
    for option in ["--service-key-file", "--access-token-file"] {
      let run = sandbox.run("sandbox start \(option) \(key)")
      #expect(run.exit == .failure && run.errors.contains("\(option) requires --service-url"), "\(run.errors)")
    }
    #expect(sandbox.run("sandbox start --service-url http://127.0.0.1:9/?a=b").exit == .usage)
    let seed = sandbox.folder.write("seed.json", #"{"format":1}"#)
    let run = sandbox.run("sandbox start --service-url http://127.0.0.1:9 --seed \(seed)")
    #expect(run.exit == .failure && run.errors.contains("a service with a key"), "\(run.errors)")
  }
}
