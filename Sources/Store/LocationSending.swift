// Which of the location events that wait may be sent, and which are held back: those of a connection whose user has
// switched location off meanwhile, and those that were recorded as another user.
extension Store {
  /// The oldest that may be sent.
  /// - Parameters:
  ///   - refused: of those that were refused, or of the others.
  ///   - owner: the fingerprint of the user token they were recorded under.
  package func locationEventsToSend(
    _ count: Int, refused: Bool, of owner: String, profile: String
  ) throws(StoreError) -> [WaitingLocationEvent] {
    try locationEvents(
      "is_refused = \(refused ? 1 : 0) AND owner = ? AND \(Self.isNotOff)", count, [.text(owner)], profile: profile)
  }

  /// Those that were recorded under another token, or nobody knows under which, of connections that are not off.
  package func strayLocationEvents(besides owner: String, profile: String) throws(StoreError) -> [WaitingLocationEvent]
  {
    try locationEvents("owner IS NOT ? AND \(Self.isNotOff)", .max, [.text(owner)], profile: profile)
  }

  /// Of a region that turned out to be that user's.
  package func adoptLocationEvents(of region: String, by owner: String, profile: String) throws(StoreError) {
    _ = try write { database throws(StoreError) in
      try database.run(
        "UPDATE location_event SET owner = ? WHERE profile = ? AND region = ?", .text(owner), .text(profile),
        .text(region))
    }
  }

  /// Those of these ids that still wait; another run may have sent the others.
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

  /// The connections that location is off for and that events wait of, and how many those are.
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
