#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A time without echo on a terminal, or without its own editing of lines, during which the signals that would leave it so are
/// held back.
struct NoEchoMode {
  private static let signals = [SIGHUP, SIGQUIT, SIGTSTP]

  /// Readable once one of those signals has come.
  var descriptor: Int32 { pipe.readEnd }

  private let terminal: Int32
  private let settings: termios
  private let pipe: Pipe
  private let previous: [(number: Int32, action: SignalAction)]

  /// What was typed ahead is kept, because a program that drives this one may answer as soon as it sees the prompt.
  /// - Parameter takesCharacters: whether each character comes as it is typed: lines that the system edits itself end at
  ///   4,095 bytes. Else the end of a line is still echoed, so that the cursor leaves the prompt's line.
  init(on terminal: Int32, takesCharacters: Bool = false) throws(InputError) {
    var settings = termios()
    guard tcgetattr(terminal, &settings) == 0 else { throw .system(.last("tcgetattr")) }
    guard let pipe = Pipe.make() else { throw .system(.last("pipe")) }
    Pipe.unblock(pipe.writeEnd)
    held.pointee = DeferredSignal(number: 0, writeEnd: pipe.writeEnd)
    (self.terminal, self.settings, self.pipe) = (terminal, settings, pipe)
    previous = Self.signals.filter { !SignalAction.isIgnored($0) }
      .map { ($0, SignalAction.install(hold, for: $0)) }

    settings.c_lflag &= ~tcflag_t(ECHO)
    if takesCharacters { settings.c_lflag &= ~tcflag_t(ICANON) } else { settings.c_lflag |= tcflag_t(ECHONL) }
    guard tcsetattr(terminal, TCSANOW, &settings) == 0 else {
      let error = SystemError.last("tcsetattr")
      end()
      throw .system(error)
    }
  }

  /// Gives the terminal its settings back and the signals their former effect.
  /// - Returns: the signal that came meanwhile and has yet to take effect, or 0.
  @discardableResult
  func end() -> Int32 {
    var settings = settings
    tcsetattr(terminal, TCSANOW, &settings)
    for (number, action) in previous { action.restore(for: number) }
    var pipe = pipe
    pipe.close()
    return held.pointee.number
  }
}

private struct DeferredSignal {
  var number: Int32 = 0
  var writeEnd: Int32 = -1
}

/// Behind a pointer for the reason given at the interruption's state.
nonisolated(unsafe) private let held = {
  let held = UnsafeMutablePointer<DeferredSignal>.allocate(capacity: 1)
  held.initialize(to: DeferredSignal())
  return held
}()

private func hold(_ number: Int32) {
  let saved = errno
  held.pointee.number = number
  var byte: UInt8 = 0
  _ = write(held.pointee.writeEnd, &byte, 1)
  errno = saved
}
