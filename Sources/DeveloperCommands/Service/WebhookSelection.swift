import CommandLine
import Store

/// The types and events of the webhooks that IFTTT sends (reference: service-api.md, section 10).
enum WebhookKinds {
  static let types = ["connection", "trigger_subscription"]
  static let events = ["enabled", "updated", "disabled", "fired"]
  static let pairs = [
    "connection/enabled", "connection/updated", "connection/disabled", "trigger_subscription/fired",
  ]

  /// Whether the text may be a part of a webhook's path. IFTTT may add types and events at any time.
  static func isPart(_ text: some StringProtocol) -> Bool {
    (1...100).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
          || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
      }
  }
}

extension ValueKind<WebhookFilter> {
  /// A selection of webhooks: `connection/enabled`, a type or an event. A single unknown word is most likely misspelled
  /// and would never match, so it is rejected.
  static var webhookType: ValueKind {
    let words = WebhookKinds.types + WebhookKinds.events + WebhookKinds.pairs
    return ValueKind(ValueSchema(placeholder: "TYPE", completion: .choices(words.map { Choice($0, nil) }))) {
      (text: String) throws(ValueError) in
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      if parts.count == 2, parts.allSatisfy({ WebhookKinds.isPart($0) }) {
        return WebhookFilter(type: String(parts[0]), event: String(parts[1]))
      }
      if WebhookKinds.types.contains(text) { return WebhookFilter(type: text) }
      guard WebhookKinds.events.contains(text) else { throw ValueError("", accepted: words) }
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
