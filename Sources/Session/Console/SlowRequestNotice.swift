import HTTP
import Output
import World

/// A line on a terminal for a slow request; it is erased when data arrives.
package final class SlowRequestNotice {
  private unowned let console: Console
  /// Whether the notice is suppressed while a progress bar or a live table is drawn.
  package var isHeldBack = false
  private var isDrawn = false

  init(_ console: Console) { self.console = console }

  /// The feedback for slow requests; nil if progress is not drawn.
  var feedback: SlowRequestFeedback? {
    guard console.drawsProgress else { return nil }
    return SlowRequestFeedback(waiting: { [unowned self] in draw($0, $1) }, ended: { [unowned self] in erase() })
  }

  private func draw(_ origin: String, _ time: Duration) {
    guard !isHeldBack else { return }
    let host = origin.split(separator: "/").last.map(String.init) ?? origin
    console.writeError("\r\u{1b}[KWaiting for \(TerminalText.escaped(host)), \(time.components.seconds) s")
    isDrawn = true
  }

  func erase() {
    guard isDrawn else { return }
    console.writeError("\r\u{1b}[K")
    isDrawn = false
  }
}

extension Console {
  /// Clears the last line of the terminal, so that other lines can be written. The notice is redrawn below them.
  package func makeRoom() {
    progress?.clear()
    slowRequestNotice.erase()
  }

  /// Whether progress is drawn: stderr is a terminal that can erase lines.
  var drawsProgress: Bool {
    world.terminal.errorIsTerminal && !options.isQuiet && !options.isVerbose && world.environment[.terminal] != "dumb"
      && !isCI
  }
}
