// The queries of shell completion. Each reads a single file without changing it. If anything fails, there are no
// candidates.
extension Store {
  /// Calls `body` with the id and the name of each connection that a profile tracks, sorted by id. The name is empty if
  /// the connection was never fetched. The bytes are valid only during the call.
  ///
  /// The index by id has both, in a tenth of the pages that the rows fill with their documents. The shells sort the
  /// candidates themselves.
  /// - Returns: Whether all connections were read.
  package func forEachConnectionName(
    profile: String, _ body: (_ id: UnsafeRawBufferPointer, _ name: UnsafeRawBufferPointer) -> Void
  ) -> Bool {
    query(into: cacheFile) { cache throws(StoreError) in
      guard let mirror = try cache.mirror(of: profile) else { return true }
      let statement = try cache.prepare(
        "SELECT id, name FROM connection INDEXED BY connection_by_id WHERE mirror = ? ORDER BY id")
      try statement.bind([.integer(mirror.number)])
      while try statement.step() { body(statement.buffer(0), statement.buffer(1)) }
      return true
    } ?? false
  }

  /// Returns IFTTT's response for one tracked connection of a profile.
  package func connectionAnswer(_ id: String, profile: String) -> [UInt8]? {
    query(into: cacheFile) { cache throws(StoreError) -> [UInt8]? in
      guard let mirror = try cache.mirror(of: profile) else { return nil }
      let statement = try cache.prepare(
        """
        SELECT size, bytes, document FROM connection JOIN response ON number = response WHERE mirror = ? AND id = ?
        """)
      try statement.bind([.integer(mirror.number), .text(id)])
      return try statement.step() ? statement.response(size: 0, bytes: 1, document: 2, compression) : nil
    } ?? nil
  }

  /// Returns IFTTT's responses for the enabled connections that a profile tracks, sorted by name.
  package func enabledConnections(profile: String) -> [(id: String, raw: [UInt8])] {
    query(into: cacheFile) { cache throws(StoreError) in
      guard let mirror = try cache.mirror(of: profile) else { return [] }
      let statement = try cache.prepare(
        """
        SELECT id, size, bytes, document FROM connection JOIN response ON number = response
        WHERE mirror = ? AND status = 'enabled' ORDER BY name, id
        """)
      try statement.bind([.integer(mirror.number)])
      var connections: [(id: String, raw: [UInt8])] = []
      while try statement.step() {
        let raw = try statement.response(size: 1, bytes: 2, document: 3, compression)
        connections.append((statement.text(0), raw))
      }
      return connections
    } ?? []
  }

  /// Returns the latest documents of all Applets in a profile's cached lists, for any service and user, sorted by id.
  package func appletDocuments(profile: String) -> [(id: String, document: [UInt8])] {
    query(into: cacheFile) { cache throws(StoreError) in
      let statement = try cache.prepare(
        """
        SELECT id, document, MAX(applet.fetched_at) FROM applet JOIN applet_list ON number = list
        WHERE profile = ? GROUP BY id ORDER BY id
        """)
      try statement.bind([.text(profile)])
      var applets: [(id: String, document: [UInt8])] = []
      while try statement.step() { applets.append((statement.text(0), statement.bytes(1))) }
      return applets
    } ?? []
  }

  /// Returns the existing profiles, sorted by name.
  package func profileNames() -> [String] {
    query(into: file) { database throws(StoreError) in
      try database.prepare("SELECT name FROM profile ORDER BY name").texts()
    } ?? []
  }

  /// Returns the profile chosen with `profile use`, like ``currentProfile()``, or `standard` if none was chosen; nil if
  /// that cannot be read.
  package func currentProfileName(standard: String) -> String? {
    query(into: file) { database throws(StoreError) in
      try database.text("SELECT value FROM choice WHERE name = 'profile'") ?? standard
    }
  }

  /// Returns the users with a stored user token in the profile, except for a token that was stored without a user.
  package func tokenUsers(profile: String) -> [String] {
    query(into: file) { database throws(StoreError) in
      try database.prepare(
        "SELECT user_id FROM credential WHERE profile = ? AND kind = ? AND user_id <> '' ORDER BY user_id"
      ).texts(.text(profile), .text(CredentialKind.userToken.rawValue))
    } ?? []
  }

  private func query<Result>(
    into file: DatabaseFile, _ body: (Database) throws(StoreError) -> Result
  ) -> Result? {
    do throws(StoreError) {
      guard let (database, version) = try file.openWithoutLocks(), version == file.schema.migrations.count else {
        return nil
      }
      return try body(database)
    } catch { return nil }
  }
}
