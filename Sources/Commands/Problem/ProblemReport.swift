import Display

extension Problem {
  /// The lines for people: what, why, what to do; text from the network escaped.
  package func lines(color: Bool) -> String {
    var lines = [(color ? "\u{1b}[1;31mifttt:\u{1b}[0m " : "ifttt: ") + Escaping.visible(message)]
    if let reason { lines.append("  " + Escaping.visible(reason)) }
    for detail in details {
      let words = [detail.parameter, detail.message].compactMap { $0 }.joined(separator: ": ")
      lines.append("  - " + Escaping.visible(words))
    }
    if let hint { lines.append("  " + Escaping.visible(hint)) }
    return lines.joined(separator: "\n") + "\n"
  }
}
