import CSQLite
package import World

extension Database {
  /// Runs `body` in one immediate transaction: all of it is kept or nothing.
  ///
  /// It is never a deferred transaction, which loses most updates when many processes read and then write.
  /// - Parameter tries: how often the write lock is asked for, each time for as long as the busy timeout.
  /// - Throws: ``StoreError`` with `store_locked` when the lock was not to be had.
  package func write<Result>(
    in world: World, tries: Int = 3, _ body: (Database) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try begin(in: world, tries: tries)
    do throws(StoreError) {
      let result = try body(self)
      try commit(in: world, tries: tries)
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  func begin(in world: World, tries: Int) throws(StoreError) {
    try prepareToWrite()
    do throws(StoreError) {
      try retrying(in: world, tries: tries) { () throws(StoreError) in try execute("BEGIN IMMEDIATE") }
    } catch {
      // Nothing was begun, so Ctrl-C is all that happened.
      guard error.code == .locked, world.interruption.isInterrupted else { throw error }
      throw .interrupted
    }
  }

  /// Where there is no write-ahead log a commit waits for readers too, hence the tries.
  func commit(in world: World, tries: Int) throws(StoreError) {
    try retrying(in: world, tries: tries) { () throws(StoreError) in try execute("COMMIT") }
  }

  func rollBack() {
    // Some failures have rolled back already; the one that led here is what counts.
    if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
  }

  private func retrying(
    in world: World, tries: Int, _ body: () throws(StoreError) -> Void
  ) throws(StoreError) {
    var left = tries
    lockWait?.begin()
    while true {
      do throws(StoreError) { return try body() } catch {
        left -= 1
        lockWait?.resume()
        guard error.code == .locked, left > 0, !world.interruption.isInterrupted else { throw error }
        // Without jitter, processes that collided once would collide again.
        let jitter = world.random.bytes(1).first ?? 0
        world.clock.sleep(for: .milliseconds(1 + Int(jitter) / 8))
      }
    }
  }
}
