import JSON
import World

extension FiredTrigger {
  /// The webhook *Trigger fired* (reference: service-api.md, section 10).
  /// - Parameter milliseconds: The time of sending, in milliseconds since 1970.
  func webhook(
    _ ingredients: JSONObject, _ cause: ActivityRecord.Cause, key: String, sentAt milliseconds: Int64, request: String
  ) -> Webhook {
    Webhook(
      "trigger_subscription", "fired",
      [
        "sent_at": .number(JSONNumber(Int(milliseconds))),
        "data": [
          "user_id": .string(user.id), "user_timezone": .string(Webhook.timezone),
          "connection_id": .string(connection.id), "trigger_id": .string("\(step.service.slug).\(step.slug)"),
          "feature_id": .string(feature.feature.id), "user_feature_id": .string(feature.id),
          "user_feature_trigger_id": .string(configured.id),
        ],
        "event_data": ["ingredients": .object(ingredients)],
      ], about: connection, user, cause, key: key, request: request)
  }
}

extension Emulator {
  /// Remove and return the pending webhooks, oldest first.
  package mutating func takeWebhooks() -> [Webhook] {
    defer { webhooks = [] }
    return webhooks
  }

  /// - Parameter event: the id of the event; nil for a test.
  mutating func fire(
    _ fired: FiredTrigger, _ ingredients: JSONObject, event: String? = nil, sentAt milliseconds: Int64
  ) {
    // A service without a key receives no webhooks.
    guard let partner = seed.partners.first(where: { $0.service == fired.connection.services[0].slug }) else { return }
    var webhook = fired.webhook(
      ingredients, event == nil ? .request : .event, key: partner.key, sentAt: milliseconds,
      request: makeWebhookRequestID(at: milliseconds))
    webhook.event = event
    send(webhook, at: Timestamp(milliseconds: milliseconds))
  }

  /// 32 hexadecimal digits, as IFTTT sends. They differ for each webhook, even after a restart.
  mutating func makeWebhookRequestID(at milliseconds: Int64) -> String {
    webhookCount += 1
    var random = SplitMix64(state: UInt64(bitPattern: milliseconds) << 20 ^ UInt64(webhookCount))
    return [random.next(), random.next()].map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }.joined()
  }
}
