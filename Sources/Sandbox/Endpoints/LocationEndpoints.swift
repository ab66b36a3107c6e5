import HTTP
import JSON
import Text
import World

extension Emulator {
  /// `POST /v1/location_events` (docs/api/location.md §3 and §9). Each event counts once, even if it is sent again. It
  /// fires the trigger it names if that trigger reports its direction.
  mutating func receive(locationEvents request: APIRequest) throws(ErrorResponse) -> EmulatorResponse {
    let list = try request.http.jsonList()
    guard case .token(let user) = request.credential else { throw .unauthorized() }
    var problems: [ErrorResponse.Detail] = []
    var events: [SentLocationEvent] = []
    for (index, element) in list.enumerated() {
      do throws(ErrorResponse) { events.append(try SentLocationEvent(reading: element, at: "/\(index)")) } catch {
        problems += error.details
      }
    }
    guard problems.isEmpty else { throw .invalidParameters(problems) }
    for event in events where state.remember(locationRecord: event.recordID) {
      // IFTTT presumably accepts an event for an unknown trigger too; this is inferred (docs/api/location.md §9).
      guard let fired = trigger(event.trigger, of: user),
        fired.step.regionEvent?.includes(isEntry: event.isEntry) == true
      else { continue }
      let ingredients = fired.ingredients(of: event.occurredAt, isEntry: event.isEntry)
      start(FoundEvent(trigger: fired, id: event.recordID, ingredients: ingredients), at: request.now)
    }
    return EmulatorResponse(status: 204, assumptions: [.eventsResponse])
  }

  /// The user's trigger with this id, if its connection and its feature are enabled.
  private func trigger(_ id: String, of user: SandboxFixtures.User) -> FiredTrigger? {
    seed.allConnections.lazy.filter { status(of: user, in: $0) == .enabled }
      .flatMap { configuredTriggers(of: user, in: $0) }
      .first { $0.feature.isEnabled && $0.configured.id == id }
  }
}

extension SandboxState {
  /// The maximum number of record ids to remember.
  private static let locationRecordLimit = 10_000

  /// Remember a record id.
  /// - Returns: Whether the id is new.
  fileprivate mutating func remember(locationRecord id: String) -> Bool {
    let id = id.lowercased()
    guard !locationRecords.contains(id) else { return false }
    if locationRecords.count == Self.locationRecordLimit { locationRecords.removeFirst() }
    locationRecords.append(id)
    return true
  }
}

/// One location event from a request; every key is required.
private struct SentLocationEvent {
  let recordID: String
  let trigger: String
  let isEntry: Bool
  let occurredAt: CivilTime

  init(reading json: JSONValue, at path: String) throws(ErrorResponse) {
    guard let object = json.object else {
      throw .invalidParameters([.init(parameter: path, message: "Must be an object")])
    }
    var problems: [ErrorResponse.Detail] = []
    func text(_ key: String, _ message: String, where isValid: (String) -> Bool) -> String {
      if let text = object[key]?.string, isValid(text) { return text }
      problems.append(.init(parameter: "\(path)/\(key)", message: message))
      return ""
    }
    recordID = text("record_id", "Must be a UUID", where: Self.isUUID)
    _ = text("region_type", "Must be \"geo\"") { $0 == "geo" }
    let moment = text("occurred_at", "Must be a time such as 2026-03-04T17:42:09Z") {
      Self.moment(of: $0) != nil
    }
    isEntry = text("event_type", "Must be \"entry\" or \"exit\"") { $0 == "entry" || $0 == "exit" } == "entry"
    _ = text("channel_id", "Must be the string \"941030000\"") { $0 == "941030000" }
    trigger = text("trigger_subscription_id", "Must be the id of a trigger") { !$0.isEmpty }
    _ = text("installation_id", "Must be a string") { !$0.isEmpty }
    guard problems.isEmpty else { throw .invalidParameters(problems) }
    occurredAt = CivilTime(secondsSince1970: Self.moment(of: moment) ?? 0)
  }

  private static func isUUID(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.count == 36
      && bytes.indices.allSatisfy { index in
        [8, 13, 18, 23].contains(index) ? bytes[index] == UInt8(ascii: "-") : bytes[index].hexadecimal != nil
      }
  }

  /// The seconds since 1970, from a time as iOS (`+0000`) or Android (`Z`, `+05:30`) writes it.
  private static func moment(of text: String) -> Int64? {
    if let time = OffsetTime(parsing: text) { return time.secondsSince1970 }
    guard let time = OffsetTime(parsing: "\(text.prefix(19))Z"), let east = minutes(ofOffset: text.dropFirst(19)) else {
      return nil
    }
    return time.secondsSince1970 - east * 60
  }

  /// The minutes east of UTC, for an offset such as `+05:30` or `+0530`.
  private static func minutes(ofOffset text: Substring) -> Int64? {
    var digits = Array(text.utf8.dropFirst())
    if digits.count == 5, digits[2] == UInt8(ascii: ":") { digits.remove(at: 2) }
    guard text.hasPrefix("+") || text.hasPrefix("-"), digits.count == 4,
      digits.allSatisfy(\.isDigit)
    else { return nil }
    let numbers = digits.map { Int64($0 - UInt8(ascii: "0")) }
    let (hours, minutes) = (numbers[0] * 10 + numbers[1], numbers[2] * 10 + numbers[3])
    guard hours <= 14, minutes < 60 else { return nil }
    return (text.hasPrefix("-") ? -1 : 1) * (hours * 60 + minutes)
  }
}
