package import World

/// An Applet as last fetched.
package struct CachedApplet: Sendable, Equatable {
  package var id: String
  /// The program's own JSON object, compact.
  package var document: [UInt8]
  package var fetchedAt: Timestamp
  package init(id: String, document: [UInt8], fetchedAt: Timestamp) {
    (self.id, self.document, self.fetchedAt) = (id, document, fetchedAt)
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
  fileprivate var parameters: SQLParameters { [":profile": profile, ":service": service, ":user_id": userID] }
  /// The condition for ``parameters``.
  fileprivate static let condition = "profile = :profile AND service = :service AND user_id = :user_id"
}

/// A cached list of Applets.
package struct AppletCache {
  /// A cached Applet in a listing. Its buffers are valid only during the callback.
  package struct Row {
    package let idBytes: UnsafeRawBufferPointer
    package let document: UnsafeRawBufferPointer
    package let fetchedAt: Timestamp
    package var id: String { String(decoding: idBytes, as: UTF8.self) }
  }

  private let store: Store
  private let key: AppletListKey

  package init(_ store: Store, _ key: AppletListKey) { (self.store, self.key) = (store, key) }

  /// Replaces the whole list and keeps its order.
  package func replace(_ applets: [CachedApplet], fetchedAt: Timestamp) throws(StoreError) {
    try store.writeCache { cache throws(StoreError) in
      try cache.run("DELETE FROM applet_list WHERE \(AppletListKey.condition)", key.parameters)
      let list = try cache.integer(
        """
        INSERT INTO applet_list (profile, service, user_id, fetched_at)
        VALUES (:profile, :service, :user_id, :fetched_at) RETURNING number
        """, key.parameters + [":fetched_at": fetchedAt])
      // Nothing needs the response itself, for which earlier versions made a column.
      let insert = try cache.prepare(
        """
        INSERT INTO applet (list, place, id, fetched_at, document, raw)
        VALUES (:list, :index, :id, :fetched_at, :document, x'')
        """)
      for (index, applet) in applets.enumerated() {
        try insert.run([
          ":list": list ?? 0, ":index": index, ":id": applet.id, ":fetched_at": applet.fetchedAt,
          ":document": applet.document,
        ])
      }
    }
  }

  /// Returns the time when the list was last replaced; nil if it is not cached.
  package func fetchedAt() throws(StoreError) -> Timestamp? {
    let moment = try store.readCache { cache throws(StoreError) in
      try cache.integer("SELECT fetched_at FROM applet_list WHERE \(AppletListKey.condition)", key.parameters)
    }
    return moment.flatMap { $0 }.map(Timestamp.init(milliseconds:))
  }

  /// Calls `body` with each Applet in list order, using bounded memory.
  /// - Throws: ``StoreError``, and any error of `body`, which ends the listing.
  package func forEach(_ body: (Row) throws -> Void) throws {
    var hasBegun = false
    var bodyError: (any Error)?
    let isComplete: Void? = try store.readCache { cache throws(StoreError) in
      let statement = try cache.prepare(
        """
        SELECT id, document, applet.fetched_at AS fetched_at FROM applet JOIN applet_list ON number = list
        WHERE \(AppletListKey.condition) ORDER BY place
        """)
      try statement.bind(key.parameters)
      let (id, document) = (statement.column("id"), statement.column("document"))
      let fetchedAt = statement.column("fetched_at")
      while try statement.step() {
        hasBegun = true
        let row = Row(idBytes: id.buffer, document: document.buffer, fetchedAt: fetchedAt.value())
        do { try body(row) } catch {
          bodyError = error
          return
        }
      }
    }
    if let bodyError { throw bodyError }
    if hasBegun && isComplete == nil { throw store.cacheFile.interruptedListing }
  }
}
