import JSON

extension Emulator {
  /// `POST /v2/sdk/events`: usage events, validated and discarded.
  func receive(events body: JSONObject?) throws(ErrorResponse) -> EmulatorResponse {
    guard let events = body?["events"]?.array else { throw .badRequest("\"events\" is missing or not an array") }
    var problems: [ErrorResponse.Detail] = []
    for (place, event) in events.enumerated() { problems += UsageEvent.problems(of: event, at: "/events/\(place)") }
    guard problems.isEmpty else { throw .invalidParameters(problems) }
    return EmulatorResponse(status: 204, assumptions: [.eventsAnswer])
  }
}

/// The format of a usage event (reference: events-and-privacy.md, section 1).
private enum UsageEvent {
  static let names: Set = ["sdk.impression", "sdk.click", "sdk.pageviewed", "sdk.statechange"]
  static let properties: Set = [
    "object_type", "object_id", "object_status", "location_type", "location_id", "source_location_type",
    "source_location_id", "state", "sdk_version",
  ]

  static func problems(of event: JSONValue, at path: String) -> [ErrorResponse.Detail] {
    guard let object = event.object else { return [.init(parameter: path, message: "Must be an object")] }
    var found: [ErrorResponse.Detail] = []
    if object["name"]?.string.map(names.contains) != true {
      found.append(
        .init(parameter: "\(path)/name", message: "Must be one of \(names.sorted().joined(separator: ", "))"))
    }
    let isMoment = object["timestamp"]?.string.map { text in
      !text.isEmpty && text.utf8.count <= 15 && text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }
    if isMoment != true {
      found.append(
        .init(parameter: "\(path)/timestamp", message: "Must be a string of milliseconds since 1970"))
    }
    guard let members = object["properties"]?.object?.members else {
      return found + [.init(parameter: "\(path)/properties", message: "Must be an object")]
    }
    for (key, value) in members where !properties.contains(key) || (value.string == nil && !value.isNull) {
      found.append(
        .init(parameter: "\(path)/properties/\(key)", message: "Must be a known property with a string value"))
    }
    return found
  }
}
