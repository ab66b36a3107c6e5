package import World

/// A connection of a provider plugin, as last listed.
package struct ProvidedRow: Sendable, Equatable {
  package var id: String
  package var name: String
  /// The status: `enabled`, `disabled`, `never_enabled` or `unknown`.
  package var status: String
  /// The program's own JSON object, compact, up to and including `cover_images` and without the closing brace.
  package var document: [UInt8]
  /// Whether the name or the document contains personal data. The cache is not encrypted and must not contain any.
  package var isPrivate = false
  package init(id: String, name: String, status: String, document: [UInt8]) {
    (self.id, self.name, self.status, self.document) = (id, name, status, document)
  }
}

/// The cached list of a provider plugin.
package struct ProvidedList: Sendable {
  package let provider: String
  package let fetchedAt: Timestamp
  /// Sorted by name and then id.
  package fileprivate(set) var rows: [ProvidedRow] = []
}

extension Timestamp {
  /// The fetch time of a list that must be refreshed before it is shown.
  package static let expired = Timestamp(milliseconds: 0)
}

extension Store {
  /// Replaces the cached list of a provider.
  package func cache(
    provided rows: [ProvidedRow], by provider: String, profile: String, fetchedAt: Timestamp
  ) throws(StoreError) {
    try writeCache { cache throws(StoreError) in
      try cache.forgetList(of: provider, profile: profile)
      try cache.run(
        "INSERT INTO provided_list (profile, provider, fetched_at) VALUES (?, ?, ?)",
        .text(profile), .text(provider), .integer(fetchedAt.milliseconds))
      let insert = try cache.prepare(
        """
        INSERT OR REPLACE INTO provided_connection (profile, provider, name, id, status, document)
        VALUES (?, ?, ?, ?, ?, ?)
        """)
      for row in rows {
        try insert.run(
          .text(profile), .text(provider), .text(row.name), .text(row.id), .text(row.status), .blob(row.document))
      }
    }
  }

  /// Marks a provider's list as stale after a change.
  package func expire(listOf provider: String, profile: String) throws(StoreError) {
    guard try readCache({ _ in true }) != nil else { return }
    _ = try writeCache { cache throws(StoreError) in
      try cache.run(
        "UPDATE provided_list SET fetched_at = 0 WHERE profile = ? AND provider = ?", .text(profile), .text(provider))
    }
  }

  /// Deletes the lists of a removed provider in all profiles.
  package func forgetLists(of provider: String) throws(StoreError) {
    guard try readCache({ _ in true }) != nil else { return }
    _ = try writeCache { cache throws(StoreError) in
      try cache.run("DELETE FROM provided_list WHERE provider = ?", .text(provider))
    }
  }

  /// Deletes a provider's list for one profile.
  package func forgetList(of provider: String, profile: String) throws(StoreError) {
    guard try readCache({ _ in true }) != nil else { return }
    try writeCache { cache throws(StoreError) in try cache.forgetList(of: provider, profile: profile) }
  }

  /// Returns the providers whose cached list contains the connection.
  package func providers(listing id: String, profile: String) throws(StoreError) -> [String] {
    try readCache { cache throws(StoreError) -> [String] in
      let statement = try cache.prepare("SELECT provider FROM provided_connection WHERE profile = ? AND id = ?")
      return try statement.texts(.text(profile), .text(id))
    } ?? []
  }

  /// Returns the cached lists of all providers, sorted by provider.
  /// - Parameter provider: The only provider; nil for all.
  package func providedLists(profile: String, of provider: String? = nil) throws(StoreError) -> [ProvidedList] {
    try readCache { cache throws(StoreError) -> [ProvidedList] in
      // One statement, since most lists of a machine with many plugins are empty.
      let statement = try cache.prepare(
        """
        SELECT provider, fetched_at, id, name, status, document
        FROM provided_list LEFT JOIN provided_connection USING (profile, provider)
        WHERE profile = ?1\(provider == nil ? "" : " AND provider = ?2") ORDER BY provider, name, id
        """)
      try statement.bind([.text(profile)] + (provider.map { [.text($0)] } ?? []))
      var lists: [ProvidedList] = []
      while try statement.step() {
        let provider = statement.text(0)
        if lists.last?.provider != provider {
          lists.append(
            ProvidedList(provider: provider, fetchedAt: Timestamp(milliseconds: statement.integer(1))))
        }
        guard !statement.isNull(2) else { continue }
        lists[lists.count - 1].rows.append(
          ProvidedRow(
            id: statement.text(2), name: statement.text(3), status: statement.text(4), document: statement.bytes(5)))
      }
      return lists
    } ?? []
  }

  /// Returns a provider's cached list, sorted by name and then id, with its fetch time; nil if none is cached.
  package func provided(
    by provider: String, profile: String
  ) throws(StoreError) -> (rows: [ProvidedRow], fetchedAt: Timestamp)? {
    guard let list = try providedLists(profile: profile, of: provider).first else { return nil }
    return (list.rows, list.fetchedAt)
  }
}

extension Database {
  fileprivate func forgetList(of provider: String, profile: String) throws(StoreError) {
    // Earlier versions cached personal data, so overwrite the rows instead of only unlinking them.
    try execute("PRAGMA secure_delete = ON")
    try run("DELETE FROM provided_list WHERE profile = ? AND provider = ?", .text(profile), .text(provider))
  }
}
