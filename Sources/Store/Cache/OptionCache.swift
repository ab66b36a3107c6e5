package import World

/// The options of one step's fields, as last fetched.
package struct CachedOptions: Sendable, Equatable {
  package var connection: String
  /// The identifier of the step within the connection.
  package var step: String
  /// IFTTT's response.
  package var answer: [UInt8]
  package var fetchedAt: Timestamp
  package init(connection: String, step: String, answer: [UInt8], fetchedAt: Timestamp) {
    (self.connection, self.step, self.answer, self.fetchedAt) = (connection, step, answer, fetchedAt)
  }
}

extension Store {
  /// Writes all options in one transaction. Each step keeps only the response to the latest identity.
  package func cache(_ options: [CachedOptions], as identity: RequestIdentity, profile: String) throws(StoreError) {
    guard !options.isEmpty else { return }
    try writeCache { cache throws(StoreError) in
      let insert = try cache.prepare(
        """
        INSERT OR REPLACE INTO field_options (profile, connection, step, asked_as, fetched_at, answer)
        VALUES (?, ?, ?, ?, ?, ?)
        """)
      for step in options {
        try insert.run(
          .text(profile), .text(step.connection), .text(step.step), .text(identity.words),
          .integer(step.fetchedAt.milliseconds), .blob(step.answer))
      }
    }
  }

  /// Returns the cached responses for a connection's steps and this identity, by step.
  ///
  /// A fetch time in the future means that the clock has been set back since. Such responses are skipped.
  package func cachedOptions(
    of connection: String, as identity: RequestIdentity, fetchedSince moment: Timestamp, profile: String
  ) throws(StoreError) -> [String: CachedOptions] {
    let now = world.clock.now().milliseconds
    return try readCache { cache throws(StoreError) in
      let statement = try cache.prepare(
        """
        SELECT step, answer, fetched_at FROM field_options
        WHERE profile = ? AND connection = ? AND asked_as = ? AND fetched_at BETWEEN ? AND ?
        """)
      try statement.bind([
        .text(profile), .text(connection), .text(identity.words), .integer(moment.milliseconds), .integer(now),
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

  /// Deletes the cached options of a connection's fields, for all identities.
  package func forgetOptions(of connection: String, profile: String) throws(StoreError) {
    guard try readCache({ _ in true }) != nil else { return }
    _ = try writeCache { cache throws(StoreError) in
      try cache.run("DELETE FROM field_options WHERE profile = ? AND connection = ?", .text(profile), .text(connection))
    }
  }
}
