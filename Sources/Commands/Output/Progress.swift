import Display
import World

/// How far a run over many has come, drawn on standard error where that is a terminal and someone may look.
final class Progress {
  private let session: Session
  private var bar: ProgressBar?
  private let start: Duration
  private var done = 0

  init(total: Int, session: Session) {
    self.session = session
    start = session.world.clock.monotonic()
    let terminal = session.world.terminal
    if total > 1, terminal.errorIsTerminal, !session.options.isQuiet, !session.options.isVerbose {
      bar = ProgressBar(title: "Asking IFTTT", total: total)
    }
  }

  func advance() {
    done += 1
    let elapsed = session.world.clock.monotonic() - start
    if let line = bar?.update(done: done, at: elapsed, width: session.world.terminal.columns ?? 80) {
      session.writeError(line)
    }
  }

  /// Clears the line, so that what follows stands where it would without a bar.
  func end() {
    if let line = bar?.clear(), !line.isEmpty { session.writeError(line) }
  }
}
