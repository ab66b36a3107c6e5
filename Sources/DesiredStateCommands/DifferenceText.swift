import Batch
import CommandContext
import Connect
import DesiredState
import Display
import JSON

/// Differences as lines for people, grouped by connection.
struct DifferenceText {
  let color: Bool
  /// The connection of the last difference.
  private var heading: String?

  init(color: Bool) { self.color = color }

  /// - Parameter name: the name of the connection.
  mutating func lines(_ difference: StateDifference, of name: String) -> String {
    let id = difference.id.description
    var lines = ""
    if heading != id {
      lines = (heading == nil ? "" : "\n") + shown(TerminalText.escaped("\(id)  \(name)"), .bold) + "\n"
      heading = id
    }
    let subject = [difference.field ?? "status", difference.label.map { "(\($0))" }].compactMap(\.self)
      .joined(separator: " ")
    let (old, new) = (difference.present.asFieldValue, difference.wanted.asFieldValue)
    let text: String
    let (mark, tone): (String, Tone)
    switch difference.change {
    case .added: (mark, tone, text) = ("+", .green, ": \(new)")
    case .removed: (mark, tone, text) = ("-", .red, ": \(old)")
    case .changed: (mark, tone, text) = ("~", .yellow, ": \(old) → \(new)")
    case .enabled: (mark, tone, text) = ("+", .green, ": enabled")
    case .disabled: (mark, tone, text) = ("-", .red, ": disabled")
    }
    return lines + shown(TerminalText.escaped("  \(mark) \(subject)\(text)"), tone) + "\n"
  }

  private func shown(_ text: String, _ tone: Tone) -> String { color ? tone.around(text) : text }
}
