/// The queries of shell completion. Each reads a single file without changing it. If anything fails, there are no
/// candidates.
package struct CompletionQueries {
  private let store: Store

  package init(_ store: Store) { self.store = store }

  /// The most connections that are listed: more than a person reads, and few enough for every shell to list at once.
  package static let limit = 500

  /// Returns the connections that a profile tracks, sorted by id. The name is empty if a connection was never fetched.
  ///
  /// If there are more than ``limit``, only those whose ids begin with the prefix are returned. If these are still too
  /// many, the beginnings of their ids are, each with an ellipsis in place of the name.
  package func connections(profile: String, prefix: String) -> [(id: String, name: String)] {
    query(in: store.cacheFile) { cache throws(StoreError) in
      guard let mirror = try cache.mirror(of: profile) else { return [] }
      for prefix in ["", prefix] {
        let found = try cache.rows(
          "SELECT id, name \(Self.range) ORDER BY id LIMIT :count",
          [":mirror": mirror.number, ":prefix": prefix, ":start": prefix, ":count": Self.limit + 1]
        ) { row throws(StoreError) in (id: row["id"] as String, name: row["name"] as String) }
        if found.count <= Self.limit { return found }
      }
      return try beginnings(of: mirror, prefix, in: cache).map { ($0, "…") }
    } ?? []
  }

  /// Returns the beginnings of all ids that begin with the prefix, one character longer than what they have in common.
  private func beginnings(of mirror: Mirror, _ prefix: String, in cache: Database) throws(StoreError) -> [String] {
    func firstID(from start: String, _ order: String = "ASC") throws(StoreError) -> String? {
      try cache.text(
        "SELECT id \(Self.range) ORDER BY id \(order) LIMIT 1",
        [":mirror": mirror.number, ":prefix": prefix, ":start": start])
    }
    guard let first = try firstID(from: prefix), let last = try firstID(from: prefix, "DESC") else { return [] }
    let length = zip(first.unicodeScalars, last.unicodeScalars).prefix { $0 == $1 }.count + 1
    var beginnings: [String] = []
    var next: String? = first
    while let id = next {
      let beginning = String(String.UnicodeScalarView(id.unicodeScalars.prefix(length)))
      guard beginning != beginnings.last else { break }
      beginnings.append(beginning)
      // A short id is its own beginning, and longer ones may follow.
      next = try firstID(from: id.unicodeScalars.count < length ? id + "\u{1}" : beginning + Self.lastCharacter)
    }
    return beginnings
  }

  /// The connections from `:start` on whose ids begin with `:prefix`. The index has the names too, in far fewer pages than
  /// the rows fill with their documents.
  private static let range = """
    FROM connection INDEXED BY connection_by_id
    WHERE mirror = :mirror AND id >= :start AND id < :prefix || '\(lastCharacter)'
    """

  /// The last code point, which no text contains.
  private static let lastCharacter = "\u{10ffff}"

  /// Returns IFTTT's response for one tracked connection of a profile.
  package func connectionResponse(_ id: String, profile: String) -> [UInt8]? {
    query(in: store.cacheFile) { cache throws(StoreError) -> [UInt8]? in
      guard let mirror = try cache.mirror(of: profile) else { return nil }
      return try cache.first(
        """
        SELECT size, bytes, document FROM connection JOIN response ON number = response
        WHERE mirror = :mirror AND id = :id
        """, [":mirror": mirror.number, ":id": id]
      ) { row throws(StoreError) in try row.response(store.compression) }
    } ?? nil
  }

  /// Returns IFTTT's responses for the enabled connections that a profile tracks, sorted by name.
  package func enabledConnections(profile: String) -> [(id: String, raw: [UInt8])] {
    query(in: store.cacheFile) { cache throws(StoreError) in
      guard let mirror = try cache.mirror(of: profile) else { return [] }
      return try cache.rows(
        """
        SELECT id, size, bytes, document FROM connection JOIN response ON number = response
        WHERE mirror = :mirror AND status = 'enabled' ORDER BY name, id
        """, [":mirror": mirror.number]
      ) { row throws(StoreError) in (row["id"], try row.response(store.compression)) }
    } ?? []
  }

  /// Returns the latest documents of all Applets in a profile's cached lists, for any service and user, sorted by id.
  package func appletDocuments(profile: String) -> [(id: String, document: [UInt8])] {
    query(in: store.cacheFile) { cache throws(StoreError) in
      // With a maximum, SQLite takes the other columns from the row that has it.
      try cache.rows(
        """
        SELECT id, document, MAX(applet.fetched_at) FROM applet JOIN applet_list ON number = list
        WHERE profile = :profile GROUP BY id ORDER BY id
        """, [":profile": profile]
      ) { ($0["id"], $0["document"]) }
    } ?? []
  }

  /// Returns the existing profiles, sorted by name.
  package func profileNames() -> [String] {
    query(in: store.file) { database throws(StoreError) in
      try database.texts("SELECT name FROM profile ORDER BY name")
    } ?? []
  }

  /// Returns the profile chosen with `profile use`, like ``Store/currentProfile()``.
  package func currentProfileName() -> String? {
    query(in: store.file) { database throws(StoreError) in
      try database.text("SELECT value FROM choice WHERE name = 'profile'")
    } ?? nil
  }

  /// Returns the users with a stored user token in the profile, except for a token that was stored without a user.
  package func tokenUsers(profile: String) -> [String] {
    query(in: store.file) { database throws(StoreError) in
      try database.texts(
        "SELECT user_id FROM credential WHERE profile = :profile AND kind = :kind AND user_id <> '' ORDER BY user_id",
        [":profile": profile, ":kind": CredentialKind.userToken.rawValue])
    } ?? []
  }

  private func query<Result>(
    in file: DatabaseFile, _ body: (Database) throws(StoreError) -> Result
  ) -> Result? {
    do throws(StoreError) {
      guard let (database, version) = try file.openWithoutLocks(), version == file.schema.migrations.count else {
        return nil
      }
      return try body(database)
    } catch { return nil }
  }
}
