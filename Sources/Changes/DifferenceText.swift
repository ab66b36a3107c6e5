package import IFTTT
import JSON
import Output
import Session
import World

/// Differences as lines for people, grouped by connection.
package struct DifferenceText {
  let color: Bool
  /// The connection of the last difference.
  private var heading: String?

  package init(color: Bool) { self.color = color }

  /// - Parameter name: the name of the connection.
  package mutating func lines(_ difference: StateDifference, of name: String) -> String {
    let id = difference.id
    var lines = ""
    if heading != id {
      lines =
        (heading == nil ? "" : "\n") + shown(TerminalText.escaped(name.isEmpty ? id : "\(id)  \(name)"), .bold) + "\n"
      heading = id
    }
    let (mark, tone): (String, Tone) =
      switch difference.change {
      case .added: ("+", .green)
      case .removed: ("-", .red)
      case .changed, .enabled, .disabled: ("~", .yellow)
      }
    return lines + shown(TerminalText.escaped("  \(mark) \(difference.summary)"), tone) + "\n"
  }

  private func shown(_ text: String, _ tone: Tone) -> String { color ? tone.around(text) : text }
}

extension StateDifference {
  /// One line for people, without the connection.
  package var summary: String {
    let subject = [field ?? "status", label.map { "(\($0))" }].compactMap(\.self).joined(separator: " ")
    let (old, new) = (present.asFieldValue, wanted.asFieldValue)
    switch change {
    case .added: return "\(subject): \(new)"
    case .removed: return "\(subject): \(old)"
    case .changed: return "\(subject): \(old) → \(new)"
    case .enabled, .disabled: return old.isEmpty ? "\(subject): \(new)" : "\(subject): \(old) → \(new)"
    }
  }
}

extension Session {
  /// The differences of a plan for a person, on stderr; nil without any.
  func text(of plan: ConnectionPlan, _ user: String? = nil) -> String? {
    let color = useColor(
      options.color, environment: world.environment, isTerminal: world.terminal.errorIsTerminal)
    var text = DifferenceText(color: color)
    let name = [plan.present.name, user.map { "of user '\($0)'" }].compactMap(\.self).joined(separator: " ")
    let lines = plan.differences.map { text.lines($0, of: name) }
    return lines.isEmpty ? nil : lines.joined()
  }

  /// Whether plans are printed for a person: before a confirmation, and with a dry run's table.
  var showsPlans: Bool {
    options.isDryRun ? options.format == .table && !options.isQuiet : world.terminal.errorIsTerminal
  }
}

extension ConfigurationDifference {
  /// One line for people, without the heading.
  package var summary: String {
    let name = label.map { "\(address) (\($0))" } ?? address
    var (old, new) = (shown(before), shown(after))
    // Two options may have the same name, or two locations the same address.
    if change == .changed, old == new { (old, new) = (withValue(before), withValue(after)) }
    switch change {
    case .added: return new.isEmpty ? name : "\(name): \(new)"
    case .changed: return "\(name): \(old) → \(new)"
    case .removed: return old.isEmpty ? name : "\(name): \(old)"
    }
  }

  private func withValue(_ value: JSONValue) -> String {
    guard let option = value["value"]?.string else { return value.string ?? value.text }
    return "\(value.asFieldValue) (\(option))"
  }

  private func shown(_ value: JSONValue) -> String {
    if case .bool(let isOn) = value { return location == nil ? (isOn ? "on" : "off") : value.text }
    return value.asFieldValue
  }
}
