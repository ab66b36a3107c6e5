import Display
package import Hints
package import World

// Writes notes to stderr, in addition to the result.

extension Session {
  /// Writes one line for people, unless `--quiet` is passed.
  package func note(_ hint: Hint) {
    guard !options.isQuiet else { return }
    say(suggestions.completed(hint))
  }

  /// Writes one line that explains what is happening to a person at the terminal; in a log only with `--verbose`.
  package func noteToPerson(_ hint: Hint) {
    if world.terminal.errorIsTerminal { note(hint) } else { diagnose(suggestions.completed(hint).text) }
  }

  /// Writes one line if `--verbose` is passed.
  package func diagnose(_ text: String) {
    guard options.isVerbose else { return }
    world.writeWords(TerminalText.escaped(text) + "\n")
  }

  /// Writes to stderr and ignores errors: if stderr fails there is nowhere to report it, and the run continues.
  package func writeError(_ text: String) {
    world.writeError(text)
  }
}

extension Session {
  /// Whether an empty list is explained. As a table it prints nothing, also in a pipe, and looks like a failure.
  /// Empty data is self-explanatory: `[]`.
  package var explainsEmptiness: Bool { options.format == .table || world.terminal.outputIsTerminal }

  /// Writes a note about an empty list to stderr.
  package func noteEmpty(_ hint: Hint) {
    if explainsEmptiness { note(hint) }
  }

  /// The first steps for a profile that tracks no connections.
  package var nothingTracked: Hint {
    "No connections are tracked yet. Add one with \(ifttt: "connections add ID"). To try it without an account: "
      + "\(ifttt: "--profile sandbox connections list")"
  }
}

extension World {
  package func writeError(_ text: String) {
    var text = text
    text.withUTF8 { try? errors.write(UnsafeRawBufferPointer($0)) }
  }
}
