import CommandContext
import Display
import World

/// How far a plugin says it is, drawn as the program draws its own runs.
final class PluginProgress {
  private let session: Session
  private var bar: ProgressBar?
  private var start = Duration.zero

  package init(_ session: Session) { self.session = session }

  package func show(_ done: Int, of total: Int?, _ title: String) {
    // The bar of a run over many has the line.
    guard isDrawn, session.progress == nil, let total, total > 1 else { return }
    // A line holds no more, however long a text a plugin sends.
    let title = String(title.prefix(200))
    let now = session.world.clock.monotonic()
    if bar == nil || bar?.total != total || bar?.title != title {
      bar = ProgressBar(title: title, total: total)
      start = now
    }
    let line = bar?.update(done: done, at: now - start) { [session] in
      session.world.screenSize(.errors)?.columns ?? session.world.terminal.columns ?? 80
    }
    if let line { session.writeError(line) }
  }

  /// Clears the line, so that what follows stands where it would without a bar.
  package func clear() {
    session.makeRoom()
    if let line = bar?.clear(), !line.isEmpty { session.writeError(line) }
  }

  private var isDrawn: Bool {
    session.world.terminal.errorIsTerminal && !session.options.isQuiet && !session.options.isVerbose
      && session.world.environment["TERM"] != "dumb" && !session.isCI
  }
}
