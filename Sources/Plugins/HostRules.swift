package import Arguments
package import PluginProtocol

/// What the program keeps for itself, and no plugin may take.
package struct HostRules: Sendable {
  /// The names of the program's own commands.
  package let commands: @Sendable () -> [String]
  /// The options that every command has.
  package let options: @Sendable () -> [OptionSchema]

  package init(
    commands: @escaping @Sendable () -> [String], options: @escaping @Sendable () -> [OptionSchema]
  ) {
    (self.commands, self.options) = (commands, options)
  }

  /// What is wrong with a manifest that is good alone; nil where nothing is.
  package func problem(of manifest: Manifest) -> ManifestError? {
    for name in manifest.environment where PluginEnvironment.isWithheld(name, from: manifest.name.description) {
      return ManifestError("'environment' names \(name), which no plugin sees")
    }
    // Asked for once: they are made anew each time.
    let reserved = options()
    return manifest.commands.flatMap { problem(of: $0, path: [], beside: reserved) }
  }

  private func problem(of command: ManifestCommand, path: [String], beside reserved: [OptionSchema]) -> ManifestError? {
    let path = path + [command.name]
    for option in command.options {
      let names = option.isNegatable ? [option.name, "no-\(option.name)"] : [option.name]
      let clash = reserved.first { global in
        names.contains(global.name) || global.isNegatable && names.contains("no-\(global.name)")
          || global.short != nil && global.short == option.short
      }
      guard let clash else { continue }
      return ManifestError(
        "option '--\(option.name)' of '\(path.joined(separator: " "))' hides '--\(clash.name)', which every command has"
      )
    }
    for option in command.options {
      guard let variable = option.environment, PluginEnvironment.isWithheld(variable, from: path[0]) else { continue }
      return ManifestError("option '--\(option.name)' names the variable \(variable), which no plugin sees")
    }
    return command.subcommands.lazy.compactMap { problem(of: $0, path: path, beside: reserved) }.first
  }
}
