#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Notices Ctrl-C (SIGINT), SIGTERM and SIGHUP.
package protocol Interruption: AnyObject, Sendable {
  var isInterrupted: Bool { get }
  /// The descriptor that is readable once interrupted; -1 if there is none.
  var descriptor: Int32 { get }
}

/// An interruption that never happens, for work that ends by itself.
package final class NoInterruption: Interruption {
  package init() {}
  package var isInterrupted: Bool { false }
  package var descriptor: Int32 { -1 }
}

/// Catches SIGINT, SIGTERM and SIGHUP, starting with the first use of this object. Before that, and from the second
/// signal on, they end the program immediately. A second SIGHUP is the exception: when a terminal closes, both it and
/// its shell send one.
package final class LiveInterruption: Interruption {
  package init() {}

  package var isInterrupted: Bool {
    _ = wakeEnd
    return state.pointee.caught
  }

  package var descriptor: Int32 { wakeEnd }
}

/// The state shared by the signal handler and the program.
private struct InterruptionState {
  var caught = false
  /// The end of the pipe that the handler writes to, to wake up polling code.
  var writeEnd: Int32 = -1
}

/// The shared state, behind a pointer that is allocated before the handler is installed. Reading a global variable can
/// run its initializer and exclusivity checks, neither of which is safe in a signal handler.
nonisolated(unsafe) private let state = {
  let state = UnsafeMutablePointer<InterruptionState>.allocate(capacity: 1)
  state.initialize(to: InterruptionState())
  return state
}()

/// The end of the pipe to poll. Its first use installs the handlers.
private let wakeEnd: Int32 = {
  guard let pipe = Pipe.make() else { return -1 }
  Descriptor.unblock(pipe.writeEnd)
  state.pointee.writeEnd = pipe.writeEnd
  for signal in [SIGINT, SIGTERM, SIGHUP] where !SignalAction.isIgnored(signal) {
    // Without SA_RESTART, so that blocking calls return and check for the interrupt.
    SignalAction.install(noteInterruption, for: signal)
    // Blocked signals are inherited, and some parents, such as Foundation's Process, leave them blocked by mistake.
    // Unblock them, because otherwise a server could not be stopped.
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

/// The disposition of a signal: sigaction(2) without the differences between systems.
///
/// Handlers are global functions: a closure inside `main` would be isolated to the main actor and trap.
struct SignalAction {
  private var action: sigaction

  /// Installs `handler` for signal `number`, without SA_RESTART, and returns the previous disposition.
  @discardableResult
  static func install(_ handler: @escaping @convention(c) (Int32) -> Void, for number: Int32) -> SignalAction {
    var action = sigaction()
    #if canImport(Glibc)
      action.__sigaction_handler.sa_handler = handler
    #else
      action.__sigaction_u.__sa_handler = handler
    #endif
    sigemptyset(&action.sa_mask)
    var previous = sigaction()
    sigaction(number, &action, &previous)
    return SignalAction(action: previous)
  }

  /// Unblocks the signal for this thread and the threads it starts.
  static func unblock(_ number: Int32) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  func restore(for number: Int32) {
    var action = action
    sigaction(number, &action, nil)
  }

  /// Whether the signal is ignored. The parent may have requested this, as nohup(1) does, or a shell for a background
  /// job.
  static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    #if canImport(Glibc)
      let handler = action.__sigaction_handler.sa_handler
    #else
      let handler = action.__sigaction_u.__sa_handler
    #endif
    return unsafeBitCast(handler, to: UInt.self) == unsafeBitCast(SIG_IGN, to: UInt.self)
  }
}
