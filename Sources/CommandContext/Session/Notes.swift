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

extension Session {
  /// Whether an empty list is explained: as a table it prints nothing at all, in a pipe too, and looks like a failure.
  /// Data that is empty says so itself: `[]`.
  package var explainsEmptiness: Bool { options.format == .table || world.terminal.outputIsTerminal }

  /// A note on standard error about an empty list.
  package func noteEmpty(_ hint: Hint) {
    if explainsEmptiness { note(hint) }
  }

  /// How to begin.
  package var nothingTracked: Hint {
    "No connections are tracked yet; \(ifttt: "connections add ID") starts that. To try it without an account: "
      + "\(ifttt: "--profile sandbox connections list")"
  }
}

extension World {
  package func writeError(_ text: String) {
    var text = text
    text.withUTF8 { try? errors.write(UnsafeRawBufferPointer($0)) }
  }
}
