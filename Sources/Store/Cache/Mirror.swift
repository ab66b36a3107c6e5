import World

/// What the cache records about all of a profile's connections together.
struct Mirror {
  let number: Int64
  /// The generation of the set of tracked connections that the cache agrees with.
  let generation: Int64
  /// The time of the last refresh that left no connection with an older fetch, in milliseconds; 0 if there was none.
  fileprivate(set) var refreshedAt: Int64

  /// Returns the time when a connection was last fetched, in milliseconds, given the time in its row.
  ///
  /// A refresh that finds everything unchanged records its time once, for all connections, because writing it to each
  /// row would take longer than comparing the responses. The values 0 and 1 in a row stand for "never fetched" and
  /// "changed since", which no refresh of others makes fresh.
  func fetchTime(ofRow time: Int64) -> Int64 { time > 1 ? max(time, refreshedAt) : time }

  /// Returns the bound for which `row < bound` is the same as `fetchTime(ofRow: row) < moment`.
  func rowBound(for moment: Int64) -> Int64 { refreshedAt < moment ? moment : min(moment, 2) }

  /// Whether the last refresh is in the future: the clock has been set back since.
  func isFromTheFuture(at now: Int64) -> Bool { refreshedAt > now }
}

extension Database {
  func mirror(of profile: String) throws(StoreError) -> Mirror? {
    let statement = try prepare("SELECT number, generation, refreshed_at FROM mirror WHERE profile = ?")
    try statement.bind([.text(profile)])
    guard try statement.step() else { return nil }
    return Mirror(number: statement.integer(0), generation: statement.integer(1), refreshedAt: statement.integer(2))
  }

  /// Returns the profile's mirror, to write to it. A refresh in the future is forgotten: the clock has been set back since.
  func mirror(of profile: String, at now: Timestamp) throws(StoreError) -> Mirror? {
    guard var mirror = try mirror(of: profile) else { return nil }
    if mirror.isFromTheFuture(at: now.milliseconds) { try setRefresh(0, of: &mirror) }
    return mirror
  }

  /// - Parameter time: The time of the refresh in milliseconds; 0 to forget it.
  func setRefresh(_ time: Int64, of mirror: inout Mirror) throws(StoreError) {
    try run("UPDATE mirror SET refreshed_at = ? WHERE number = ?", .integer(time), .integer(mirror.number))
    mirror.refreshedAt = time
  }

  func setGeneration(_ generation: Int64, ofMirror number: Int64) throws(StoreError) {
    try run("UPDATE mirror SET generation = ? WHERE number = ?", .integer(generation), .integer(number))
  }
}
