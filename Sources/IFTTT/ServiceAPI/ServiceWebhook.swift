package import JSON

/// A webhook that IFTTT sends when a connection changes or one of its triggers fires (reference: service-api.md,
/// section 10).
package struct ServiceWebhook: Sendable {
  package let type: String
  package let event: String
  package let body: JSONObject

  package var path: ServicePath { ServicePath("webhooks", type, event) }

  /// A webhook about a connection.
  /// - Parameters:
  ///   - change: `enabled`, `updated` or `disabled`.
  ///   - time: in milliseconds. `sent_at` is a number, and the time of the change is a string.
  package static func connection(
    _ change: String, _ data: JSONObject, time: Int
  ) -> ServiceWebhook {
    ServiceWebhook(
      type: "connection", event: change,
      body: [
        "sent_at": JSONValue(time), "data": .object(data), "event_data": ["\(change)_at": .string(String(time - 250))],
      ])
  }

  package static func fired(_ data: JSONObject, ingredients: JSONObject, time: Int) -> ServiceWebhook {
    ServiceWebhook(
      type: "trigger_subscription", event: "fired",
      body: [
        "sent_at": JSONValue(time), "data": .object(data), "event_data": ["ingredients": .object(ingredients)],
      ])
  }

  /// One webhook of each kind, with invented values.
  static var samples: [ServiceWebhook] {
    let time = 1_772_646_131_850
    let data: JSONObject = [
      "connection_id": "Kd7Rn2Qx", "user_id": "test-user", "user_timezone": "Pacific Time (US & Canada)",
    ]
    var fired = data
    fired["trigger_id"] = "location.exit_region_location"
    fired["feature_id"] = "mw4tq9hzjc"
    fired["user_feature_id"] = "8f0b6c1e-2d57-4a93-b8e4-71c0d9a5f326"
    fired["user_feature_trigger_id"] = "d27e9a40-5b13-4c68-9f02-3e8a6b7c1d54"
    return ["enabled", "updated", "disabled"].map { connection($0, data, time: time) } + [
      .fired(
        fired, ingredients: ["OccurredAt": "March 04, 2026 at 05:42PM", "EnteredOrExited": "exited"], time: time)
    ]
  }
}
