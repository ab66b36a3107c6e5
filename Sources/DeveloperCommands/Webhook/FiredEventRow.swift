import HTTP
import IFTTT
import Output
import Session
import Text

/// An event of the Webhooks service that IFTTT accepted.
struct FiredEventRow: OutputRecord {
  let event: WebhookEvent
  /// IFTTT's text, with secrets masked.
  let message: String

  /// In bytes.
  static let longestMessage = 1000

  static let fields: Fields = [
    Field("event", "The name of the event", column: "EVENT", overflow: .keep) { $0.event.name.description },
    Field("kind", "Whether the event has values or JSON", column: "KIND") { $0.event.kind },
    Field("accepted", "Always true; whether an Applet runs is not known", column: "ACCEPTED") { _ in true },
    Field("message", "IFTTT's text; null if the response has none", column: "MESSAGE") {
      $0.message.isEmpty ? nil : $0.message
    },
  ]
}

extension WebhookEvent.Kind: OutputValue {}

extension Problem {
  /// Why an event was not accepted, or why that is not known.
  init(firing failure: APIError) {
    self.init(failure, subject: "such address of the Webhooks service")
    switch code {
    case .unauthorized, .forbidden:
      message = "the webhooks key was not accepted"
      hint = WebhooksKey.whereToFind
    case .notFound: hint = "Check the base URL of Webhooks."
    case .rateLimited: hint = "Try again\(retryAfter.map { " in \($0) s" } ?? " later")."
    default: break
    }
    if case .http(.transport(let failure, _, _)) = failure, failure.mayHaveArrived {
      hint = "IFTTT may have accepted the event: check https://ifttt.com/activity before you fire it again."
    }
  }
}
