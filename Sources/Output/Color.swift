package import World

package enum ColorChoice: String, CaseIterable, Sendable {
  case auto, always, never
}

/// Whether to use color. `--color` takes precedence, then `NO_COLOR`, then `FORCE_COLOR` and `CLICOLOR_FORCE`. Next,
/// `CLICOLOR=0`, `CI` and `TERM=dumb` disable color. Otherwise it depends on whether the output is a terminal.
///
/// Sources: no-color.org, force-color.org, bixense.com/clicolors. A variable that is set but empty is ignored.
package func useColor(
  _ choice: ColorChoice, environment: Environment, isTerminal: Bool
) -> Bool {
  switch choice {
  case .always: return true
  case .never: return false
  case .auto:
    func value(_ variable: EnvironmentVariable) -> String? { environment[variable].flatMap { $0.isEmpty ? nil : $0 } }
    if value(.noColor) != nil { return false }
    if let force = value(.forceColor) ?? value(.clicolorForce) { if force != "0" { return true } }
    // Node programs and others read `FORCE_COLOR=0` as "no color".
    if value(.forceColor) == "0" || value(.clicolor) == "0" || value(.continuousIntegration) != nil { return false }
    return isTerminal && environment[.terminal] != "dumb"
  }
}

/// The few ways to emphasize text.
package enum Tone: UInt8, Sendable {
  case plain, bold, dim, green, yellow, red

  /// The SGR sequence that enables the tone (ECMA-48, 8.3.117).
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
