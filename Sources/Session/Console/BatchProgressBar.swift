import Output
import World

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

  /// Starts a part with this many items, none of which is done.
  package func begin(_ title: String, of total: Int? = nil) {
    end()
    let total = total ?? self.total
    self.total = total
    done = 0
    start = console.world.clock.monotonic()
    bar = isDrawn && total > 1 ? ProgressBar(title: title, total: total) : nil
    guard bar != nil else { return }
    console.slowRequestNotice.isHeldBack = true
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
    if bar != nil { console.slowRequestNotice.isHeldBack = false }
  }
}

extension World {
  /// The current width of the terminal, which may have been resized since it was last read.
  fileprivate var errorWidth: Int { screenSize(.errors)?.columns ?? terminal.columns ?? 80 }
}
