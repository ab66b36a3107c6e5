#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

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
