import HTTP
import JSON
import Testing
import Text
import World

@testable import IFTTT

/// What the responses of triggers and actions decide. Without a server: a function responds to the probes.
@Suite struct StepProbesTests {
  private struct Zeros: RandomBytes {
    func bytes(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }
  }

  /// A request, as the scripted server sees it.
  private struct Received {
    let endpoint: String
    let body: JSONObject
    let hasRightKey: Bool
    var hasExtraData: Bool { body.members.contains { $0.key.hasPrefix("random_") } }
  }

  private typealias Reply = (status: Int, body: String)
  private static let unauthorized: Reply = (401, #"{"errors":[{"message":"No."}]}"#)
  private static let badRequest: Reply = (400, #"{"errors":[{"message":"Bad."}]}"#)

  private static func events(_ ids: [String]) -> Reply {
    let rows = ids.map { #"{"lamp":"a","meta":{"id":"\#($0)","timestamp":1772647500}}"# }
    return (200, #"{"data":[\#(rows.joined(separator: ","))]}"#)
  }

  /// The results of a test of a server without sign-in.
  private func test(
    samples: String, definition: String? = nil, only: [String] = [], _ server: (Received) -> Reply
  ) throws -> [ServiceCheckResult] {
    let plan = ServiceTestPlan(
      ServiceRequests(ServiceURL(prefix: try WebURL(parsing: "https://a.test")), isTest: true, random: Zeros()),
      serviceKey: Secret(word: "k"), definition: try definition.map { try ServiceDefinition(parsing: Array($0.utf8)) },
      selection: CheckSelection(only: try only.map { try #require(CheckSelection.Name(parsing: $0)) }))
    var (probes, results) = (plan.opening, [ServiceCheckResult]())
    while !probes.isEmpty {
      var next: [Probe] = []
      for probe in probes {
        let body = try probe.request.body.flatMap { $0.isEmpty ? nil : try JSONValue(parsing: $0).object } ?? [:]
        let received = Received(
          endpoint: probe.endpoint.description, body: body,
          hasRightKey: probe.request.header("IFTTT-Service-Key") == "k")
        let reply: Reply =
          probe.endpoint == .testSetup && received.hasRightKey
          ? (200, #"{"data":{"samples":\#(samples)}}"#) : server(received)
        var response = Response(status: reply.status, body: Array(reply.body.utf8))
        response.headers = [HeaderField("content-type", "application/json; charset=utf-8")]
        let found = probe.receive(ServiceExchange(request: probe.request, result: .success(response)), plan.selection)
        results += found.results
        next += found.next
      }
      probes = next
    }
    return results
  }

  private func outcome(_ check: ServiceCheck, in results: [ServiceCheckResult]) -> ServiceCheckResult.Outcome? {
    results.first { $0.check == check }?.outcome
  }

  /// A server that validates the body before it looks at the key.
  @Test(arguments: ["triggers", "actions", "queries"]) func onlyOneCheckFailsBecauseOfTheRandomKey(_ kind: String)
    throws
  {
    let results = try test(samples: #"{"\#(kind)":{"on":{}}}"#, only: [kind]) { received in
      if received.hasExtraData { return Self.badRequest }
      guard received.hasRightKey else { return Self.unauthorized }
      guard received.body["limit"] != 0 else { return (200, #"{"data":[]}"#) }
      return kind == "actions"
        ? (200, #"{"data":[{"id":"x"}]}"#) : Self.events(received.body["limit"] == 1 ? ["c"] : ["c", "b", "a"])
    }
    let failed = results.filter { $0.outcome == .failed }.map(\.check.name)
    #expect(failed.filter { $0 != "cursor" } == ["with-extra-data"], "\(results)")
    #expect(outcome(.wrongKey, in: results) == .passed)
  }

  @Test func aWebhookWithAWrongKeyIsJudgedWithoutTheRandomKey() throws {
    let url = ServiceURL(prefix: try WebURL(parsing: "https://a.test"))
    let plan = ServiceTestPlan(
      ServiceRequests(url, isTest: true, random: Zeros()), serviceKey: Secret(word: "k"), sendsWebhooks: true,
      selection: CheckSelection(only: [.part(.webhooks)]))
    for probe in plan.opening {
      let rejected = ServiceExchange(
        request: probe.request, result: .success(Response(status: 400, body: Array(Self.badRequest.body.utf8))))
      let next = probe.receive(rejected, plan.selection).next
      #expect(next.count == 1)
      #expect(next.allSatisfy { !String(decoding: $0.request.body ?? [], as: UTF8.self).contains("random_") })
    }
  }

  @Test func aMissingFieldsObjectIsNamed() throws {
    let results = try test(samples: #"{"triggers":{"on":{"lamp":"a"}}}"#) { received in
      received.hasRightKey ? Self.events(["c", "b", "a"]) : Self.unauthorized
    }
    let message = results.first { $0.check == .missingFields }?.message
    #expect(message?.hasPrefix(#"without "triggerFields": expected 400"#) == true, "\(message ?? "nil")")
  }

  @Test(
    arguments: [
      (["c", "b", "a"], ["c", "b", "a"], .passed), (["c", "b", "a"], ["d", "c", "b", "a"], .passed),
      (["c", "b", "a"], ["z", "y", "x"], .warning), (["c", "b", "a"], ["c", "b", "x"], .warning),
      (["c", "b", "a"], ["c", "b"], .passed), ([], ["c"], .skipped),
    ] as [([String], [String], ServiceCheckResult.Outcome)])
  func idsMustBeStable(first: [String], second: [String], expected: ServiceCheckResult.Outcome) throws {
    let results = try test(samples: #"{"triggers":{"on":{}}}"#, only: ["stable-ids"]) { received in
      Self.events(received.body["limit"] == nil ? second : first)
    }
    #expect(results.map(\.outcome) == [expected], "\(results.map(\.message))")
  }

  @Test(
    arguments: [
      (200, #"{"data":[{"id":"x"}]}"#, .warning), (400, #"{"errors":[{"status":"SKIP","message":"No."}]}"#, .passed),
      (400, #"{"errors":[{"message":"No."}]}"#, .failed), (200, "{}", .failed), (503, "{}", .failed),
    ] as [(Int, String, ServiceCheckResult.Outcome)])
  func anActionThatRunsInsteadOfBeingSkippedWarns(
    status: Int, body: String, expected: ServiceCheckResult.Outcome
  ) throws {
    let samples = #"{"actions":{"set":{"note":"x"}},"actionRecordSkipping":{"set":{"note":""}}}"#
    let results = try test(samples: samples, only: ["record-skipping"]) { received in
      received.body["actionFields"] == ["note": ""] ? (status, body) : (200, #"{"data":[{"id":"x"}]}"#)
    }
    #expect(results.map(\.outcome) == [expected], "\(results.map(\.message))")
  }

  @Test(
    arguments: [
      // IFTTT's own sample service has this.
      (#"{"actionRecordSkipping":{"set":{"invalid":"true"}}}"#, nil, .warning, "samples.actions.set is missing"),
      (#"{}"#, #"{"actions":[{"id":"plain"}]}"#, .warning, "samples.actions.plain is missing"),
      (
        #"{"actionRecordSkipping":{"set":{"n":""}}}"#, #"{"actions":[{"id":"set","fields":[{"id":"n"}]}]}"#, .failed,
        "samples.actions.set is missing"
      ),
      (
        #"{"triggers":{"on":{"lamp":"a"},"triggerFieldValidations":{"on":{"lamp":{"valid":"a","invalid":"b"}}}}}"#, nil,
        .failed, "samples.triggers.triggerFieldValidations must be samples.triggerFieldValidations"
      ),
      (
        #"{"triggers":{"on":{"lamp":"a","triggerFieldValidations":{"lamp":{"valid":"a","invalid":"b"}}}}}"#, nil,
        .failed, "samples.triggers.on.triggerFieldValidations must be samples.triggerFieldValidations.on"
      ),
      (
        #"{"actions":{"set":{},"actionRecordSkipping":{"set":{}}}}"#, nil, .failed,
        "samples.actions.actionRecordSkipping must be samples.actionRecordSkipping"
      ),
    ] as [(String, String?, ServiceCheckResult.Outcome, String)])
  func samplesAreJudgedAsIFTTTReadsThem(
    samples: String, definition: String?, expected: ServiceCheckResult.Outcome, message: String
  ) throws {
    let results = try test(samples: samples, definition: definition, only: ["setup-samples"]) { _ in
      Self.unauthorized
    }
    #expect(results.map(\.outcome) == [expected])
    #expect(results.map(\.message) == [message])
  }

  @Test func aMisplacedPartIsNoTrigger() throws {
    var endpoints: Set<String> = []
    _ = try test(samples: #"{"triggers":{"triggerFieldValidations":{"on":{}}}}"#) { received in
      endpoints.insert(received.endpoint)
      return Self.unauthorized
    }
    #expect(!endpoints.isEmpty && endpoints.allSatisfy { !$0.hasPrefix("triggers/") }, "\(endpoints)")
  }
}
