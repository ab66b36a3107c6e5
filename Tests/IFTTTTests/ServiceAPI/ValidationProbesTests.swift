import HTTP
import JSON
import Testing
import Text
import World

@testable import IFTTT

/// Which requests validate the fields of a trigger, and what their responses decide. Without a server: a function
/// responds to the probes.
@Suite struct ValidationProbesTests {
  private static let contextual = "triggers/on/validate"
  private static let single = ["triggers/on/fields/room/validate", "triggers/on/fields/lamp/validate"]

  private static let setup = #"""
    {"data":{"samples":{
      "triggers":{"on":{"room":"r","lamp":"l","color":"red"}},
      "triggerFieldValidations":{"on":{
        "room":{"valid":"r1","invalid":"r0"},"lamp":{"valid":"l1","invalid":"l0"}}}}}}
    """#

  private static func definition(_ validation: String) -> String {
    #"""
    {"triggers":[{"id":"on"\#(validation),"fields":[
      {"id":"room","validation":true},{"id":"lamp","validation":true},{"id":"color"}]}]}
    """#
  }

  private struct Zeros: RandomBytes {
    func bytes(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }
  }

  /// A server's response to the values of a request, given the endpoint.
  private typealias Server = (_ endpoint: String, _ body: JSONValue) -> (status: Int, data: String)

  /// What a test of the validation sent and found.
  private struct Outcome {
    var requests: [(endpoint: String, body: JSONValue)] = []
    var results: [ServiceCheckResult] = []

    var endpoints: [String] { requests.map(\.endpoint) }
    /// The checks with this outcome, by endpoint.
    func checks(_ outcome: ServiceCheckResult.Outcome) -> Set<String> {
      Set(results.filter { $0.outcome == outcome }.map { "\($0.check.name) \($0.endpoint)" })
    }
    func messages(_ check: ServiceCheck) -> [String?] { results.filter { $0.check == check }.map(\.message) }
  }

  /// Test a server that is without sign-in, and rejects the key `INVALID`.
  private func test(
    _ definition: String?, only: [String] = ["validation"], skip: [String] = [], _ server: Server
  ) throws -> Outcome {
    func names(_ texts: [String]) throws -> [CheckSelection.Name] {
      try texts.map { try #require(CheckSelection.Name(parsing: $0)) }
    }
    let url = ServiceURL(prefix: try WebURL(parsing: "https://a.test"))
    let plan = ServiceTestPlan(
      ServiceRequests(url, isTest: true, random: Zeros()), serviceKey: Secret(word: "k"),
      definition: try definition.map { try ServiceDefinition(parsing: Array($0.utf8)) },
      selection: CheckSelection(only: try names(only), skip: try names(skip)))
    var outcome = Outcome()
    var probes = plan.opening
    while !probes.isEmpty {
      var next: [Probe] = []
      for probe in probes {
        let body = try JSONValue(parsing: probe.request.body.flatMap { $0.isEmpty ? nil : $0 } ?? Array("{}".utf8))
        var (status, text) = (401, #"{"errors":[{"message":"No."}]}"#)
        if probe.endpoint == .testSetup {
          (status, text) = (200, Self.setup)
        } else if probe.request.header("IFTTT-Service-Key") != "INVALID" {
          let response = server(probe.endpoint.description, body)
          (status, text) = (response.status, #"{"data":\#(response.data)}"#)
          outcome.requests.append((probe.endpoint.description, body))
        }
        var response = Response(status: status, body: Array(text.utf8))
        response.headers = [HeaderField("content-type", "application/json; charset=utf-8")]
        let found = probe.receive(ServiceExchange(request: probe.request, result: .success(response)), plan.selection)
        outcome.results += found.results
        next += found.next
      }
      probes = next
    }
    return outcome
  }

  /// A server with contextual validation: the lamp `l1` is in the room `r1`.
  private static func validates(_ endpoint: String, _ body: JSONValue) -> (status: Int, data: String) {
    guard endpoint == contextual else { return (404, "null") }
    func result(_ name: String, _ right: String) -> String {
      body["values"]?[name] == .string(right)
        ? #""\#(name)":{"valid":true}"# : #""\#(name)":{"valid":false,"message":"No."}"#
    }
    return (200, "{\(result("room", "r1")),\(result("lamp", "l1"))}")
  }

  private static func all(_ endpoint: String) -> Set<String> {
    let checks = ["content-type", "with-extra-data", "wrong-key", "valid-value", "invalid-value", "validation-message"]
    return Set(checks.map { "\($0) \(endpoint)" })
  }

  @Test func aContextualTriggerIsValidatedAsAWhole() throws {
    let outcome = try test(Self.definition(#","validation":"contextual""#), Self.validates)
    #expect(outcome.checks(.passed) == Self.all(Self.contextual).union(["field-results \(Self.contextual)"]))
    #expect(outcome.results.allSatisfy { $0.outcome == .passed })
    #expect(outcome.endpoints == [Self.contextual, Self.contextual, Self.contextual])
    let values = outcome.requests.map { $0.body["values"] }
    #expect(
      values == [
        ["room": "r1", "lamp": "l1", "color": "red"], ["room": "r0", "lamp": "l1", "color": "red"],
        ["room": "r1", "lamp": "l0", "color": "red"],
      ])
    #expect(
      outcome.requests.allSatisfy { request in
        request.body.object?.members.contains { $0.key.hasPrefix("random_") } == true
      })
  }

  @Test func otherTriggersAreValidatedFieldByField() throws {
    let outcome = try test(Self.definition("")) { _, body in
      (200, body["value"]?.string?.last == "1" ? #"{"valid":true}"# : #"{"valid":false,"message":"No."}"#)
    }
    #expect(Set(outcome.endpoints) == Set(Self.single))
    #expect(outcome.checks(.passed) == Self.all(Self.single[0]).union(Self.all(Self.single[1])))
  }

  @Test(
    arguments: [
      (#"{"room":{"valid":true},"lamp":{"valid":true}}"#, ["invalid-value"], "data.room.valid is true"),
      (
        #"{"room":{"valid":false},"lamp":{"valid":false}}"#, ["valid-value", "validation-message"], "data.room.message"
      ),
      (#"{"room":{"valid":true}}"#, ["field-results", "invalid-value"], #"data has no result for "lamp""#),
      (#"{"valid":true}"#, ["field-results"], #"data has no result for "room", "lamp""#),
      ("[]", ["field-results"], "data has no result"),
      (#"{"room":{"valid":"yes"},"lamp":{"valid":true}}"#, ["valid-value", "invalid-value"], "neither true nor false"),
    ])
  func deviationsFailTheirChecks(data: String, checks: [String], words: String) throws {
    let outcome = try test(Self.definition(#","validation":"contextual""#)) { _, _ in (200, data) }
    #expect(outcome.checks(.failed) == Set(checks.map { "\($0) \(Self.contextual)" }))
    #expect(outcome.results.contains { $0.outcome == .failed && $0.message?.contains(words) == true })
  }

  @Test func invalidValuesMustNotLeadToAnError() throws {
    let outcome = try test(Self.definition(#","validation":"contextual""#)) { endpoint, body in
      let right = Self.validates(endpoint, body)
      return right.data.contains("No.") ? (400, "null") : right
    }
    #expect(outcome.checks(.failed) == ["invalid-value \(Self.contextual)"])
    let messages = outcome.messages(.invalidValue)
    #expect(messages.count == 2 && messages[1]?.hasPrefix(#"with an invalid "lamp": expected 200"#) == true)
  }

  @Test func withoutADefinitionA404LeadsToTheOtherForm() throws {
    let outcome = try test(nil, Self.validates)
    #expect(outcome.checks(.passed) == Self.all(Self.contextual).union(["field-results \(Self.contextual)"]))
    #expect(outcome.results.allSatisfy { $0.outcome == .passed })
    #expect(outcome.endpoints == [Self.single[0]] + [String](repeating: Self.contextual, count: 3))
  }

  @Test func withoutADefinitionAndAnyValidationEachFieldFails() throws {
    let outcome = try test(nil) { _, _ in (404, "null") }
    #expect(
      outcome.checks(.failed)
        == Set(Self.single.flatMap { ["valid-value \($0)", "invalid-value \($0)"] }))
    #expect(outcome.endpoints.filter { $0 == Self.contextual }.count == 1)
  }

  @Test func selectedEndpointsAreTestedAlone() throws {
    let named = try test(nil, only: [Self.contextual], Self.validates)
    #expect(Set(named.endpoints) == [Self.contextual] && !named.results.isEmpty)
    let other = try test(nil, only: [Self.single[1]], Self.validates)
    #expect(Set(other.endpoints) == [Self.single[1]])
    #expect(other.checks(.failed) == ["valid-value \(Self.single[1])", "invalid-value \(Self.single[1])"])
    #expect(try test(nil, skip: ["validation"], Self.validates).results.isEmpty)
  }
}
