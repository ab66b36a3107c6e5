package import Time
import World

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
  fileprivate let number: Int64
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
      let list = try cache.integer(
        "INSERT INTO provider_list (profile, provider, fetched_at) VALUES (?, ?, ?) RETURNING number",
        .text(profile), .text(provider), .integer(fetchedAt.milliseconds))
      let insert = try cache.prepare(
        "INSERT OR REPLACE INTO provider_connection (list, name, id, status, document) VALUES (?, ?, ?, ?, ?)")
      for row in rows {
        try insert.run(
          .integer(list ?? 0), .text(row.name), .text(row.id), .text(row.status), .blob(row.document))
      }
    }
  }

  /// Marks a provider's list as stale after a change.
  package func expire(listOf provider: String, profile: String) throws(StoreError) {
    guard try readCache({ _ in true }) != nil else { return }
    _ = try writeCache { cache throws(StoreError) in
      try cache.run(
        "UPDATE provider_list SET fetched_at = 0 WHERE profile = ? AND provider = ?", .text(profile), .text(provider))
    }
  }

  /// Deletes the lists of a removed provider in all profiles.
  package func forgetLists(of provider: String) throws(StoreError) {
    guard try readCache({ _ in true }) != nil else { return }
    _ = try writeCache { cache throws(StoreError) in
      try cache.run("DELETE FROM provider_list WHERE provider = ?", .text(provider))
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
      let statement = try cache.prepare(
        """
        SELECT provider FROM provider_list JOIN provider_connection ON list = number WHERE profile = ? AND id = ?
        """)
      return try statement.texts(.text(profile), .text(id))
    } ?? []
  }

  /// Returns the cached lists of all providers, sorted by provider.
  /// - Parameter provider: The only provider; nil for all.
  package func providedLists(profile: String, of provider: String? = nil) throws(StoreError) -> [ProvidedList] {
    try readCache { cache throws(StoreError) -> [ProvidedList] in
      let statement = try cache.prepare(
        """
        SELECT provider, number, fetched_at FROM provider_list
        WHERE profile = ?1\(provider == nil ? "" : " AND provider = ?2") ORDER BY provider
        """)
      try statement.bind([.text(profile)] + (provider.map { [.text($0)] } ?? []))
      var lists: [ProvidedList] = []
      while try statement.step() {
        lists.append(
          ProvidedList(
            provider: statement.text(0), fetchedAt: Timestamp(milliseconds: statement.integer(2)),
            number: statement.integer(1)))
      }
      try cache.addRows(to: &lists)
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
  /// Reads the rows of all lists with one statement, since most lists of a machine with many plugins are empty.
  fileprivate func addRows(to lists: inout [ProvidedList]) throws(StoreError) {
    let numbers = lists.map(\.number)
    guard let least = numbers.min(), let greatest = numbers.max() else { return }
    let statement = try prepare(
      """
      SELECT list, id, name, status, document FROM provider_connection WHERE list BETWEEN ? AND ?
      ORDER BY list, name, id
      """)
    try statement.bind([.integer(least), .integer(greatest)])
    var place = 0
    while try statement.step() {
      let number = statement.integer(0)
      if numbers[place] != number {
        // Lists of other profiles may be between them.
        guard let other = numbers.firstIndex(of: number) else { continue }
        place = other
      }
      lists[place].rows.append(
        ProvidedRow(
          id: statement.text(1), name: statement.text(2), status: statement.text(3), document: statement.bytes(4)))
    }
  }

  fileprivate func forgetList(of provider: String, profile: String) throws(StoreError) {
    // Earlier versions cached personal data, so overwrite the rows instead of only unlinking them.
    try execute("PRAGMA secure_delete = ON")
    try run("DELETE FROM provider_list WHERE profile = ? AND provider = ?", .text(profile), .text(provider))
  }
}
