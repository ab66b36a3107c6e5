import Output
package import Text
package import World

// Writes notes to stderr, in addition to the result.

extension Console {
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

extension Console {
  /// Whether an empty list is explained. As a table it prints nothing, also in a pipe, and looks like a failure.
  /// Empty data is self-explanatory: `[]`.
  package var explainsEmptiness: Bool { options.format == .table || world.terminal.outputIsTerminal }

  /// Writes a note about an empty list to stderr.
  package func noteEmpty(_ hint: Hint) {
    if explainsEmptiness { note(hint) }
  }
}

extension Hint {
  /// The first steps for a profile that tracks no connections.
  package static var nothingTracked: Hint {
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
