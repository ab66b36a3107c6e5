package enum ColorChoice: String, CaseIterable, Sendable {
  case auto, always, never
}

/// Whether to colour: `--color`, then `NO_COLOR`, `CLICOLOR_FORCE` and `TERM`, then whether a terminal looks on.
///
/// Sources: no-color.org, bixense.com/clicolors. A variable that is set but empty says nothing.
package func useColor(_ choice: ColorChoice, environment: (String) -> String?, isTerminal: Bool) -> Bool {
  switch choice {
  case .always: return true
  case .never: return false
  case .auto:
    if let none = environment("NO_COLOR"), !none.isEmpty { return false }
    if let force = environment("CLICOLOR_FORCE"), !force.isEmpty, force != "0" { return true }
    return isTerminal && environment("TERM") != "dumb"
  }
}

/// The few ways in which text stands out.
package enum Tone: UInt8, Sendable {
  case plain, bold, dim, green, yellow, red

  /// The SGR sequence that switches it on (ECMA-48, 8.3.117).
  var start: String {
    switch self {
    case .plain: ""
    case .bold: "\u{1b}[1m"
    case .dim: "\u{1b}[2m"
    case .green: "\u{1b}[32m"
    case .yellow: "\u{1b}[33m"
    case .red: "\u{1b}[31m"
    }
  }
  static let end = "\u{1b}[0m"

  /// The text in this tone.
  package func around(_ text: String) -> String { self == .plain ? text : start + text + Tone.end }

  /// The tone of a connection's status.
  package init(status: String) {
    switch status {
    case "enabled": self = .green
    case "disabled": self = .yellow
    case "never_enabled", "unknown": self = .dim
    default: self = .plain
    }
  }
}
