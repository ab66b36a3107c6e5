package import Location
import World

/// A profile's queue of location events. They must never be lost, so they are stored in `ifttt.db`. Their positions are
/// not stored.
package struct LocationQueue {
  let store: Store
  let profile: String

  package init(_ store: Store, profile: String) { (self.store, self.profile) = (store, profile) }

  /// Records events.
  /// - Parameter owner: The fingerprint of the user token in effect; nil if it is unknown.
  /// - Returns: The events with their entries in the queue.
  package func record(_ events: [LocationEvent], owner: String?) throws(StoreError) -> [LocationEvent] {
    guard !events.isEmpty else { return [] }
    return try store.write { database throws(StoreError) in
      try database.makeProfile(profile)
      return try insert(events, owner: owner, in: database)
    }
  }

  /// Compares a track with the user's last known locations, and writes the events and the new states. It is a single
  /// transaction, so that only one of several overlapping tracks records an event.
  /// - Parameters:
  ///   - owner: The fingerprint of the user token in effect; nil if it is unknown.
  ///   - decide: Receives the remembered states by region id. It is called once.
  /// - Returns: The recorded events with their entries in the queue.
  package func record(
    owner: String?, deciding decide: ([String: FenceState]) -> LocationUpdate
  ) throws(StoreError) -> [LocationEvent] {
    try store.write { database throws(StoreError) in
      try database.makeProfile(profile)
      let update = decide(try database.fenceStates(profile: profile))
      try database.remember(update.remembering, profile: profile)
      _ = try database.forget(update.forgetting, profile: profile)
      return try insert(update.events, owner: owner, in: database)
    }
  }

  private func insert(
    _ events: [LocationEvent], owner: String?, in database: Database
  ) throws(StoreError) -> [LocationEvent] {
    guard !events.isEmpty else { return [] }
    let now = store.world.clock.now()
    let insert = try database.prepare(
      """
      INSERT INTO location_event (profile, record_id, region, connection, kind, occurred_at, recorded_at, owner)
      VALUES (:profile, :record_id, :region, :connection, :kind, :occurred_at, :recorded_at, :owner)
      """)
    var recorded = events
    for index in recorded.indices {
      let occurredAt = recorded[index].occurredAt ?? now
      let queued = LocationEvent.Queued(recordID: store.world.random.uuid(), recordedAt: now)
      (recorded[index].occurredAt, recorded[index].queued) = (occurredAt, queued)
      let event = recorded[index]
      try insert.run([
        ":profile": profile, ":record_id": queued.recordID, ":region": event.region, ":connection": event.connection,
        ":kind": event.kind.rawValue, ":occurred_at": occurredAt, ":recorded_at": now, ":owner": owner,
      ])
    }
    return recorded
  }

  /// Returns the number of queued events, and of those that were rejected.
  package func counts() throws(StoreError) -> (all: Int, refused: Int) {
    try store.openIfExists()?.first(
      """
      SELECT count(*) AS all_events, count(*) FILTER (WHERE is_refused) AS refused FROM location_event
      WHERE profile = :profile
      """, [":profile": profile]
    ) { ($0["all_events"], $0["refused"]) } ?? (0, 0)
  }

  /// Returns the oldest queued events.
  /// - Parameter refused: true for rejected events only, false for the others only; nil for both.
  package func oldest(_ count: Int, refused: Bool?) throws(StoreError) -> [LocationEvent] {
    guard let refused else { return try events("TRUE", [:], limit: count) }
    return try events("is_refused = :refused", [":refused": refused], limit: count)
  }

  /// - Parameter condition: An SQL condition. Its parameters are `parameters` and `:profile`.
  private func events(
    _ condition: String, _ parameters: SQLParameters, limit: Int
  ) throws(StoreError) -> [LocationEvent] {
    let events = try store.openIfExists()?.rows(
      """
      SELECT record_id, region, connection, kind, occurred_at, recorded_at, tries, tried_at, problem, is_refused
      FROM location_event WHERE profile = :profile AND (\(condition)) ORDER BY number LIMIT :limit
      """, [":profile": profile, ":limit": limit] + parameters
    ) { LocationEvent($0) }
    return events?.compactMap(\.self) ?? []
  }

  /// Removes events that IFTTT has accepted or the user has discarded.
  /// - Returns: The number of events removed.
  package func remove(_ recordIDs: [String]) throws(StoreError) -> Int {
    try change(recordIDs, "DELETE FROM location_event")
  }

  /// Records a failed attempt to send events. They stay in the queue.
  /// - Parameter isRefused: Whether a retry would be useless.
  package func noteFailure(_ problem: String, isRefused: Bool, of recordIDs: [String]) throws(StoreError) {
    _ = try change(
      recordIDs,
      """
      UPDATE location_event SET tries = tries + 1, tried_at = :now, problem = :problem, is_refused = :is_refused
      """, [":now": store.world.clock.now(), ":problem": problem, ":is_refused": isRefused])
  }

  /// - Parameter sql: A statement without its condition.
  private func change(
    _ recordIDs: [String], _ sql: String, _ parameters: SQLParameters = [:]
  ) throws(StoreError) -> Int {
    guard !recordIDs.isEmpty else { return 0 }
    return try store.writeExisting { database throws(StoreError) in
      let statement = try database.prepare("\(sql) WHERE profile = :profile AND record_id = :record_id")
      var count = 0
      for id in recordIDs {
        try statement.run(parameters + [":profile": profile, ":record_id": id])
        count += database.changedRows
      }
      return count
    } ?? 0
  }
}

