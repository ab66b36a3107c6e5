import HTTP
import Output
package import World

/// The progress bar of a batch, drawn on stderr if that is a terminal that can erase lines.
package final class BatchProgressBar {
  private let console: Console
  private let isDrawn: Bool
  private var bar: ProgressBar?
  private var total: Int
  private var start: Duration
  private var (done, failed) = (0, 0)

  package init(total: Int, console: Console) {
    self.console = console
    self.total = total
    start = console.world.clock.monotonic()
    isDrawn = console.drawsProgress
    begin("Sending requests", of: total)
  }

  /// Starts a part of the batch with this many items.
  package func begin(_ title: String, of total: Int? = nil) {
    end()
    let total = total ?? self.total
    self.total = total
    done = 0
    start = console.world.clock.monotonic()
    bar = isDrawn && total > 1 ? ProgressBar(title: title, total: total) : nil
    guard bar != nil else { return }
    console.slowRequestNotice.isSuppressed = true
    console.progress = self
  }

  package func advance(failed hasFailed: Bool = false) {
    done += 1
    if hasFailed { failed += 1 }
    guard bar != nil else { return }
    let elapsed = console.world.clock.monotonic() - start
    if let line = bar?.update(done: done, failed: failed, at: elapsed, width: { console.world.errorWidth }) {
      console.writeError(line)
    }
  }

  /// Makes room on the terminal for other lines.
  package func makeRoom() { if console.world.terminal.outputIsTerminal { clear() } }

  /// Clears the line, so that subsequent output appears where it would without a bar.
  package func clear() {
    if let line = bar?.clear(), !line.isEmpty { console.writeError(line) }
  }

  /// Clears the line and stops drawing.
  package func end() {
    clear()
    if bar != nil { console.slowRequestNotice.isSuppressed = false }
  }
}

extension World {
  /// The current width of the terminal, which may have been resized since it was last read.
  package var errorWidth: Int { screenSize(.errors)?.columns ?? terminal.columns ?? 80 }
}

/// A line on the terminal about a slow request. It is erased when data arrives.
package final class SlowRequestNotice {
  private unowned let console: Console
  /// Whether the notice is suppressed while a progress bar or a live table is drawn.
  package var isSuppressed = false
  private var isDrawn = false

  init(_ console: Console) { self.console = console }

  /// The feedback for slow requests; nil if progress is not drawn.
  var feedback: SlowRequestFeedback? {
    guard console.drawsProgress else { return nil }
    return SlowRequestFeedback(waiting: { [unowned self] in draw($0, $1) }, ended: { [unowned self] in erase() })
  }

  private func draw(_ origin: String, _ time: Duration) {
    guard !isSuppressed else { return }
    let host = origin.split(separator: "/").last.map(String.init) ?? origin
    let seconds = time.components.seconds
    let elapsed = seconds > 0 ? ", \(seconds) s" : ""
    console.writeError("\r\u{1b}[KWaiting for \(TerminalText.escaped(host))\(elapsed)")
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
  package var drawsProgress: Bool {
    world.terminal.errorIsTerminal && !options.isQuiet && !options.isVerbose && world.environment[.terminal] != "dumb"
      && !isCI
  }
}
