// The selection of queued location events to send. Two kinds are held back: events of a connection whose location
// reporting has been disabled since, and events recorded for another user.
extension Store {
  /// Returns the oldest events that may be sent.
  /// - Parameters:
  ///   - refused: Whether to return rejected events or the others.
  ///   - owner: The fingerprint of the user token under which they were recorded.
  package func locationEventsToSend(
    _ count: Int, refused: Bool, of owner: String, profile: String
  ) throws(StoreError) -> [WaitingLocationEvent] {
    try locationEvents(
      "is_refused = \(refused ? 1 : 0) AND owner = ? AND \(Self.isNotOff)", count, [.text(owner)], profile: profile)
  }

  /// Returns the events recorded under another token or an unknown one, for connections whose location reporting is
  /// not disabled.
  package func foreignLocationEvents(besides owner: String, profile: String) throws(StoreError)
    -> [WaitingLocationEvent]
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
    guard let database = try existing() else { return [] }
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
  package func heldLocationEvents(profile: String) throws(StoreError) -> [(connection: String, count: Int)] {
    guard let database = try existing() else { return [] }
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
