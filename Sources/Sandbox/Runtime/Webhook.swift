package import HTTP
import JSON

/// A webhook that IFTTT would POST to a partner's service. The emulator has no URL for the service; its host displays
/// the webhook, and sends it if it has the URL.
package struct Webhook: Sendable, Equatable {
  /// The slug of the receiving service.
  package let service: String
  /// The path below the service's API URL prefix.
  package let path: String
  package let headers: [Header]
  let requestID: String
  private(set) var content: JSONObject
  package var body: [UInt8] { JSONValue.object(content).bytes }
  /// The connection and the user that it is about.
  let connection: String
  let user: String
  let cause: ActivityRecord.Cause
  /// The id of the event that fired a trigger.
  var event: String?

  /// - Parameters:
  ///   - event: the last part of the path.
  ///   - key: the service key.
  init(
    _ type: String, _ event: String, _ content: JSONObject, about connection: SandboxFixtures.Connection,
    _ user: SandboxFixtures.User, _ cause: ActivityRecord.Cause, key: String, request: String
  ) {
    service = connection.services[0].slug
    path = "/ifttt/v1/webhooks/\(type)/\(event)"
    headers = [
      Header("IFTTT-Service-Key", key), Header("Accept", "application/json"), Header("Accept-Charset", "utf-8"),
      Header("Accept-Encoding", "gzip, deflate"), Header("Content-Type", "application/json"),
      Header("X-Request-ID", request),
    ]
    (self.connection, self.user, self.cause, requestID) = (connection.id, user.id, cause, request)
    // Add an unknown key, so that receivers learn to ignore such keys (reference: connect-api.md, section 12).
    var content = content
    var random = SplitMix64(state: UInt64(bitPattern: Int64(content["sent_at"]?.int ?? 0)))
    content["emulator_\(random.next() % 1_000_000)"] = .string(String(random.next(), radix: 16))
    self.content = content
  }

  /// Adds `type` and `event`, which IFTTT's table has and none of its examples (C6).
  mutating func addNames() {
    let names = path.split(separator: "/").suffix(2).map { JSONValue.string(String($0)) }
    content = JSONObject(members: zip(["type", "event"], names).map { (key: $0, value: $1) } + content.members)
  }
}

extension Webhook {
  /// The name of a user's time zone, which IFTTT writes as Rails does. The sandbox has the default for every user.
  static let timezone = "Pacific Time (US & Canada)"

  /// A webhook about a change of a connection: `enabled`, `updated` or `disabled` (reference: service-api.md,
  /// section 10).
  static func connection(
    _ change: ActivityRecord.Cause, _ connection: SandboxFixtures.Connection, _ user: SandboxFixtures.User,
    key: String, at milliseconds: Int64, request: String
  ) -> Webhook {
    Webhook(
      "connection", change.rawValue,
      [
        "sent_at": .number(JSONNumber(Int(milliseconds))),
        "data": [
          "connection_id": .string(connection.id), "user_id": .string(user.id), "user_timezone": .string(timezone),
        ],
        "event_data": ["\(change.rawValue)_at": .string(String(milliseconds))],
      ], about: connection, user, change, key: key, request: request)
  }
}
