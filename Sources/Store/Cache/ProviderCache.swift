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

/// A profile's cached lists of connections of provider plugins.
package struct ProviderCache {
  private let store: Store
  private let profile: String

  package init(_ store: Store, profile: String) { (self.store, self.profile) = (store, profile) }

  /// Replaces the cached list of a provider.
  package func cache(_ rows: [ProvidedRow], by provider: String, fetchedAt: Timestamp) throws(StoreError) {
    try store.writeCache { cache throws(StoreError) in
      try forget(provider, in: cache)
      try cache.run(
        "INSERT INTO provided_list (profile, provider, fetched_at) VALUES (:profile, :provider, :fetched_at)",
        [":profile": profile, ":provider": provider, ":fetched_at": fetchedAt])
      let insert = try cache.prepare(
        """
        INSERT OR REPLACE INTO provided_connection (profile, provider, name, id, status, document)
        VALUES (:profile, :provider, :name, :id, :status, :document)
        """)
      for row in rows {
        try insert.run([
          ":profile": profile, ":provider": provider, ":name": row.name, ":id": row.id, ":status": row.status,
          ":document": row.document,
        ])
      }
    }
  }

  /// Marks a provider's list as stale after a change.
  package func expire(_ provider: String) throws(StoreError) {
    try store.writeExistingCache { cache throws(StoreError) in
      try cache.run(
        "UPDATE provided_list SET fetched_at = 0 WHERE profile = :profile AND provider = :provider",
        [":profile": profile, ":provider": provider])
    }
  }

  /// Deletes the lists of a removed provider in all profiles.
  package static func forget(_ provider: String, in store: Store) throws(StoreError) {
    try store.writeExistingCache { cache throws(StoreError) in
      try cache.run("DELETE FROM provided_list WHERE provider = :provider", [":provider": provider])
    }
  }

  /// Deletes a provider's list.
  package func forget(_ provider: String) throws(StoreError) {
    try store.writeExistingCache { cache throws(StoreError) in try forget(provider, in: cache) }
  }

  private func forget(_ provider: String, in cache: Database) throws(StoreError) {
    // Earlier versions cached personal data, so overwrite the rows instead of only unlinking them.
    try cache.execute("PRAGMA secure_delete = ON")
    try cache.run(
      "DELETE FROM provided_list WHERE profile = :profile AND provider = :provider",
      [":profile": profile, ":provider": provider])
  }

  /// Returns the providers whose cached list contains the connection.
  package func providers(listing id: String) throws(StoreError) -> [String] {
    try store.readCache { cache throws(StoreError) -> [String] in
      try cache.texts(
        "SELECT provider FROM provided_connection WHERE profile = :profile AND id = :id",
        [":profile": profile, ":id": id])
    } ?? []
  }

  /// Returns the cached lists of all providers, sorted by provider.
  /// - Parameter provider: The only provider; nil for all.
  package func lists(of provider: String? = nil) throws(StoreError) -> [ProvidedList] {
    try store.readCache { cache throws(StoreError) -> [ProvidedList] in
      // One statement, since most lists of a machine with many plugins are empty.
      let statement = try cache.prepare(
        """
        SELECT provider, provided_list.fetched_at AS fetched_at, id, name, status, document
        FROM provided_list LEFT JOIN provided_connection USING (profile, provider)
        WHERE profile = :profile\(provider == nil ? "" : " AND provider = :provider") ORDER BY provider, name, id
        """)
      try statement.bind([":profile": profile] + (provider.map { [":provider": $0] } ?? [:]))
      let (provider, fetchedAt) = (statement.column("provider"), statement.column("fetched_at"))
      let (id, name) = (statement.column("id"), statement.column("name"))
      let (status, document) = (statement.column("status"), statement.column("document"))
      var lists: [ProvidedList] = []
      while try statement.step() {
        let provider: String = provider.value()
        if lists.last?.provider != provider {
          lists.append(ProvidedList(provider: provider, fetchedAt: fetchedAt.value()))
        }
        guard !id.isNull else { continue }
        lists[lists.count - 1].rows.append(
          ProvidedRow(id: id.value(), name: name.value(), status: status.value(), document: document.value()))
      }
      return lists
    } ?? []
  }
}
