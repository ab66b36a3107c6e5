import Display
package import Hints
package import World

// What goes to standard error beside the result.

extension Session {
  /// One line for people, unless `--quiet`.
  package func note(_ hint: Hint) {
    guard !options.isQuiet else { return }
    say(suggestions.completed(hint))
  }

  /// One line that explains what goes on to whoever looks on; in a log only with `--verbose`.
  package func noteToPerson(_ hint: Hint) {
    if world.terminal.errorIsTerminal { note(hint) } else { diagnose(suggestions.completed(hint).text) }
  }

  /// One line for `--verbose`.
  package func diagnose(_ text: String) {
    guard options.isVerbose else { return }
    world.writeWords(TerminalText.escaped(text) + "\n")
  }

  /// What cannot be said on standard error cannot be said anywhere; the run goes on.
  package func writeError(_ text: String) {
    world.writeError(text)
  }
}

extension World {
  package func writeError(_ text: String) {
    var text = text
    text.withUTF8 { try? errors.write(UnsafeRawBufferPointer($0)) }
  }
}
