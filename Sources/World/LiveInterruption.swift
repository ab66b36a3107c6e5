#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Notices SIGINT, SIGTERM and SIGHUP, from the moment that something first asks about them. Until then, and from the
/// second signal on, they end the program at once; but not a second SIGHUP: a terminal that closes sends one, and its
/// shell another.
package final class LiveInterruption: Interruption {
  package init() {}

  package var isInterrupted: Bool {
    _ = wakeEnd
    return state.pointee.caught
  }

  package var descriptor: Int32 { wakeEnd }
}

/// What the signal handler shares with the program.
private struct InterruptionState {
  var caught = false
  /// Where the handler writes, for those who poll.
  var writeEnd: Int32 = -1
}

/// Behind a pointer that exists before the handler does: reading a global variable can run its initialiser and the
/// exclusivity checks, neither of which a signal handler may wait for.
nonisolated(unsafe) private let state = {
  let state = UnsafeMutablePointer<InterruptionState>.allocate(capacity: 1)
  state.initialize(to: InterruptionState())
  return state
}()

/// The end to poll; its first use installs the handlers.
private let wakeEnd: Int32 = {
  guard let pipe = Pipe.make() else { return -1 }
  Pipe.unblock(pipe.writeEnd)
  state.pointee.writeEnd = pipe.writeEnd
  for signal in [SIGINT, SIGTERM, SIGHUP] where !SignalAction.isIgnored(signal) {
    // Without SA_RESTART: whatever blocks must return and look.
    SignalAction.install(noteInterruption, for: signal)
    // Blocked signals are inherited, and some parents leave them so by mistake: Foundation's Process is one. A server
    // that cannot be told to stop is no good to anybody.
    SignalAction.unblock(signal)
  }
  return pipe.readEnd
}()

private func noteInterruption(_ number: Int32) {
  let saved = errno
  state.pointee.caught = true
  var byte: UInt8 = 0
  _ = write(state.pointee.writeEnd, &byte, 1)
  signal(SIGINT, SIG_DFL)
  signal(SIGTERM, SIG_DFL)
  errno = saved
}
