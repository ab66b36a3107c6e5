import CSQLite
import World

/// The policy for waiting for other processes: by the program's clock, until Ctrl-C, and with a message.
final class LockPolicy {
  /// The wait after which the user is told what the program is waiting for.
  static let silence = Duration.seconds(2)

  let world: World
  /// Shows a message to the user; nil to wait silently.
  var report: ((String) -> Void)?
  private var hasTold = false

  init(_ world: World) { self.world = world }

  /// Shows the message, once per run.
  func notifyOnce(_ path: String) {
    guard !hasTold else { return }
    hasTold = true
    report?("Waiting for another ifttt process that is using \(path).")
  }
}

/// One connection's wait for locks of other processes. It replaces SQLite's own wait, which ignores Ctrl-C and the
/// program's clock.
final class LockWait {
  private let path: String
  private let limit: Duration
  private let patience: LockPolicy
  /// The time waited for the current lock.
  private var waited = Duration.zero
  /// The time waited in earlier attempts of the same operation.
  private var waitedBefore = Duration.zero

  init(for path: String, limit: Duration, _ patience: LockPolicy) {
    (self.path, self.limit, self.patience) = (path, limit, patience)
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
    guard waited < limit, !patience.world.interruption.isInterrupted else { return false }
    // These are the pauses of SQLite's default handler.
    let pauses = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50]
    let pause = min(.milliseconds(Int(count) < pauses.count ? pauses[Int(count)] : 100), limit - waited)
    patience.world.clock.sleep(for: pause)
    waited += pause
    if waitedBefore + waited >= LockPolicy.silence { patience.notifyOnce(path) }
    return true
  }
}
