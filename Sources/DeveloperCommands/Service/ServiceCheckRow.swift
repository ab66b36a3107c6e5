import IFTTT
import Output
import Session

extension ServiceCheckResult.Outcome: OutputValue {}
extension ServicePart: OutputValue {}

/// The result of one check.
struct ServiceCheckRow: OutputRecord {
  let result: ServiceCheckResult

  init(_ result: ServiceCheckResult) { self.result = result }

  static let fields: Fields = [
    Field("check", "The name of the check", column: "CHECK", overflow: .keep) { $0.result.check.name },
    Field("part", "The part of the service API that the check belongs to") { $0.result.part },
    Field(
      "endpoint", "The path of the endpoint below /ifttt/v1", column: "ENDPOINT", overflow: .elide(least: endpointWidth)
    ) { $0.result.endpoint.description },
    Field("result", "The result of the check", column: "RESULT", overflow: .keep, place: 1) { $0.result.outcome },
    Field("message", "The deviation, or why the check was skipped", column: "MESSAGE") { $0.result.message },
    Field("advice", "Why IFTTT requires it, or what to do; null unless the check failed") { $0.advice },
    Field("request_id", "The X-Request-ID of the request that decided the check") { $0.result.exchange?.requestID },
    Field("elapsed_ms", "The time until the response, in milliseconds") {
      $0.result.exchange.map { Int($0.time / .milliseconds(1)) }
    },
  ]

  /// The least width of an endpoint in a table. Both ends are shown, because the end of a field's endpoint says whether it
  /// has the options or the validation.
  static let endpointWidth = 24

  private var advice: String? {
    result.outcome == .failed || result.outcome == .warning ? result.check.advice : nil
  }
}

/// A check as `--list` prints it.
struct ListedCheckRow: OutputRecord {
  let check: ServiceCheck
  let part: ServicePart
  /// The endpoint that the definition names, or its form.
  let endpoint: String

  static let fields: Fields = [
    Field("check", "The name of the check", column: "CHECK", overflow: .keep) { $0.check.name },
    Field("part", "The part of the service API that the check belongs to") { $0.part },
    Field(
      "endpoint", "The endpoint, or its form", column: "ENDPOINT",
      overflow: .elide(least: ServiceCheckRow.endpointWidth)
    ) { $0.endpoint },
    Field("proves", "What a passed check proves", column: "PROVES") { $0.check.proves },
    Field("advice", "Why IFTTT requires it, or what to do if it fails") { $0.check.advice },
  ]

  static func all(
    _ selection: CheckSelection, _ definition: ServiceDefinition?, sendsWebhooks: Bool, testsSignIn: Bool
  ) -> [ListedCheckRow] {
    ServicePart.allCases.filter { ($0 != .webhooks || sendsWebhooks) && ($0 != .signIn || testsSignIn) }.flatMap {
      part in
      ListedEndpoint.all(of: part, definition).flatMap { endpoint in
        endpoint.checks.filter { selection.includes($0, part, endpoint.path) }.map {
          ListedCheckRow(check: $0, part: part, endpoint: endpoint.path.description)
        }
      }
    }
  }
}
