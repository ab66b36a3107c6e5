/// The programs and files that receive variables of this program's environment.
package struct VariableRecipients: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Every plugin.
  package static let plugins = VariableRecipients(rawValue: 1)
  /// Every program that this one runs for its own purposes, such as a man page formatter.
  package static let programs = VariableRecipients(rawValue: 1 << 1)
  /// Every program that has a window, such as a browser, or uses the session bus.
  package static let desktop = VariableRecipients(rawValue: 1 << 2)
  /// Git and ssh, with the keyrings and agents that hold their keys.
  package static let keyCommand = VariableRecipients(rawValue: 1 << 3)
  /// The pager of `ifttt man`.
  package static let pager = VariableRecipients(rawValue: 1 << 4)
  /// A run with `--replay`. It reads only these variables from its own environment.
  package static let replay = VariableRecipients(rawValue: 1 << 5)
  /// A recording, which stores the value with credentials replaced. A replay reads no other variables from it.
  package static let recording = VariableRecipients(rawValue: 1 << 6)
}

/// The plugins that see a variable if their manifest names it and the user agreed.
package enum PluginVisibility: Sendable {
  case any
  /// Only the plugin whose name the variable's name begins with, after `IFTTT_`.
  case namesake
  case none
}

extension EnvironmentVariable {
  /// The beginning of the names of this program's own variables.
  package static let ownPrefix = "IFTTT_"
  private static let storePrefix = "IFTTT_STORE_"

  /// The beginnings of the names of inherited variables whose full names are not known.
  private static let families: [(prefix: String, recipients: VariableRecipients)] = [
    ("LC_", .programs), ("XDG_", .desktop), ("PASSWORD_STORE_", .keyCommand),
  ]

  package static func inherited(by recipient: VariableRecipients) -> [EnvironmentVariable] {
    allCases.filter { $0.isInherited(by: recipient) }
  }

  /// Returns a test for names: whether one of the recipients inherits a variable of this name.
  package static func isInherited(by recipients: [VariableRecipients]) -> (String) -> Bool {
    let names = allCases.filter { variable in recipients.contains { variable.isInherited(by: $0) } }.map(\.name)
    let prefixes = families.filter { recipients.contains($0.recipients) }.map(\.prefix)
    return { name in names.contains(name) || prefixes.contains { name.hasPrefix($0) } }
  }

  /// Whether a variable of this name holds a credential. An unknown variable of this program may be one of a later
  /// version, and is treated as a credential.
  package static func isSecret(named name: String) -> Bool {
    EnvironmentVariable(named: name)?.isSecret ?? name.hasPrefix(ownPrefix)
  }

  /// The plugins that may see a variable of this name. An unknown variable of this program is visible only to the
  /// plugin that it is named after.
  package static func pluginVisibility(named name: String) -> PluginVisibility {
    if let variable = EnvironmentVariable(named: name) { return variable.properties.plugins }
    return name.hasPrefix(storePrefix) ? .none : name.hasPrefix(ownPrefix) ? .namesake : .any
  }
}
