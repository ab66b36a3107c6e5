import Display
import World

/// How far a run over many has come, drawn on standard error where that is a terminal and someone may look.
final class Progress {
  private let session: Session
  private var bar: ProgressBar?
  private var isDrawn = false

  init(total: Int, session: Session) {
    self.session = session
    let terminal = session.world.terminal
    if total > 1, terminal.errorIsTerminal, !session.options.isQuiet, !session.options.isVerbose {
      bar = ProgressBar(total: total, start: session.world.clock.monotonic())
    }
  }

  func advance() {
    let now = session.world.clock.monotonic()
    bar?.advance()
    if let line = bar?.line(at: now, width: session.world.terminal.columns ?? 80) {
      session.writeError("\r\u{1b}[K\(line)")
      isDrawn = true
    }
  }

  /// Clears the line, so that what follows stands where it would without a bar.
  func end() {
    if isDrawn { session.writeError("\r\u{1b}[K") }
    isDrawn = false
  }
}
