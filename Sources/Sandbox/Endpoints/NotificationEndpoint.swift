import HTTP
import JSON
import World

extension Emulator {
  /// `POST /v1/notifications` of the Realtime API: the users and trigger identities that have new events.
  ///
  /// U18: The response is an empty object, and the errors are the emulator's own.
  mutating func receive(notifications request: Request, at now: Timestamp) throws(ErrorResponse) -> EmulatorResponse {
    guard let key = request.header("IFTTT-Service-Key"), let service = seed.service(ofKey: key) else {
      throw ErrorResponse(
        status: 401, code: "unauthorized", message: "The service key is missing or invalid",
        assumption: .realtimeAnswer)
    }
    guard let items = try jsonBody(of: request)?["data"]?.array, !items.isEmpty else {
      throw .badRequest("\"data\" is missing, empty or not an array", .realtimeAnswer)
    }
    guard items.count <= Self.mostNotifications else {
      throw .badRequest(
        "\"data\" has \(items.count) items; at most \(Self.mostNotifications) are allowed", .realtimeAnswer)
    }
    var notifications: [PartnerNotification] = []
    for (place, item) in items.enumerated() {
      guard let notification = PartnerNotification(item) else {
        throw .badRequest("\"data\"[\(place)] must be an object with a user_id or a trigger_identity", .realtimeAnswer)
      }
      notifications.append(notification)
    }
    notified(notifications, by: service, at: now)
    return EmulatorResponse(body: Array("{}".utf8), assumptions: [.realtimeAnswer])
  }

  private static let mostNotifications = 1000
}

extension PartnerNotification {
  /// - Returns: nil if the item does not name exactly one of them.
  fileprivate init?(_ item: JSONValue) {
    switch (item["user_id"], item["trigger_identity"]) {
    case (.string(let id)?, nil) where !id.isEmpty: self = .user(id)
    case (nil, .string(let id)?) where !id.isEmpty: self = .trigger(id)
    default: return nil
    }
  }
}
