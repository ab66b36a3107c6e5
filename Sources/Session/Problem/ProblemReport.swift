import Output
package import Text

extension Problem {
  /// The lines for people: what happened, why, and what to do. Text from the network is escaped.
  /// - Parameter width: the column at which lines are wrapped between words; nil for no wrapping.
  package func lines(color: Bool, width: Int? = nil) -> String {
    func set(_ lines: (_ room: Int?) -> [String], behind lead: String) -> [String] {
      let room = width.map { $0 - TextWidth.of(lead) }
      let indent = String(repeating: " ", count: lead.hasPrefix(" ") ? lead.utf8.count : 2)
      return lines(room).enumerated().map { ($0 == 0 ? lead : indent) + $1 }
    }
    func wrapped(_ text: String, behind lead: String) -> [String] {
      set({ CommandWrap.lines(of: TerminalText.escaped(text), width: $0) }, behind: lead)
    }
    let program = "ifttt: "
    var lines = wrapped(message, behind: program)
    if color { lines[0] = "\u{1b}[1;31mifttt:\u{1b}[0m " + lines[0].dropFirst(program.count) }
    let why = [reason, reference].compactMap { $0 }
    if !why.isEmpty { lines += wrapped(why.joined(separator: " "), behind: "  ") }
    for detail in details {
      let words = [detail.parameter, detail.message].compactMap { $0 }.joined(separator: ": ")
      lines += wrapped(words, behind: "  - ")
    }
    if let hint { lines += set({ hint.lines(width: $0) }, behind: "  ") }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension Hint {
  /// The lines for people. Commands are not split across lines, and control characters are escaped.
  package func lines(width: Int?) -> [String] {
    CommandWrap.lines(of: TerminalText.escaped(text), units: units.map { TerminalText.escaped($0) }, width: width)
  }
}

extension Problem {
  /// The same text as a GitHub Actions annotation, which is shown next to the job's result.
  /// - Parameter thing: the item that the problem is about, if there are several.
  package func annotation(of thing: String? = nil) -> String {
    let title = ["ifttt", thing, code.rawValue].compactMap { $0.map(TerminalText.escaped) }.joined(separator: ": ")
    let words = [summary, hint?.text].compactMap { $0.map(TerminalText.escaped) }.joined(separator: "\n")
    return WorkflowCommands.error(title: title, words)
  }
}
