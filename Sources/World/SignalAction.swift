#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What happens on a signal: sigaction(2) with the differences between systems smoothed over.
///
/// Handlers are global functions: a closure written inside `main` would be taken for one of the main actor's and trap.
struct SignalAction {
  private var action: sigaction

  /// Makes `handler` answer `number`, without SA_RESTART, and returns what answered it before.
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

  /// Lets this thread, and those it starts, be told of it.
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

  /// True where the caller asked for it, as nohup(1) does, and a shell does for a job in the background.
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
