import Display

extension Problem {
  /// The lines for people: what, why, what to do; text from the network escaped.
  package func lines(color: Bool) -> String {
    var lines = [(color ? "\u{1b}[1;31mifttt:\u{1b}[0m " : "ifttt: ") + TerminalText.escaped(message)]
    let why = [reason, reference].compactMap { $0.map(TerminalText.escaped) }
    if !why.isEmpty { lines.append("  " + why.joined(separator: " ")) }
    for detail in details {
      let words = [detail.parameter, detail.message].compactMap { $0 }.joined(separator: ": ")
      lines.append("  - " + TerminalText.escaped(words))
    }
    if let hint { lines.append("  " + TerminalText.escaped(hint)) }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension Problem {
  /// The same for GitHub Actions, which shows it beside the job's result.
  /// - Parameter thing: what of several it is about.
  func annotation(of thing: String? = nil) -> String {
    let title = ["ifttt", thing, code.rawValue].compactMap { $0.map(TerminalText.escaped) }.joined(separator: ": ")
    let words = [summary, hint].compactMap { $0.map(TerminalText.escaped) }.joined(separator: "\n")
    return WorkflowCommands.error(title: title, words)
  }
}
