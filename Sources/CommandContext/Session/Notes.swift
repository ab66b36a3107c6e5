import Display
import Hints
import World

// What goes to standard error beside the result.

extension Session {
  /// One line for people, unless `--quiet`.
  func note(_ hint: Hint) {
    guard !options.isQuiet else { return }
    say(suggestions.completed(hint))
  }

  /// One line that explains what goes on to whoever looks on; in a log only with `--verbose`.
  func noteToPerson(_ hint: Hint) {
    if world.terminal.errorIsTerminal { note(hint) } else { diagnose(suggestions.completed(hint).text) }
  }

  /// One line for `--verbose`.
  func diagnose(_ text: String) {
    guard options.isVerbose else { return }
    world.writeWords(TerminalText.escaped(text) + "\n")
  }

  /// What cannot be said on standard error cannot be said anywhere; the run goes on.
  func writeError(_ text: String) {
    world.writeError(text)
  }
}

extension World {
  func writeError(_ text: String) {
    var text = text
    text.withUTF8 { try? errors.write(UnsafeRawBufferPointer($0)) }
  }
}
