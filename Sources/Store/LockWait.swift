import CSQLite
import World

/// How a store waits for other processes: by the program's clock, until Ctrl-C, and with a note.
final class LockPolicy {
  /// After this long the user is told what the program waits for.
  static let silence = Duration.seconds(2)

  let world: World
  /// Tells the user; nil to wait in silence.
  var tell: ((String) -> Void)?
  private var hasTold = false

  init(_ world: World) { self.world = world }

  /// Prints the note, once per run.
  func tellOnce(_ path: String) {
    guard !hasTold else { return }
    hasTold = true
    tell?("Waiting for another ifttt process that is using \(path).")
  }
}

/// The wait of one connection for the locks of others. It replaces SQLite's own, which ends neither with Ctrl-C nor by
/// the program's clock.
final class LockWait {
  private let path: String
  private let limit: Duration
  private let patience: LockPolicy
  /// For the lock that is wanted now.
  private var waited = Duration.zero
  /// In earlier tries of the same operation.
  private var waitedBefore = Duration.zero

  init(for path: String, limit: Duration, _ patience: LockPolicy) {
    (self.path, self.limit, self.patience) = (path, limit, patience)
  }

  /// - Parameter database: the connection, which must not outlive this object.
  func install(in database: OpaquePointer) {
    sqlite3_busy_handler(
      database,
      { context, count in
        guard let context else { return 0 }
        return Unmanaged<LockWait>.fromOpaque(context).takeUnretainedValue().pause(after: count) ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// An operation begins that asks for its lock several times.
  func begin() { waitedBefore = .zero }

  /// It asks again.
  func resume() { waitedBefore += waited }

  /// - Parameter count: how often this lock was asked for without success.
  /// - Returns: whether to ask for it again.
  private func pause(after count: Int32) -> Bool {
    if count == 0 { waited = .zero }
    guard waited < limit, !patience.world.interruption.isInterrupted else { return false }
    // The pauses of SQLite's own handler.
    let pauses = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50]
    let pause = min(.milliseconds(Int(count) < pauses.count ? pauses[Int(count)] : 100), limit - waited)
    patience.world.clock.sleep(for: pause)
    waited += pause
    if waitedBefore + waited >= LockPolicy.silence { patience.tellOnce(path) }
    return true
  }
}
