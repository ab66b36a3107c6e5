/// What a tracked connection can be called by.
package struct TrackedName: Sendable, Equatable {
  package let id: String
  /// Empty if it was never fetched.
  package let name: String
}

extension Store {
  /// The tracked connections whose id begins with a word, or whose name is the word, by name and id.
  package func tracked(calledBy word: String, profile: String) throws(StoreError) -> [TrackedName] {
    guard !word.isEmpty else { return [] }
    return try trackedNames(
      "AND (substr(id, 1, length(?2)) = ?2 OR name = ?2)", [.text(word)], profile: profile)
  }

  /// All tracked connections by name and id.
  package func trackedNames(profile: String) throws(StoreError) -> [TrackedName] {
    try trackedNames("", [], profile: profile)
  }

  private func trackedNames(
    _ filter: String, _ values: [SQLValue], profile: String
  ) throws(StoreError) -> [TrackedName] {
    try mirrored(profile) { database, mirror throws(StoreError) in
      let statement = try database.prepare(
        "SELECT id, name FROM connection WHERE mirror = ?1 \(filter) ORDER BY name, id")
      try statement.bind([.integer(mirror)] + values)
      var names: [TrackedName] = []
      while try statement.step() { names.append(TrackedName(id: statement.text(0), name: statement.text(1))) }
      return names
    } ?? []
  }
}
