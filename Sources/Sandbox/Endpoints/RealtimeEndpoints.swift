import HTTP
import JSON
import Time

extension Emulator {
  /// `POST /v1/notifications` of the Realtime API (reference: service-api.md, section 9).
  mutating func receive(
    notifications body: JSONObject?, _ credential: RequestCredential, at now: Timestamp
  ) throws(ErrorResponse) -> EmulatorResponse {
    guard case .key(let service) = credential else { throw .unauthorized() }
    guard let items = body?["data"]?.array, 1...1000 ~= items.count else {
      throw .badRequest("\"data\" must be an array of 1 to 1000 items")
    }
    var notifications: [PartnerNotification] = []
    for item in items {
      if let id = item["trigger_identity"]?.string, !id.isEmpty {
        notifications.append(.trigger(id))
      } else if let id = item["user_id"]?.string, !id.isEmpty {
        notifications.append(.user(id))
      } else {
        throw .badRequest("Each item must have a \"user_id\" or a \"trigger_identity\"")
      }
    }
    notified(notifications, by: service, at: now)
    // U18: No source states the response.
    return EmulatorResponse(body: JSONValue.object([:]).bytes)
  }
}
