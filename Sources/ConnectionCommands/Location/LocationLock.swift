import Session
import Text
import World

extension Session {
  /// Acquires the lock for sending location events, waiting up to the timeout. Without it, two concurrent runs would
  /// send the same events. The system releases it when the process ends, however it ends. The lock file is next to
  /// the queue, so processes that share the queue share the lock.
  func locationLock() throws -> any FileLock {
    guard let directories = AppDirectories(environment: world.environment) else {
      preconditionFailure("the store is open")
    }
    let end = world.clock.monotonic() + options.timeout
    while true {
      do throws(SystemError) {
        if let lock = try world.files.lock("\(directories.data)/location.lock") { return lock }
      } catch {
        throw Problem(
          .refused, "cannot send location events", reason: error.description,
          hint: "The events stay queued. To check the folder \(directories.data), run: \(ifttt: "doctor")")
      }
      guard !world.interruption.isInterrupted else { throw try Problem.interrupted.beside(keptIn: self) }
      guard world.clock.monotonic() < end else {
        throw Problem(
          .conflict, "another run is sending location events", reason: "it did not end within --timeout",
          hint: "The events stay queued; see \(ifttt: "location events"), and retry later.")
      }
      world.clock.sleep(for: .milliseconds(50))
    }
  }
}

extension Problem {
  /// Whether a local condition prevents sending: another run, or a folder.
  var isLocal: Bool { status == nil && (code == .conflict || code == .refused) }
}
