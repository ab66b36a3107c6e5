import CSQLite
package import World

extension Database {
  /// Runs `body` in one immediate transaction, which is committed completely or not at all.
  ///
  /// The transaction is never deferred: deferred transactions lose most updates when many processes read and then
  /// write.
  /// - Parameter tries: The number of attempts to acquire the write lock, each as long as the busy timeout.
  /// - Throws: ``StoreError`` with `store_locked` if the lock could not be acquired.
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
      // The transaction has not begun, so report only the interrupt.
      guard error.code == .locked, world.interruption.isInterrupted else { throw error }
      throw .interrupted
    }
  }

  /// Commits the transaction. Without a write-ahead log, a commit also waits for readers, which may take several
  /// attempts.
  func commit(in world: World, tries: Int) throws(StoreError) {
    try retrying(in: world, tries: tries) { () throws(StoreError) in try execute("COMMIT") }
  }

  func rollBack() {
    // After some failures, SQLite has already rolled back. Ignore errors here: the failure that led here is the one
    // to report.
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
