import HTTP
import JSON
import Text
import World

extension Emulator {
  /// `POST /v2/sdk/events`: usage events, validated and discarded.
  func receive(events body: JSONObject?) throws(ErrorResponse) -> EmulatorResponse {
    guard let events = body?["events"]?.array else { throw .badRequest("\"events\" is missing or not an array") }
    var problems: [ErrorResponse.Detail] = []
    for (index, event) in events.enumerated() {
      problems += ReceivedUsageEvent.problems(of: event, at: "/events/\(index)")
    }
    guard problems.isEmpty else { throw .invalidParameters(problems) }
    return EmulatorResponse(status: 204, assumptions: [.eventsResponse])
  }
}

/// The format of a usage event (docs/api/events-and-privacy.md §1).
enum ReceivedUsageEvent {
  static let names: Set = ["sdk.impression", "sdk.click", "sdk.pageviewed", "sdk.statechange"]
  static let properties: Set = [
    "object_type", "object_id", "object_status", "location_type", "location_id", "source_location_type",
    "source_location_id", "state", "sdk_version",
  ]

  static func problems(of event: JSONValue, at path: String) -> [ErrorResponse.Detail] {
    guard let object = event.object else { return [.init(parameter: path, message: "Must be an object")] }
    var problems: [ErrorResponse.Detail] = []
    if object["name"]?.string.map(names.contains) != true {
      problems.append(
        .init(parameter: "\(path)/name", message: "Must be one of \(names.sorted().joined(separator: ", "))"))
    }
    let isTimestamp = object["timestamp"]?.string.map { text in
      !text.isEmpty && text.utf8.count <= 15 && text.utf8.allSatisfy(\.isDigit)
    }
    if isTimestamp != true {
      problems.append(
        .init(parameter: "\(path)/timestamp", message: "Must be a string of milliseconds since 1970"))
    }
    guard let members = object["properties"]?.object?.members else {
      return problems + [.init(parameter: "\(path)/properties", message: "Must be an object")]
    }
    for (key, value) in members where !properties.contains(key) || (value.string == nil && !value.isNull) {
      problems.append(
        .init(parameter: "\(path)/properties/\(key)", message: "Must be a known property with a string value"))
    }
    return problems
  }
}

extension Emulator {
  /// `POST /v1/notifications` of the Realtime API: the users and trigger identities that have new events.
  ///
  /// The response is an empty object, and the errors are the emulator's own (docs/api/service.md U18).
  mutating func receive(notifications request: Request, at now: Timestamp) throws(ErrorResponse) -> EmulatorResponse {
    guard let key = request.header("IFTTT-Service-Key"), let service = seed.service(ofKey: key) else {
      throw ErrorResponse(
        status: 401, code: "unauthorized", message: "The service key is missing or invalid",
        assumption: .realtimeResponse)
    }
    guard let items = try request.jsonBody()?["data"]?.array, !items.isEmpty else {
      throw .badRequest("\"data\" is missing, empty or not an array", .realtimeResponse)
    }
    guard items.count <= PartnerNotification.limit else {
      throw .badRequest(
        "\"data\" has \(items.count) items; at most \(PartnerNotification.limit) are allowed", .realtimeResponse)
    }
    var notifications: [PartnerNotification] = []
    for (index, item) in items.enumerated() {
      guard let notification = PartnerNotification(item) else {
        throw .badRequest(
          "\"data\"[\(index)] must be an object with a user_id or a trigger_identity", .realtimeResponse)
      }
      notifications.append(notification)
    }
    if runtime?.service == service {
      for notification in notifications { runtime?.notified(notification, causedBy: causeKey, at: now) }
    }
    return EmulatorResponse(body: Array("{}".utf8), assumptions: [.realtimeResponse])
  }
}

extension PartnerNotification {
  /// The maximum number in one request.
  static let limit = 1000

  /// - Returns: nil unless the item has exactly one of `user_id` and `trigger_identity`.
  fileprivate init?(_ item: JSONValue) {
    switch (item["user_id"], item["trigger_identity"]) {
    case (.string(let id)?, nil) where !id.isEmpty: self = .user(id)
    case (nil, .string(let id)?) where !id.isEmpty: self = .trigger(id)
    default: return nil
    }
  }
}

extension Emulator {
  /// `/trigger/{event}/with/key/{key}` and `/trigger/{event}/json/with/key/{key}` of the Webhooks service: checks and
  /// accepts an event. The fixtures have no Applet that it could run.
  func fire(_ event: String, key: String, acceptsJSON: Bool, _ request: Request) throws(ErrorResponse)
    -> EmulatorResponse
  {
    guard key == seed.webhooksKey else {
      let body: JSONValue = ["errors": [["message": "You sent an invalid key."]]]
      return EmulatorResponse(status: 401, body: body.bytes)
    }
    guard Self.isEvent(event) else {
      throw .badRequest("The event's name may contain only letters, digits and underscores")
    }
    // A form is also accepted for the three values. Its content needs no check.
    if acceptsJSON || request.header("Content-Type")?.utf8.starts(with: "application/json".utf8) == true {
      try checkJSON(of: request, isObject: !acceptsJSON)
    }
    let text = "Congratulations! You've fired the \(event) \(acceptsJSON ? "JSON " : "")event"
    return EmulatorResponse(body: Array(text.utf8), mediaType: "text/plain; charset=utf-8")
  }

  private func checkJSON(of request: Request, isObject: Bool) throws(ErrorResponse) {
    guard let body = request.body, !body.isEmpty else { return }
    guard let json = try? JSONValue(parsing: body) else { throw .badRequest("The body is not JSON") }
    if isObject, json.object == nil { throw .badRequest("The body is not a JSON object") }
  }

  private static func isEvent(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }
  }
}
