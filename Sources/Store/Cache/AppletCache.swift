package import World

/// An Applet as last fetched.
package struct CachedApplet: Sendable, Equatable {
  package var id: String
  /// The program's own JSON object, compact.
  package var document: [UInt8]
  /// IFTTT's response, byte for byte.
  package var raw: [UInt8]
  package var fetchedAt: Timestamp
  package init(id: String, document: [UInt8], raw: [UInt8], fetchedAt: Timestamp) {
    (self.id, self.document, self.raw, self.fetchedAt) = (id, document, raw, fetchedAt)
  }
}

/// The identity of a cached Applet list.
package struct AppletListKey: Sendable, Hashable {
  package var profile: String
  package var service: String
  /// The user ID on the developer's service; empty if the list was fetched without a user.
  package var userID: String
  package init(profile: String, service: String, userID: String) {
    (self.profile, self.service, self.userID) = (profile, service, userID)
  }
  fileprivate var values: (SQLValue, SQLValue, SQLValue) { (.text(profile), .text(service), .text(userID)) }
}

extension Store {
  /// A cached Applet in a listing. Its buffers are valid only during the callback.
  package struct CachedAppletRow {
    package let idBytes: UnsafeRawBufferPointer
    package let document: UnsafeRawBufferPointer
    package let raw: UnsafeRawBufferPointer
    package let fetchedAt: Timestamp
    package var id: String { String(decoding: idBytes, as: UTF8.self) }
  }

  /// Replaces the whole list and keeps its order.
  package func cache(_ applets: [CachedApplet], as key: AppletListKey, fetchedAt: Timestamp) throws(StoreError) {
    try writeCache { cache throws(StoreError) in
      let (profile, service, user) = key.values
      try cache.run(
        "DELETE FROM applet_list WHERE profile = ? AND service = ? AND user_id = ?", profile, service, user)
      let list = try cache.integer(
        "INSERT INTO applet_list (profile, service, user_id, fetched_at) VALUES (?, ?, ?, ?) RETURNING number",
        profile, service, user, .integer(fetchedAt.milliseconds))
      let insert = try cache.prepare(
        "INSERT INTO applet (list, place, id, fetched_at, document, raw) VALUES (?, ?, ?, ?, ?, ?)")
      for (index, applet) in applets.enumerated() {
        try insert.run(
          .integer(list ?? 0), .integer(Int64(index)), .text(applet.id), .integer(applet.fetchedAt.milliseconds),
          .blob(applet.document), .blob(applet.raw))
      }
    }
  }

  /// Returns when the list was last replaced; nil if it is not cached.
  package func appletsFetchedAt(_ key: AppletListKey) throws(StoreError) -> Timestamp? {
    let (profile, service, user) = key.values
    let moment = try readCache { cache throws(StoreError) in
      try cache.integer(
        "SELECT fetched_at FROM applet_list WHERE profile = ? AND service = ? AND user_id = ?", profile, service, user)
    }
    return moment.flatMap { $0 }.map(Timestamp.init(milliseconds:))
  }

  /// Calls `body` with each Applet in list order, using bounded memory.
  /// - Throws: ``StoreError``, and any error of `body`, which ends the listing.
  package func forEachCachedApplet(_ key: AppletListKey, _ body: (CachedAppletRow) throws -> Void) throws {
    let (profile, service, user) = key.values
    var hasBegun = false
    var stop: (any Error)?
    let isComplete: Void? = try readCache { cache throws(StoreError) in
      let statement = try cache.prepare(
        """
        SELECT id, document, raw, applet.fetched_at FROM applet JOIN applet_list ON number = list
        WHERE profile = ? AND service = ? AND user_id = ? ORDER BY place
        """)
      try statement.bind([profile, service, user])
      while try statement.step() {
        hasBegun = true
        let row = CachedAppletRow(
          idBytes: statement.buffer(0), document: statement.buffer(1), raw: statement.buffer(2),
          fetchedAt: Timestamp(milliseconds: statement.integer(3)))
        do { try body(row) } catch {
          stop = error
          return
        }
      }
    }
    if let stop { throw stop }
    if hasBegun && isComplete == nil { throw cacheFile.interruptedListing }
  }
}
