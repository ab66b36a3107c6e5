import CSQLite
package import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The queries of shell completion. Each reads a single file without changing it. If anything fails, there are no
/// candidates.
package struct CompletionQueries {
  private let store: Store

  package init(_ store: Store) { self.store = store }

  /// Calls `body` with the id and the name of each connection that a profile tracks, sorted by id. The name is empty if
  /// the connection was never fetched. The bytes are valid only during the call.
  ///
  /// The index by id has both, in far fewer pages than the rows fill with their documents. The shells sort the
  /// candidates themselves.
  /// - Returns: Whether all connections were read.
  package func forEachConnectionName(
    profile: String, _ body: (_ id: UnsafeRawBufferPointer, _ name: UnsafeRawBufferPointer) -> Void
  ) -> Bool {
    query(in: store.cacheFile) { cache throws(StoreError) in
      guard let mirror = try cache.mirror(of: profile) else { return true }
      let statement = try cache.prepare(
        "SELECT id, name FROM connection INDEXED BY connection_by_id WHERE mirror = :mirror ORDER BY id")
      try statement.bind([":mirror": mirror.number])
      let (id, name) = (statement.column("id"), statement.column("name"))
      while try statement.step() { body(id.buffer, name.buffer) }
      return true
    } ?? false
  }

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

  /// Returns the profile chosen with `profile use`, like ``Store/currentProfile()``, or `standard` if none was chosen;
  /// nil if that cannot be read.
  package func currentProfileName(standard: String) -> String? {
    query(in: store.file) { database throws(StoreError) in
      try database.text("SELECT value FROM choice WHERE name = 'profile'") ?? standard
    }
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

/// The candidates for a connection id in a separate file, `completion.list`, so that a completion opens no database.
///
/// The file begins with the state of the databases from which the candidates were read, as returned by lstat(2), and ends
/// with an empty line. If a database has changed since, or if a write was interrupted, the file is ignored. It can be
/// deleted at any time. Every write to the cache deletes it, because it may contain a removed name.
package struct CompletionList {
  private static let name = "completion.list"

  private let directories: AppDirectories
  private let profile: String?
  private let world: World
  private let header: [UInt8]
  /// Whether another change of a database would change the header.
  private let isStable: Bool

  /// - Parameter profile: The profile that the user chose for this command; nil for the current profile.
  /// - Returns: nil if a list cannot be valid: without a cache, while a log contains changes, or in a folder that other
  ///   users can access.
  package init?(in directories: AppDirectories, profile: String?, world: World) {
    guard (try? Permissions.checkFolder(directories.data)) == true else { return nil }
    let now = world.clock.now().milliseconds
    var header = Array("ifttt completion list 1\n\(profile ?? "")\n".utf8)
    var isStable = true
    for schema in [Schema.store, .cache] {
      let file = DatabaseFile(folder: directories.data, schema: schema)
      // Changes in a log can become valid without a change of any file.
      guard let stamp = try? world.files.status(file.path), !file.companions.contains(where: file.mayHoldData) else {
        return nil
      }
      header.append(contentsOf: "\(stamp.device) \(stamp.inode) \(stamp.mode) \(stamp.size) ".utf8)
      header.append(contentsOf: "\(stamp.modified) \(stamp.changed)\n".utf8)
      isStable = isStable && [stamp.modified, stamp.changed].allSatisfy { Self.isStable($0, at: now) }
    }
    (self.directories, self.profile, self.world) = (directories, profile, world)
    (self.header, self.isStable) = (header, isStable)
  }

  /// Returns the saved candidates as lines; nil if there are none for the present state of the databases.
  package func read() -> [UInt8]? {
    guard let bytes = try? PrivateFiles.readPrivate(Self.path(in: directories)), bytes.starts(with: header) else {
      return nil
    }
    let lines = bytes.dropFirst(header.count)
    guard lines.suffix(2).elementsEqual("\n\n".utf8) else { return nil }
    return Array(lines.dropLast())
  }

  /// Saves candidates, each a line, that were read after this list was initialized. If the file cannot be written, the
  /// next completion reads the databases again.
  package func save(_ lines: [UInt8]) {
    // The times of a file on a network come from another clock and may be outdated.
    guard isStable, !lines.isEmpty, csqlite_is_network_folder(directories.data) == 0 else { return }
    PrivateFiles.replaceDisposable(Self.path(in: directories), with: header + lines + "\n".utf8)
    // A process that has removed a name since the candidates were read may have deleted the file before it was written.
    if Self(in: directories, profile: profile, world: world)?.header != header { Self.remove(from: directories) }
  }

  static func remove(from directories: AppDirectories) { unlink(path(in: directories)) }

  private static func path(in directories: AppDirectories) -> String { "\(directories.data)/\(name)" }

  /// Whether a change after a moment gets a later time than an earlier change.
  ///
  /// Most file systems store times with the precision of the kernel's clock, whose steps take up to 10 ms. Others store
  /// only seconds, FAT every other second.
  /// - Parameters:
  ///   - time: the time of the earlier change, in nanoseconds since 1970.
  ///   - moment: in milliseconds since 1970.
  private static func isStable(_ time: Int64, at moment: Int64) -> Bool {
    moment - time / 1_000_000 >= (time % 1_000_000_000 == 0 ? 2000 : 50)
  }
}
