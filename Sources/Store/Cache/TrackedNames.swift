/// The id and name of a tracked connection.
package struct TrackedName: Sendable, Equatable {
  package let id: String
  /// The name; empty if it was never fetched.
  package let name: String
}

extension Store {
  /// Returns the tracked connections whose id starts with a word or whose name equals it, sorted by name and id.
  package func tracked(calledBy word: String, profile: String) throws(StoreError) -> [TrackedName] {
    guard !word.isEmpty else { return [] }
    // Two searches in an index; with OR, SQLite would read every row. No text that starts with the word sorts after it
    // with the last code point appended.
    return try trackedNames(
      "AND id >= ?2 AND id <= ?2 || char(0x10ffff) UNION SELECT id, name FROM connection WHERE mirror = ?1 AND name = ?2",
      [.text(word)], profile: profile)
  }

  /// Returns all tracked connections, sorted by name and id.
  package func trackedNames(profile: String) throws(StoreError) -> [TrackedName] {
    try trackedNames("", [], profile: profile)
  }

  private func trackedNames(
    _ filter: String, _ values: [SQLValue], profile: String
  ) throws(StoreError) -> [TrackedName] {
    try mirrored(profile) { database, mirror throws(StoreError) in
      let statement = try database.prepare(
        "SELECT id, name FROM connection WHERE mirror = ?1 \(filter) ORDER BY name, id")
      try statement.bind([.integer(mirror.number)] + values)
      var names: [TrackedName] = []
      while try statement.step() { names.append(TrackedName(id: statement.text(0), name: statement.text(1))) }
      return names
    } ?? []
  }
}
