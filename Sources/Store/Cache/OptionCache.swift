package import World

/// The options of one step's fields, as last fetched.
package struct CachedOptions: Sendable, Equatable {
  package var connection: String
  /// The identifier of the step within the connection.
  package var step: String
  /// IFTTT's response.
  package var response: [UInt8]
  package var fetchedAt: Timestamp
  package init(connection: String, step: String, response: [UInt8], fetchedAt: Timestamp) {
    (self.connection, self.step, self.response, self.fetchedAt) = (connection, step, response, fetchedAt)
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
        VALUES (:profile, :connection, :step, :identity, :fetched_at, :response)
        """)
      for step in options {
        try insert.run([
          ":profile": profile, ":connection": step.connection, ":step": step.step, ":identity": identity.key,
          ":fetched_at": step.fetchedAt, ":response": step.response,
        ])
      }
    }
  }

  /// Returns the cached responses for a connection's steps and this identity, by step.
  ///
  /// A fetch time in the future means that the clock has been set back since. Such responses are skipped.
  package func cachedOptions(
    of connection: String, as identity: RequestIdentity, fetchedSince moment: Timestamp, profile: String
  ) throws(StoreError) -> [String: CachedOptions] {
    let options = try readCache { cache throws(StoreError) in
      try cache.rows(
        """
        SELECT step, answer, fetched_at FROM field_options
        WHERE profile = :profile AND connection = :connection AND asked_as = :identity
          AND fetched_at BETWEEN :moment AND :now
        """,
        [
          ":profile": profile, ":connection": connection, ":identity": identity.key, ":moment": moment,
          ":now": world.clock.now(),
        ]
      ) { row in
        CachedOptions(
          connection: connection, step: row["step"], response: row["answer"], fetchedAt: row["fetched_at"])
      }
    }
    return Dictionary((options ?? []).map { ($0.step, $0) }) { _, last in last }
  }

  /// Deletes the cached options of a connection's fields, for all identities.
  package func forgetOptions(of connection: String, profile: String) throws(StoreError) {
    try writeExistingCache { cache throws(StoreError) in
      try cache.run(
        "DELETE FROM field_options WHERE profile = :profile AND connection = :connection",
        [":profile": profile, ":connection": connection])
    }
  }
}

// Responses that a profile's cached list cannot hold: the list has only tracked connections, as fetched by one
// identity. These responses are stored with the options of the connection's fields, as if for a step. No real step has
// an empty identifier.
extension Store {
  /// Writes the connections that the list does not hold. Each keeps only the response to the latest identity.
  package func cacheUnlisted(
    _ connections: [CachedConnection], as identity: RequestIdentity, profile: String
  ) throws(StoreError) {
    let isOwner = try belongs(to: identity, profile: profile)
    var unlisted: [CachedOptions] = []
    for connection in connections {
      if isOwner, try cached(connection.id, profile: profile) != nil { continue }
      unlisted.append(
        CachedOptions(
          connection: connection.id, step: wholeConnection, response: connection.raw, fetchedAt: connection.fetchedAt))
    }
    try cache(unlisted, as: identity, profile: profile)
  }

  /// Returns IFTTT's response to this identity; nil unless one that was fetched since `moment` is stored.
  package func unlistedResponse(
    of id: String, as identity: RequestIdentity, fetchedSince moment: Timestamp, profile: String
  ) throws(StoreError) -> [UInt8]? {
    try cachedOptions(of: id, as: identity, fetchedSince: moment, profile: profile)[wholeConnection]?.response
  }

  /// Deletes these responses after a change of their connections.
  func removeUnlisted(_ ids: [String], profile: String) throws(StoreError) {
    let condition = "profile = :profile AND connection = :connection AND step = :step"
    func parameters(_ id: String) -> SQLParameters {
      [":profile": profile, ":connection": id, ":step": wholeConnection]
    }
    let exists = try readCache { cache throws(StoreError) in
      for id in ids {
        if try cache.integer("SELECT 1 FROM field_options WHERE \(condition)", parameters(id)) != nil { return true }
      }
      return false
    }
    guard exists == true else { return }
    try writeCache { cache throws(StoreError) in
      for id in ids { try cache.run("DELETE FROM field_options WHERE \(condition)", parameters(id)) }
    }
  }
}

/// The step identifier that stands for the connection itself.
private let wholeConnection = ""
