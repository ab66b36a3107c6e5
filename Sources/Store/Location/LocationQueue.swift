package import Location
import World

// Queued events must never be lost, so they are stored in `ifttt.db`. Their positions are not stored.
extension Store {
  /// Records events.
  /// - Parameter owner: The fingerprint of the user token in effect; nil if it is unknown.
  /// - Returns: The events with their entries in the queue.
  package func record(
    _ events: [LocationEvent], owner: String?, profile: String
  ) throws(StoreError) -> [LocationEvent] {
    guard !events.isEmpty else { return [] }
    return try write { database throws(StoreError) in
      try database.makeProfile(profile)
      return try insert(events, owner, profile, database)
    }
  }

  /// Compares a track with the user's last known locations, and writes the events and the new states. This is a
  /// single transaction, so that of overlapping tracks only one records an event.
  /// - Parameters:
  ///   - owner: The fingerprint of the user token in effect; nil if it is unknown.
  ///   - decide: Receives the remembered states by region id. It is called once.
  /// - Returns: The recorded events with their entries in the queue.
  package func record(
    owner: String?, profile: String, deciding decide: ([String: FenceState]) -> LocationUpdate
  ) throws(StoreError) -> [LocationEvent] {
    try write { database throws(StoreError) in
      try database.makeProfile(profile)
      let update = decide(try database.fenceStates(profile: profile))
      try database.remember(update.remembering, profile: profile)
      _ = try database.forget(update.forgetting, profile: profile)
      return try insert(update.events, owner, profile, database)
    }
  }

  private func insert(
    _ events: [LocationEvent], _ owner: String?, _ profile: String, _ database: Database
  ) throws(StoreError) -> [LocationEvent] {
    guard !events.isEmpty else { return [] }
    let now = world.clock.now()
    let insert = try database.prepare(
      """
      INSERT INTO location_event (profile, record_id, region, connection, kind, occurred_at, recorded_at, owner)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """)
    var recorded = events
    for index in recorded.indices {
      let occurredAt = recorded[index].occurredAt ?? now
      let queued = LocationEvent.Queued(recordID: world.random.uuid(), recordedAt: now)
      (recorded[index].occurredAt, recorded[index].queued) = (occurredAt, queued)
      let event = recorded[index]
      try insert.run(
        .text(profile), .text(queued.recordID), .text(event.region), event.connection.map(SQLValue.text) ?? .null,
        .text(event.kind.rawValue), .integer(occurredAt.milliseconds), .integer(now.milliseconds),
        owner.map(SQLValue.text) ?? .null)
    }
    return recorded
  }

  /// Returns the number of queued events, and of those that were rejected.
  package func locationEventCounts(profile: String) throws(StoreError) -> (all: Int, refused: Int) {
    guard let database = try openIfExists() else { return (0, 0) }
    let sql = "SELECT count(*) FROM location_event WHERE profile = ?"
    return (
      Int(try database.integer(sql, .text(profile)) ?? 0),
      Int(try database.integer(sql + " AND is_refused", .text(profile)) ?? 0)
    )
  }

  /// Returns the oldest queued events.
  /// - Parameter refused: true for rejected events only, false for the others only; nil for both.
  package func oldestLocationEvents(
    _ count: Int, refused: Bool?, profile: String
  ) throws(StoreError) -> [LocationEvent] {
    try locationEvents(refused.map { "is_refused = \($0 ? 1 : 0)" } ?? "TRUE", count, [], profile: profile)
  }

  /// - Parameter condition: An SQL condition. Its parameters are the values.
  func locationEvents(
    _ condition: String, _ count: Int, _ values: [SQLValue], profile: String
  ) throws(StoreError) -> [LocationEvent] {
    guard let database = try openIfExists() else { return [] }
    let statement = try database.prepare(
      """
      SELECT record_id, region, connection, kind, occurred_at, recorded_at, tries, tried_at, problem, is_refused
      FROM location_event WHERE profile = ? AND \(condition) ORDER BY number LIMIT ?
      """)
    try statement.bind([.text(profile)] + values + [.integer(Int64(count))])
    var found: [LocationEvent] = []
    while try statement.step() {
      if let event = LocationEvent(statement) { found.append(event) }
    }
    return found
  }

  /// Removes events that IFTTT has accepted or the user has discarded.
  /// - Returns: The number of events removed.
  package func removeLocationEvents(_ recordIDs: [String], profile: String) throws(StoreError) -> Int {
    try changeLocationEvents(recordIDs, profile: profile, "DELETE FROM location_event")
  }

  /// Records a failed attempt to send events. They stay in the queue.
  /// - Parameter isRefused: Whether a retry would be useless.
  package func noteLocationFailure(
    _ problem: String, isRefused: Bool, of recordIDs: [String], profile: String
  ) throws(StoreError) {
    let now = world.clock.now().milliseconds
    _ = try changeLocationEvents(
      recordIDs, profile: profile,
      "UPDATE location_event SET tries = tries + 1, tried_at = \(now), problem = ?3, is_refused = \(isRefused ? 1 : 0)",
      .text(problem))
  }

