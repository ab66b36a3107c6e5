import HTTP
import JSON

extension Emulator {
  /// `POST /v1/notifications` of the Realtime API: the users and trigger identities that have new events.
  ///
  /// U18: The response is an empty object, and the errors are the emulator's own.
  func receive(notifications request: Request) throws(ErrorResponse) -> EmulatorResponse {
    guard let key = request.header("IFTTT-Service-Key"), seed.service(ofKey: key) != nil else {
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
    for (place, item) in items.enumerated() where !Self.isNotification(item) {
      throw .badRequest("\"data\"[\(place)] must be an object with a user_id or a trigger_identity", .realtimeAnswer)
    }
    return EmulatorResponse(body: Array("{}".utf8), assumptions: [.realtimeAnswer])
  }

  private static let mostNotifications = 1000

  private static func isNotification(_ item: JSONValue) -> Bool {
    let values = [item["user_id"], item["trigger_identity"]].compactMap(\.self)
    return values.count == 1 && values[0].string?.isEmpty == false
  }
}
