import HTTP
import JSON

/// The subject of a webhook: a trigger of a feature, as configured by one user.
struct FiredTrigger {
  let connection: SandboxFixtures.Connection
  let user: SandboxFixtures.User
  let feature: SandboxFixtures.UserFeature
  let step: SandboxFixtures.Step
  let configured: SandboxFixtures.UserStep

  /// The webhook *Trigger fired* (reference: service-api.md, section 10).
  /// - Parameter milliseconds: The time of sending, in milliseconds since 1970.
  func webhook(_ ingredients: JSONObject, key: String, sentAt milliseconds: Int64, request: String) -> Webhook {
    var body: JSONObject = [
      "sent_at": .number(JSONNumber(Int(milliseconds))),
      "data": [
        "user_id": .string(user.id), "user_timezone": "Pacific Time (US & Canada)",
        "connection_id": .string(connection.id), "trigger_id": .string("\(step.service.slug).\(step.slug)"),
        "feature_id": .string(feature.feature.id), "user_feature_id": .string(feature.id),
        "user_feature_trigger_id": .string(configured.id),
      ],
      "event_data": ["ingredients": .object(ingredients)],
    ]
    // Add an unknown key, so that receivers learn to ignore such keys (reference: connect-api.md, section 12).
    var random = SplitMix64(state: UInt64(bitPattern: milliseconds))
    body["emulator_\(random.next() % 1_000_000)"] = .string(String(random.next(), radix: 16))
    return Webhook(
      service: connection.services[0].slug, path: "/ifttt/v1/webhooks/trigger_subscription/fired",
      headers: [
        Header("IFTTT-Service-Key", key), Header("Accept", "application/json"), Header("Accept-Charset", "utf-8"),
        Header("Accept-Encoding", "gzip, deflate"), Header("Content-Type", "application/json"),
        Header("X-Request-ID", request),
      ], body: JSONValue.object(body).bytes)
  }
}

extension Emulator {
  /// Remove and return the pending webhooks, oldest first.
  package mutating func takeWebhooks() -> [Webhook] {
    defer { webhooks = [] }
    return webhooks
  }

  mutating func fire(_ fired: FiredTrigger, _ ingredients: JSONObject, sentAt milliseconds: Int64) {
    // A service without a key receives no webhooks.
    guard let partner = seed.partners.first(where: { $0.service == fired.connection.services[0].slug }) else { return }
    webhooks.append(
      fired.webhook(
        ingredients, key: partner.key, sentAt: milliseconds,
        request: "sandbox-\(padded(state.requests, 8))-\(webhooks.count + 1)"))
  }
}
