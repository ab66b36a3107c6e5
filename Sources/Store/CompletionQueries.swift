// What shell completion asks for. One file is opened alone and as it is, nothing is changed in it, and where there is any
// trouble there is nothing to offer.
extension Store {
  /// The connections that a profile tracks, by name.
  package func connectionNames(profile: String) -> [ConnectionName] {
    look(into: cacheFile) { cache throws(StoreError) in
      guard let mirror = try cache.mirror(of: profile) else { return [] }
      let statement = try cache.prepare("SELECT id, name, status FROM connection WHERE mirror = ? ORDER BY name, id")
      try statement.bind([.integer(mirror.number)])
      var names: [ConnectionName] = []
      while try statement.step() {
        names.append(ConnectionName(id: statement.text(0), name: statement.text(1), status: statement.text(2)))
      }
      return names
    } ?? []
  }

  /// What IFTTT sent of one connection that a profile tracks.
  package func connectionAnswer(_ id: String, profile: String) -> [UInt8]? {
    look(into: cacheFile) { cache throws(StoreError) -> [UInt8]? in
      guard let mirror = try cache.mirror(of: profile) else { return nil }
      let statement = try cache.prepare("SELECT raw FROM answer WHERE mirror = ? AND id = ?")
      try statement.bind([.integer(mirror.number), .text(id)])
      return try statement.step() ? statement.bytes(0) : nil
    } ?? nil
  }

  /// What IFTTT sent of the enabled connections that a profile tracks, by name.
  package func enabledConnections(profile: String) -> [(id: String, raw: [UInt8])] {
    look(into: cacheFile) { cache throws(StoreError) in
      guard let mirror = try cache.mirror(of: profile) else { return [] }
      let statement = try cache.prepare(
        """
        SELECT id, raw FROM connection JOIN answer USING (mirror, id)
        WHERE mirror = ? AND status = 'enabled' ORDER BY name, id
        """)
      try statement.bind([.integer(mirror.number)])
      var connections: [(id: String, raw: [UInt8])] = []
      while try statement.step() { connections.append((statement.text(0), statement.bytes(1))) }
      return connections
    } ?? []
  }

  /// The documents of the Applets in the lists that a profile fetched last, whatever the service and user, by id.
  package func appletDocuments(profile: String) -> [(id: String, document: [UInt8])] {
    look(into: cacheFile) { cache throws(StoreError) in
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

  /// The profiles that were made, by name.
  package func profileNames() -> [String] {
    look(into: file) { database throws(StoreError) in
      try database.prepare("SELECT name FROM profile ORDER BY name").texts()
    } ?? []
  }

  /// The profile that `profile use` chose, as ``currentProfile()`` gives it.
  package func currentProfileName() -> String? {
    look(into: file) { database throws(StoreError) in
      try database.text("SELECT value FROM choice WHERE name = 'profile'")
    } ?? nil
  }

  /// The users of whom a profile keeps a user token; the token that was kept without a user is not among them.
  package func tokenUsers(profile: String) -> [String] {
    look(into: file) { database throws(StoreError) in
      try database.prepare(
        "SELECT user_id FROM credential WHERE profile = ? AND kind = ? AND user_id <> '' ORDER BY user_id"
      ).texts(.text(profile), .text(CredentialKind.userToken.rawValue))
    } ?? []
  }

  private func look<Result>(
    into file: DatabaseFile, _ body: (Database) throws(StoreError) -> Result
  ) -> Result? {
    do throws(StoreError) {
      guard let (database, version) = try file.openAsItIs(), version == file.schema.migrations.count else { return nil }
      return try body(database)
    } catch { return nil }
  }
}
