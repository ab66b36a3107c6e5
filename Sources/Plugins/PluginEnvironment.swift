import HTTP
package import World

/// The environment variables that a plugin sees. There are few, so that the secrets of the user's shell stay private.
package enum PluginEnvironment {
  /// The variables that every plugin sees if they are set.
  package static var allowed: [String] { EnvironmentVariable.inherited(by: .plugins).map(\.name) }

  /// The variables that a plugin is started with.
  /// - Parameters:
  ///   - granted: variables that the plugin's manifest names and the user agreed to.
  ///   - folder: the plugin's own folder.
  ///   - more: variables set by the program itself.
  package static func variables(
    of plugin: String, from environment: Environment, granted: [String], folder: String,
    adding more: [(name: String, value: String)] = []
  ) -> [(name: String, value: String)] {
    // Running a plugin must not change its folder, because its content is trusted.
    let set: [(variable: EnvironmentVariable, value: String)] = [
      (.pythonWritesNoBytecode, "1"), (.pluginFolder, folder),
    ]
    let own = set.map { (name: $0.variable.name, value: $0.value) } + more
    var seen = Set(own.map(\.name))
    var variables: [(name: String, value: String)] = []
    for name in allowed + granted where !isWithheld(name, from: plugin) {
      guard seen.insert(name).inserted, let value = environment[named: name] else { continue }
      // A plugin reaches a proxy that needs a password only if its manifest names the variable.
      let isShortened = EnvironmentVariable(named: name)?.isProxy == true && !granted.contains(name)
      variables.append((name, isShortened ? ProxySettings.withoutCredentials(value) : value))
    }
    return variables + own
  }

  /// Whether a variable is hidden from the plugin. This applies to all variables of the program, except those that
  /// contain locations and those that begin with the plugin's own name.
  package static func isWithheld(_ name: String, from plugin: String) -> Bool {
    switch EnvironmentVariable.pluginAccess(named: name) {
    case .any: return false
    case .none: return true
    case .namesake:
      let words = plugin.uppercased().split(separator: "-").joined(separator: "_")
      return !name.hasPrefix("\(EnvironmentVariable.ownPrefix)\(words)_")
    }
  }
}
