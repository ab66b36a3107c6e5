package import Text
package import World

/// The terminal of one run: notes and prompts on stderr, and the input that answers them.
package final class Console {
  package let world: World
  let options: GlobalOptions
  private let isReplay: Bool
  /// Adds the options in effect to the commands that a hint suggests.
  var complete: (Hint) -> Hint = { $0 }
  private var readsInput = false
  /// The notice of a slow request.
  package private(set) lazy var slowRequestNotice = SlowRequestNotice(self)
  /// The progress bar of the running batch.
  package weak var progress: BatchProgressBar?

  /// - Parameter isReplay: whether the run is a replay, which never prompts.
  init(_ world: World, _ options: GlobalOptions, isReplay: Bool) {
    (self.world, self.options, self.isReplay) = (world, options, isReplay)
  }

  /// Whether prompts are available. They need a visible terminal and a source of input; CI has neither.
  package var mayPrompt: Bool {
    world.terminal.inputIsTerminal && world.terminal.errorIsTerminal && !options.refusesInput && !isCI && !isReplay
  }

  /// Writes one line for people, unless `--quiet` is passed.
  package func note(_ hint: Hint) {
    guard !options.isQuiet else { return }
    say(complete(hint))
  }

  /// Writes one line that explains what is happening to a person at the terminal; in a log only with `--verbose`.
  package func noteToPerson(_ hint: Hint) {
    if world.terminal.errorIsTerminal { note(hint) } else { diagnose(complete(hint).text) }
  }

  /// Reserves stdin for one option. A second reservation is an error, because stdin can be read only once.
  package func claimInput(for option: String) throws {
    guard !readsInput else {
      throw Problem(
        .usage, "\(option): stdin is already read by another option",
        hint: "Pass a file to one of them.")
    }
    readsInput = true
  }
}