  private func changeLocationEvents(
    _ recordIDs: [String], profile: String, _ sql: String, _ values: SQLValue...
  ) throws(StoreError) -> Int {
    guard !recordIDs.isEmpty, try openIfExists() != nil else { return 0 }
    return try write { database throws(StoreError) in
      let statement = try database.prepare(sql + " WHERE profile = ?1 AND record_id = ?2")
      var count = 0
      for id in recordIDs {
        try statement.run([.text(profile), .text(id)] + values)
        count += database.changedRows
      }
      return count
    }
  }

  /// Returns the id of this installation, which never changes and is sent only with location events. It is created
  /// with the first event.
  /// - Parameter persists: Whether to store a new id.
  package func installationID(persisting persists: Bool = true) throws(StoreError) -> String {
    let sql = "SELECT value FROM choice WHERE name = 'location_installation_id'"
    if let id = try openIfExists()?.text(sql) { return id }
    guard persists else { return world.random.uuid() }
    return try write { database throws(StoreError) in
      if let id = try database.text(sql) { return id }
      let id = world.random.uuid()
      try database.run("INSERT INTO choice (name, value) VALUES ('location_installation_id', ?)", .text(id))
      return id
    }
  }
}

extension LocationEvent {
  /// - Returns: Nil for a kind that the table does not allow.
  fileprivate init?(_ row: borrowing Statement) {
    guard let kind = Kind(rawValue: row.text(3)) else { return nil }
    self.init(
      kind, region: row.text(1), connection: row.isNull(2) ? nil : row.text(2),
      at: Timestamp(milliseconds: row.integer(4)))
    var queued = Queued(recordID: row.text(0), recordedAt: Timestamp(milliseconds: row.integer(5)))
    queued.tries = Int(row.integer(6))
    queued.triedAt = row.isNull(7) ? nil : Timestamp(milliseconds: row.integer(7))
    queued.problem = row.isNull(8) ? nil : row.text(8)
    queued.isRefused = row.integer(9) != 0
    self.queued = queued
  }
}

// The selection of queued location events to send. Two kinds are withheld: events of a connection whose location
// reporting has been disabled since, and events recorded for another user.
extension Store {
  /// Returns the oldest events that may be sent.
  /// - Parameters:
  ///   - refused: Whether to return rejected events or the others.
  ///   - owner: The fingerprint of the user token under which they were recorded.
  package func locationEventsToSend(
    _ count: Int, refused: Bool, of owner: String, profile: String
  ) throws(StoreError) -> [LocationEvent] {
    try locationEvents(
      "is_refused = \(refused ? 1 : 0) AND owner = ? AND \(Self.isNotOff)", count, [.text(owner)], profile: profile)
  }

  /// Returns the events recorded under another token or an unknown one, for connections whose location reporting is
  /// not disabled.
  package func foreignLocationEvents(besides owner: String, profile: String) throws(StoreError)
    -> [LocationEvent]
  {
    try locationEvents("owner IS NOT ? AND \(Self.isNotOff)", .max, [.text(owner)], profile: profile)
  }

  /// Assigns the events of a region to the user the region turned out to belong to.
  package func adoptLocationEvents(of region: String, by owner: String, profile: String) throws(StoreError) {
    _ = try write { database throws(StoreError) in
      try database.run(
        "UPDATE location_event SET owner = ? WHERE profile = ? AND region = ?", .text(owner), .text(profile),
        .text(region))
    }
  }

  /// Returns those of the ids that are still queued. Another run may have sent the others.
  package func stillWaiting(_ recordIDs: [String], profile: String) throws(StoreError) -> Set<String> {
    guard let database = try openIfExists() else { return [] }
    let statement = try database.prepare("SELECT 1 FROM location_event WHERE profile = ? AND record_id = ?")
    var found: Set<String> = []
    for id in recordIDs {
      try statement.bind([.text(profile), .text(id)])
      if try statement.step() { found.insert(id) }
    }
    return found
  }

  /// Returns the connections with location reporting disabled that have queued events, and the number of their
  /// events.
  package func withheldLocationEvents(profile: String) throws(StoreError) -> [(connection: String, count: Int)] {
    guard let database = try openIfExists() else { return [] }
    let statement = try database.prepare(
      """
      SELECT connection, count(*) FROM location_event WHERE profile = ? AND NOT \(Self.isNotOff)
      GROUP BY connection ORDER BY connection
      """)
    try statement.bind([.text(profile)])
    var found: [(connection: String, count: Int)] = []
    while try statement.step() { found.append((statement.text(0), Int(statement.integer(1)))) }
    return found
  }

  private static var isNotOff: String {
    """
    NOT EXISTS (SELECT 1 FROM location_choice AS choice WHERE choice.profile = location_event.profile
    AND choice.connection = location_event.connection AND NOT choice.is_on)
    """
  }
}
