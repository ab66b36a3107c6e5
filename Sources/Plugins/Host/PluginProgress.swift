import Output
import Session
import World

/// The progress that a plugin reports, drawn like the program's own progress bar.
final class PluginProgress {
  private let session: Session
  private var bar: ProgressBar?
  private var start = Duration.zero

  package init(_ session: Session) { self.session = session }

  package func show(_ done: Int, of total: Int?, _ title: String) {
    // A batch's progress bar already uses the line.
    guard isDrawn, session.console.progress == nil, let total, total > 1 else { return }
    // Limit the title, which a plugin can make arbitrarily long, to the length of a line.
    let title = String(title.prefix(200))
    let now = session.world.clock.monotonic()
    if bar == nil || bar?.total != total || bar?.title != title {
      bar = ProgressBar(title: title, total: total)
      start = now
    }
    let line = bar?.update(done: done, at: now - start) { [session] in
      session.world.screenSize(.errors)?.columns ?? session.world.terminal.columns ?? 80
    }
    if let line { session.console.writeError(line) }
  }

  /// Clears the line, so that subsequent output appears where it would without a bar.
  package func clear() {
    session.console.makeRoom()
    if let line = bar?.clear(), !line.isEmpty { session.console.writeError(line) }
  }

  private var isDrawn: Bool {
    session.world.terminal.errorIsTerminal && !session.options.isQuiet && !session.options.isVerbose
      && session.world.environment[.terminal] != "dumb" && !session.console.isCI
  }
}
