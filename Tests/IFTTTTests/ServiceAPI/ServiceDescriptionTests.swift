import JSON
import Support
import Testing

@testable import IFTTT

/// The description of a partner's server, for any service and for the one in a definition.
@Suite struct ServiceDescriptionTests {
  private func described(_ definition: String?) throws -> JSONValue {
    let definition = try definition.map { try ServiceDefinition(parsing: Array($0.utf8)) }
    return ServiceDescription(definition, version: "1").json
  }

  private func paths(_ json: JSONValue) -> [String] { json["paths"]?.object?.members.map(\.key) ?? [] }

  @Test func describesEveryEndpointOfAnyService() throws {
    let paths = try paths(described(nil))
    let steps = ["triggers/{trigger}", "queries/{query}", "actions/{action}"]
    let webhooks = ["connection/enabled", "connection/updated", "connection/disabled", "trigger_subscription/fired"]
    let expected =
      ["status", "test/setup", "user/info"] + steps + steps.map { "\($0)/fields/{field}/options" }
      + ["fields/{field}/validate", "validate", "trigger_identity/{trigger_identity}"].map {
        "triggers/{trigger}/\($0)"
      }
      + webhooks.map { "webhooks/\($0)" }
    #expect(Set(paths) == Set(expected.map { "/ifttt/v1/\($0)" }))
  }

  @Test func aDefinitionHasAPathForEachStepAndField() throws {
    let json = try described(Checkout.text("Examples/service/definition.json"))
    let paths = Set(paths(json))
    for path in [
      "triggers/lamp_switched_on", "triggers/lamp_switched_on/fields/lamp/options",
      "triggers/lamp_switched_on/fields/lamp/validate", "triggers/lamp_of_room_switched_on/validate",
      "triggers/any_lamp_switched_on/trigger_identity/{trigger_identity}", "queries/list_lamps/fields/room/options",
      "actions/set_scene/fields/scene/options", "user/info",
    ] { #expect(paths.contains("/ifttt/v1/\(path)"), "\(path)") }
    // Fields that depend on each other are validated together only.
    #expect(!paths.contains("/ifttt/v1/triggers/lamp_of_room_switched_on/fields/lamp/validate"))
    #expect(!paths.contains { $0.contains("{trigger}") || $0.contains("{field}") })
    let schemas = try #require(json["components"]?["schemas"])
    let request = schemas["action_set_scene_request"]?["properties"]?["actionFields"]
    #expect(request?["required"] == ["scene", "note"])
    let row = schemas["trigger_lamp_switched_on_response"]?["properties"]?["data"]?["items"]
    #expect(row?["required"] == ["lamp", "switched_at", "brightness", "meta"])
    #expect(row?["properties"]?["switched_at"]?["format"] == "date-time")
    #expect(json["info"]?["title"] == "Lampost Lights")
  }

  @Test func aServiceWithoutSignInHasNoUsers() throws {
    let json = try described(#"{"service":{"authentication":"none"},"triggers":[{"id":"a b"},{"id":"a_b"}]}"#)
    #expect(!paths(json).contains("/ifttt/v1/user/info"))
    let trigger = json["paths"]?["/ifttt/v1/triggers/a%20b"]?["post"]
    #expect(trigger?["security"] == [["ServiceKey": []]])
    // Names are unique, although a name cannot have the space.
    #expect(trigger?["operationId"] == "trigger_a_b")
    #expect(json["paths"]?["/ifttt/v1/triggers/a_b"]?["post"]?["operationId"] == "trigger_a_b_2")
  }

  /// The webhooks that the program sends conform to the description of their bodies.
  @Test func theWebhooksConform() throws {
    let json = try described(nil)
    let cases = try ServiceWebhook.samples.map { webhook in
      let schema: JSONValue = [
        "$ref": .string("#/components/schemas/\(webhook.event)Webhook"), "components": try #require(json["components"]),
      ]
      return JSONSchemaValidator.Case(schema: schema.text, documents: [JSONValue.object(webhook.body).text])
    }
    #expect(cases.count == 4)
    #expect(try JSONSchemaValidator.problems(in: cases) == [])
  }
}
