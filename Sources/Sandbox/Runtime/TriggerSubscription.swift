import JSON
import Text
import World

/// A trigger of a feature, as configured by one user: the subject of events, polls and webhooks.
final class FiredTrigger: Sendable {
  let connection: SandboxFixtures.Connection
  let user: SandboxFixtures.User
  let feature: SandboxFixtures.UserFeature
  let step: SandboxFixtures.Step
  let configured: SandboxFixtures.UserStep

  init(
    connection: SandboxFixtures.Connection, user: SandboxFixtures.User, feature: SandboxFixtures.UserFeature,
    step: SandboxFixtures.Step, configured: SandboxFixtures.UserStep
  ) {
    (self.connection, self.user, self.feature) = (connection, user, feature)
    (self.step, self.configured) = (step, configured)
  }

  /// The values of the trigger's fields, as the partner's server receives them.
  var fields: JSONObject { step.fieldValues(configured) }

  /// The trigger identity: 40 hexadecimal digits, always the same for the same user, trigger and fields.
  var identity: String {
    let text = JSONValue.array([.string(user.id), .string(step.slug), .object(fields)]).bytes
    return SHA256.hash(text).prefix(20).hex
  }
}

/// A trigger that IFTTT polls for one user and one set of fields. Several features may use it.
struct TriggerSubscription {
  let user: String
  let slug: String
  let fields: JSONObject
  var uses: [Use]
  var nextPoll: Timestamp
  var cause: ActivityRecord.Cause
  /// The key of the log's entry that caused the next poll; nil for a scheduled poll.
  var causeKey: Int?
  /// Whether a poll is waiting or in flight.
  var isPolling = false
  /// Whether a notification arrived since that poll was sent, which may have been too early for the event.
  var isNotified = false
  /// The outcome of the last poll; nil before the first.
  var lastOutcome: PollOutcome?
  var ids = EventIDs()

  /// The status of a response; nil if there was none.
  struct PollOutcome: Equatable { let status: Int? }

  struct Use {
    var trigger: FiredTrigger
    /// The ids of known events. Nil before the first poll, whose events existed before the connection was enabled.
    private var seen: Set<String>?
    private var order: [String] = []

    init(_ trigger: FiredTrigger) { self.trigger = trigger }

    /// The maximum number of remembered ids. It is far above the number of events in a response, ``EventIDs/limit``.
    static let limit = 5000

    /// Remember the ids.
    /// - Returns: The new ids; nil from the first call.
    mutating func add(_ ids: [String]) -> Set<String>? {
      let known = seen ?? []
      let new = ids.filter { !known.contains($0) }
      let isFirst = seen == nil
      seen = known.union(new)
      order += new
      while order.count > Self.limit { seen?.remove(order.removeFirst()) }
      return isFirst ? nil : Set(new)
    }
  }
}

/// A new event of a trigger, for one use of it.
struct FoundEvent {
  let trigger: FiredTrigger
  let id: String
  let ingredients: JSONObject
  /// The cause of the poll that found it, or `request` if the event was reported.
  var cause = ActivityRecord.Cause.request
  /// The key of the poll's entry in the log; nil if the event was reported.
  var causeKey: Int?
}

extension SandboxFixtures.Step {
  /// The values of configured fields in a request to a partner's server. Fields without a value are omitted.
  func fieldValues(
    _ configured: SandboxFixtures.UserStep, filling fill: (String) -> String = { $0 }
  ) -> JSONObject {
    fieldValues(configured.values, filling: fill)
  }

  func fieldValues(_ values: [SandboxFixtures.Value?], filling fill: (String) -> String = { $0 }) -> JSONObject {
    var sentValues: JSONObject = [:]
    for (field, value) in zip(fields, values) {
      if let value { sentValues[field.id] = value.sent(filling: fill) }
    }
    return sentValues
  }
}

extension SandboxFixtures.Value {
  /// The value as a partner's server receives it. A dropdown's value has only the option's value; a checkbox list's has
  /// labels too.
  /// - Parameter fill: fills ingredients into a text.
  func sent(filling fill: (String) -> String = { $0 }) -> JSONValue {
    switch self {
    case .text(let text): .string(fill(text))
    case .option(let value, _, _): .string(value)
    case .options, .location: json
    }
  }
}

extension FiredTrigger {
  /// The ingredients of a fired trigger (docs/api/location.md §1). For the sandbox's own services, the time is the only
  /// ingredient, because only a real service could provide others.
  /// - Parameter isEntry: Whether a geofence was entered; nil in a test.
  func ingredients(of moment: CivilTime, isEntry: Bool? = nil) -> JSONObject {
    var ingredients: JSONObject = ["OccurredAt": .string(moment.ingredientText)]
    guard step.service.slug == "location" else { return ingredients }
    var coordinates = ""
    for case .location(let latitude, let longitude, _, _, _, _)? in configured.values {
      coordinates = "\(latitude),\(longitude)"
    }
    ingredients["LocationMapUrl"] = .string("https://maps.test/?q=\(coordinates)")
    ingredients["LocationMapImageUrl"] = .string("https://maps.test/image?center=\(coordinates)")
    if step.slug == "enter_or_exit_region_location" {
      ingredients["EnteredOrExited"] = isEntry ?? true ? "entered" : "exited"
    }
    return ingredients
  }
}

extension CivilTime {
  /// The time as it appears in ingredients: `March 04, 2026 at 05:42PM`.
  fileprivate var ingredientText: String {
    let months = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
      "December",
    ]
    return "\(months[date.month - 1]) \(String(date.day, width: 2)), \(String(date.year, width: 4)) at "
      + "\(String((hour + 11) % 12 + 1, width: 2)):\(String(minute, width: 2))\(hour < 12 ? "AM" : "PM")"
  }
}
