import JSON

/// The ids of a trigger's events from poll to poll. A service that makes new ids for each response would run the actions
/// of all its events again with every poll.
struct EventIDs {
  typealias Event = (id: String, timestamp: JSONValue?, row: JSONObject)

  /// The number of events that IFTTT requests with a poll.
  static let limit = 50

  private var ids: Set<String> = []
  private var contents: [JSONValue] = []
  /// The number of full polls in a row that had no id of the one before.
  private var changes = 0
  /// Whether the ids were made for the last response, so that they show no new events.
  private(set) var isUnstable = false
  /// Whether this was reported.
  var isReported = false

  /// The ids are unstable if all of them differ although nothing else does. If the events differ too, they may all be
  /// new; but if that happens twice in a row with as many events as a response can have, it is not an accident.
  mutating func learn(_ events: [Event]) {
    let (earlier, earlierContents) = (ids, contents)
    ids = Set(events.map(\.id))
    contents = events.map { .array([$0.timestamp ?? .null, .object($0.row)]) }
    guard !earlier.isEmpty, !ids.isEmpty, earlier.isDisjoint(with: ids) else {
      (changes, isUnstable) = (0, false)
      return
    }
    let isFull = events.count >= Self.limit && earlierContents.count >= Self.limit
    changes = isFull ? changes + 1 : 0
    isUnstable = contents == earlierContents || changes >= 2
  }
}
