package import HTTP
import JSON
package import Text
package import World

/// A user or a trigger identity with new events, as the Realtime API expects it (docs/api/service.md §9).
package enum RealtimeNotification: Sendable, Hashable {
  /// All triggers of this user of the partner's service.
  case user(String)
  case triggerIdentity(String)

  /// The maximum number of notifications in one request.
  package static let limit = 1000

  private var json: JSONValue {
    switch self {
    case .user(let id): ["user_id": .string(id)]
    case .triggerIdentity(let identity): ["trigger_identity": .string(identity)]
    }
  }

  /// The request for at most ``limit`` notifications. It is idempotent, because IFTTT only polls.
  /// - Parameter base: the base URL, without the version part.
  package static func request(
    _ notifications: some Sequence<RealtimeNotification>, to base: WebURL, key: Secret, id: RequestID
  ) -> Request {
    let body: JSONValue = ["data": .array(notifications.map(\.json))]
    var request = Request(
      .post, base.appending("v1", "notifications"),
      headers: [
        Header("Accept", "application/json"), Header("IFTTT-Service-Key", secret: key),
        Header("Content-Type", "application/json"), Header("X-Request-ID", id.description),
      ], body: body.bytes, isRepeatable: true)
    request.needsStatusAlone = true
    return request
  }
}

/// The value of `X-Request-ID`: 32 hexadecimal digits (docs/api/service.md §1).
package struct RequestID: Sendable, Hashable, CustomStringConvertible {
  package let description: String

  package init(_ random: any RandomBytes) { description = random.bytes(16).hex }
}
