import CommandLine
import JSON
import Output
package import Session
package import Store
import Text
import World

/// A webhook as printed. Members that IFTTT did not send are null, and unknown ones are ignored.
package struct WebhookRow: OutputRecord {
  let stored: StoredWebhook
  let contents: WebhookContents

  package init(_ stored: StoredWebhook) { (self.stored, contents) = (stored, WebhookContents(stored.webhook.body)) }

  var name: String { "\(stored.webhook.type)/\(stored.webhook.event)" }

  /// The fields that identify a webhook, in a list and in its details.
  /// - Parameter overflow: Whether a narrow table truncates these fields.
  static func identity(_ overflow: Column.Overflow) -> Fields {
    [
      Field("id", "The webhook's number in the store", column: "ID", overflow: overflow) { String($0.stored.number) },
      Field("received_at", "The time at which it was received", column: "RECEIVED AT", style: .past, overflow: overflow)
      {
        $0.stored.webhook.receivedAt
      },
      Field("type", "The kind of object it concerns: connection or trigger_subscription", column: "TYPE") {
        $0.stored.webhook.type
      },
      Field("event", "The event: enabled, updated, disabled or fired", column: "EVENT", overflow: overflow) {
        $0.stored.webhook.event
      },
      Field("connection_id", "The connection's id", column: "CONNECTION", overflow: overflow) {
        $0.contents.connectionID
      },
      Field("user_id", "The user's id on the service", column: "USER") { $0.contents.userID },
      Field("trigger_id", "The trigger that fired", column: "TRIGGER") { $0.contents.triggerID },
      Field("ingredients", "The ingredients of the trigger event") { $0.contents.ingredients },
    ]
  }

  package static let fields: Fields =
    identity(.keep) + [
      Field("sent_at", "The time at which IFTTT sent it") { $0.contents.sentAt },
      Field("repeated", "Whether an earlier webhook has the same X-Request-ID", column: "REPEATED") {
        $0.stored.isRepeated
      },
      Field(
        "forwarded", "The status of the last response of the --forward server; null without a response",
        column: "FORWARDED", style: .number
      ) { $0.stored.forwarding?.status },
      Field("exec", "The state of the --exec command: waiting, succeeded or failed; null without one", column: "EXEC") {
        $0.stored.execution?.state.rawValue
      },
    ]

  /// The webhook in one line for people.
  package var line: String {
    var parts = [stored.webhook.receivedAt.rfc3339, String(stored.number), name]
    if let id = contents.connectionID { parts.append("connection \(id)") }
    if let id = contents.userID { parts.append("user \(id)") }
    if let id = contents.triggerID { parts.append("trigger \(id)") }
    for (key, value) in contents.ingredients?.object?.members ?? [] {
      parts.append("\(key)=\(value.string ?? value.text)")
    }
    if let status = stored.forwarding?.status { parts.append("forwarded \(status)") }
    return parts.map { TerminalText.escaped($0.count <= 200 ? $0 : String($0.prefix(200)) + "…") }
      .joined(separator: "  ")
  }
}

/// The members of a webhook's body that are shown (docs/api/service.md §10).
struct WebhookContents {
  let document: JSONValue

  init(_ body: [UInt8]) { document = (try? JSONValue(parsing: body)) ?? .null }

  private var data: JSONValue? { document["data"] }
  var connectionID: String? { data?["connection_id"]?.identifier }
  var userID: String? { data?["user_id"]?.identifier }
  var triggerID: String? { data?["trigger_id"]?.identifier }

  /// The ingredients as an object; nil if they are anything else.
  var ingredients: JSONValue? {
    guard let value = document["event_data"]?["ingredients"], value.object != nil else { return nil }
    return value
  }

  /// The time of sending. IFTTT sends a number of milliseconds; the same digits in a string are accepted too.
  var sentAt: Timestamp? {
    guard let digits = document["sent_at"]?.identifier, let milliseconds = Int64(digits),
      (0...253_402_300_799_999).contains(milliseconds)
    else { return nil }
    return Timestamp(milliseconds: milliseconds)
  }
}

/// The types and events of the webhooks that IFTTT sends (docs/api/service.md §10).
enum WebhookKinds {
  static let types = ["connection", "trigger_subscription"]
  static let events = ["enabled", "updated", "disabled", "fired"]
  static let pairs = [
    "connection/enabled", "connection/updated", "connection/disabled", "trigger_subscription/fired",
  ]

  /// Whether the text may be a part of a webhook's path. IFTTT may add types and events at any time.
  static func isPart(_ text: some StringProtocol) -> Bool {
    (1...100).contains(text.utf8.count)
      && text.utf8.allSatisfy { $0.isLetterOrDigit || "_-".utf8.contains($0) }
  }
}

extension ValueKind<WebhookFilter> {
  /// A selection of webhooks: `connection/enabled`, a type or an event. A single unknown word is most likely misspelled
  /// and would never match, so it is rejected.
  static var webhookType: ValueKind {
    let names = WebhookKinds.types + WebhookKinds.events + WebhookKinds.pairs
    return ValueKind(ValueSchema(placeholder: "TYPE", completion: .choices(names.map { Choice($0, nil) }))) {
      (text: String) throws(ValueError) in
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      if parts.count == 2, parts.allSatisfy({ WebhookKinds.isPart($0) }) {
        return WebhookFilter(type: String(parts[0]), event: String(parts[1]))
      }
      if WebhookKinds.types.contains(text) { return WebhookFilter(type: text) }
      guard WebhookKinds.events.contains(text) else { throw ValueError("", accepted: names) }
      return WebhookFilter(event: text)
    }
  }
}

/// The type and event in the path of a webhook's request: `…/ifttt/v1/webhooks/TYPE/EVENT`, below any prefix.
package struct WebhookPath: Equatable {
  static let base = "/ifttt/v1/webhooks"

  package let type: String
  package let event: String

  package init?(target: String) {
    let parts = target.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count >= 6, parts.dropLast(2).suffix(3).elementsEqual(["ifttt", "v1", "webhooks"]) else { return nil }
    let (type, event) = (parts[parts.count - 2], parts[parts.count - 1])
    guard WebhookKinds.isPart(type), WebhookKinds.isPart(event) else { return nil }
    (self.type, self.event) = (String(type), String(event))
  }
}