extension LocationEvent {
  /// - Returns: Nil for a kind that the table does not allow.
  fileprivate init?(_ row: borrowing Statement) {
    guard let kind = Kind(rawValue: row["kind"]) else { return nil }
    self.init(kind, region: row["region"], connection: row["connection"], at: row["occurred_at"])
    var queued = Queued(recordID: row["record_id"], recordedAt: row["recorded_at"])
    queued.tries = row["tries"]
    queued.triedAt = row["tried_at"]
    queued.problem = row["problem"]
    queued.isRefused = row["is_refused"]
    self.queued = queued
  }
}

// The selection of queued location events to send. Two kinds are withheld: events of a connection whose location
// reporting has been disabled since, and events recorded for another user.
extension LocationQueue {
  /// Returns the oldest events that may be sent.
  /// - Parameters:
  ///   - refused: Whether to return rejected events or the others.
  ///   - owner: The fingerprint of the user token under which they were recorded.
  package func eventsToSend(_ count: Int, refused: Bool, of owner: String) throws(StoreError) -> [LocationEvent] {
    try events(
      "is_refused = :refused AND owner = :owner AND \(Self.isNotDisabled)", [":refused": refused, ":owner": owner],
      limit: count)
  }

  /// Returns the events recorded under another token or an unknown one, for connections whose location reporting is
  /// not disabled.
  package func foreignEvents(besides owner: String) throws(StoreError) -> [LocationEvent] {
    try events("owner IS NOT :owner AND \(Self.isNotDisabled)", [":owner": owner], limit: .max)
  }

  /// Assigns the events of a region to the user the region turned out to belong to.
  package func adoptEvents(of region: String, by owner: String) throws(StoreError) {
    try store.run(
      "UPDATE location_event SET owner = :owner WHERE profile = :profile AND region = :region",
      [":owner": owner, ":profile": profile, ":region": region])
  }

  /// Returns the ids whose events are still queued. Another run may have sent the others.
  package func stillWaiting(_ recordIDs: [String]) throws(StoreError) -> Set<String> {
    guard let database = try store.openIfExists() else { return [] }
    let statement = try database.prepare(
      "SELECT 1 FROM location_event WHERE profile = :profile AND record_id = :record_id")
    var queued: Set<String> = []
    for id in recordIDs {
      try statement.bind([":profile": profile, ":record_id": id])
      if try statement.step() { queued.insert(id) }
    }
    return queued
  }

  /// Returns the connections with location reporting disabled that have queued events, and the number of their
  /// events.
  package func withheldEvents() throws(StoreError) -> [(connection: String, count: Int)] {
    try store.openIfExists()?.rows(
      """
      SELECT connection, count(*) AS count FROM location_event WHERE profile = :profile AND NOT \(Self.isNotDisabled)
      GROUP BY connection ORDER BY connection
      """, [":profile": profile]
    ) { ($0["connection"], $0["count"]) } ?? []
  }

  /// An SQL condition: the user has not disabled location reporting for the connection of the event.
  private static var isNotDisabled: String {
    """
    NOT EXISTS (SELECT 1 FROM location_choice AS choice WHERE choice.profile = location_event.profile
    AND choice.connection = location_event.connection AND NOT choice.is_on)
    """
  }

  /// Returns the id of this installation, which never changes and is sent only with location events. It is created
  /// with the first event.
  /// - Parameter persists: Whether to store a new id.
  package func installationID(persisting persists: Bool = true) throws(StoreError) -> String {
    let sql = "SELECT value FROM choice WHERE name = 'location_installation_id'"
    if let id = try store.openIfExists()?.text(sql) { return id }
    guard persists else { return store.world.random.uuid() }
    return try store.write { database throws(StoreError) in
      if let id = try database.text(sql) { return id }
      let id = store.world.random.uuid()
      try database.run("INSERT INTO choice (name, value) VALUES ('location_installation_id', :id)", [":id": id])
      return id
    }
  }
}
