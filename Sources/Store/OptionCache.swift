package import Time
import World

/// What the fields of one step accept, as last answered.
package struct CachedOptions: Sendable, Equatable {
  package var connection: String
  /// Names the step within the connection.
  package var step: String
  /// IFTTT's own answer.
  package var answer: [UInt8]
  package var fetchedAt: Timestamp
  package init(connection: String, step: String, answer: [UInt8], fetchedAt: Timestamp) {
    (self.connection, self.step, self.answer, self.fetchedAt) = (connection, step, answer, fetchedAt)
  }
}

extension Store {
  /// Writes all in one transaction. Of a step only the last asker's answer is kept.
  package func cache(_ options: [CachedOptions], as asker: RequestIdentity, profile: String) throws(StoreError) {
    guard !options.isEmpty else { return }
    try writeCache { cache throws(StoreError) in
      let insert = try cache.prepare(
        """
        INSERT OR REPLACE INTO field_options (profile, connection, step, asked_as, fetched_at, answer)
        VALUES (?, ?, ?, ?, ?, ?)
        """)
      for step in options {
        try insert.run(
          .text(profile), .text(step.connection), .text(step.step), .text(asker.words),
          .integer(step.fetchedAt.milliseconds), .blob(step.answer))
      }
    }
  }

  /// What that asker was answered of a connection's steps, by step.
  ///
  /// An answer from the future was fetched before the clock was set back, and is left out.
  package func cachedOptions(
    of connection: String, as asker: RequestIdentity, fetchedSince moment: Timestamp, profile: String
  ) throws(StoreError) -> [String: CachedOptions] {
    let now = world.clock.now().milliseconds
    return try readCache { cache throws(StoreError) in
      let statement = try cache.prepare(
        """
        SELECT step, answer, fetched_at FROM field_options
        WHERE profile = ? AND connection = ? AND asked_as = ? AND fetched_at BETWEEN ? AND ?
        """)
      try statement.bind([
        .text(profile), .text(connection), .text(asker.words), .integer(moment.milliseconds), .integer(now),
      ])
      var found: [String: CachedOptions] = [:]
      while try statement.step() {
        let step = statement.text(0)
        found[step] = CachedOptions(
          connection: connection, step: step, answer: statement.bytes(1),
          fetchedAt: Timestamp(milliseconds: statement.integer(2)))
      }
      return found
    } ?? [:]
  }

  /// Forgets what a connection's fields accept, whoever was told.
  package func forgetOptions(of connection: String, profile: String) throws(StoreError) {
    guard try readCache({ _ in true }) != nil else { return }
    _ = try writeCache { cache throws(StoreError) in
      try cache.run("DELETE FROM field_options WHERE profile = ? AND connection = ?", .text(profile), .text(connection))
    }
  }

  /// Makes a cached connection count as out of date, after it was changed by somebody who does not fill the cache.
  package func expire(_ id: String, profile: String) throws(StoreError) {
    guard try cached(id, profile: profile) != nil else { return }
    try writeCache { cache throws(StoreError) in
      guard let mirror = try cache.mirror(of: profile)?.number else { return }
      // Not 0, which stands for one that was never seen.
      try cache.run(
        "UPDATE connection SET fetched_at = 1 WHERE mirror = ? AND id = ? AND fetched_at > 1", .integer(mirror),
        .text(id))
    }
  }
}
