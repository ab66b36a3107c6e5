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

/// The policy for waiting for other processes: by the program's clock, until Ctrl-C, and with a message.
final class LockPolicy {
  /// The wait after which the user is notified of what the program is waiting for.
  static let silence = Duration.seconds(2)

  let world: World
  /// Shows a message to the user; nil to wait silently.
  var report: ((String) -> Void)?
  private var hasNotified = false

  init(_ world: World) { self.world = world }

  /// Shows the message, once per run.
  func notifyOnce(_ path: String) {
    guard !hasNotified else { return }
    hasNotified = true
    report?("Waiting for another ifttt process that is using \(path).")
  }
}

/// One connection's wait for locks of other processes. It replaces SQLite's own wait, which ignores Ctrl-C and the
/// program's clock.
final class LockWait {
  private let path: String
  private let limit: Duration
  private let lockPolicy: LockPolicy
  /// The time waited for the current lock.
  private var waited = Duration.zero
  /// The time waited in earlier attempts of the same operation.
  private var waitedBefore = Duration.zero

  init(for path: String, limit: Duration, _ lockPolicy: LockPolicy) {
    (self.path, self.limit, self.lockPolicy) = (path, limit, lockPolicy)
  }

  /// Installs the wait as SQLite's busy handler.
  /// - Parameter database: The connection, which must not outlive this object.
  func install(in database: OpaquePointer) {
    sqlite3_busy_handler(
      database,
      { context, count in
        guard let context else { return 0 }
        return Unmanaged<LockWait>.fromOpaque(context).takeUnretainedValue().pause(after: count) ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Starts an operation that may request its lock several times.
  func begin() { waitedBefore = .zero }

  /// Continues the operation with another attempt.
  func resume() { waitedBefore += waited }

  /// Waits before the next attempt.
  /// - Parameter count: The number of failed attempts for this lock.
  /// - Returns: Whether to try again.
  private func pause(after count: Int32) -> Bool {
    if count == 0 { waited = .zero }
    guard waited < limit, !lockPolicy.world.interruption.isInterrupted else { return false }
    // These are the pauses of SQLite's default handler.
    let pauses = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50]
    let pause = min(.milliseconds(Int(count) < pauses.count ? pauses[Int(count)] : 100), limit - waited)
    lockPolicy.world.clock.sleep(for: pause)
    waited += pause
    if waitedBefore + waited >= LockPolicy.silence { lockPolicy.notifyOnce(path) }
    return true
  }
}
