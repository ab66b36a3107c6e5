import CommandContext
import Hints
import World

extension Session {
  /// The right to send location events, waited for: two runs at once would send the same. The system takes it from a process
  /// that ends, however that ends. It stands beside the queue, so that who shares the one shares the other.
  func locationLock() throws -> any FileLock {
    guard let places = AppDirectories(environment: world.environment) else { preconditionFailure("the store is open") }
    let end = world.clock.monotonic() + options.timeout
    while true {
      do throws(SystemError) {
        if let lock = try world.files.lock("\(places.data)/location.lock") { return lock }
      } catch {
        throw Problem(
          .refused, "location events cannot be sent from here", reason: error.description,
          hint: "What waits is kept. See \(ifttt: "doctor") about the folder \(places.data).")
      }
      guard !world.interruption.isInterrupted else { throw try Problem.interrupted.beside(keptIn: self) }
      guard world.clock.monotonic() < end else {
        throw Problem(
          .conflict, "another run is sending location events", reason: "it did not end within --timeout",
          hint: "What waits is kept; see \(ifttt: "location events"), and try again later.")
      }
      world.clock.sleep(for: .milliseconds(50))
    }
  }
}

extension Problem {
  /// Whether what keeps events from being sent is on this machine: another run, or a folder.
  var isLocal: Bool { status == nil && (code == .conflict || code == .refused) }
}
