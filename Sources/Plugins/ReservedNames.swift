package import Arguments
package import PluginProtocol

/// What the program keeps for itself, and no plugin may take.
package struct ReservedNames: Sendable {
  /// The names of the program's own commands.
  package let commands: @Sendable () -> [String]
  /// The options that every command has.
  package let options: @Sendable () -> [OptionSchema]
  /// Names that mean something else to the program, each with what that is.
  package let reserved: [String: String]
  /// The names of the plugins that come with the program, whether or not they are there.
  package let bundled: Set<String>

  package init(
    commands: @escaping @Sendable () -> [String], options: @escaping @Sendable () -> [OptionSchema],
    reserved: [String: String] = [:], bundled: Set<String> = []
  ) {
    (self.commands, self.options, self.reserved, self.bundled) = (commands, options, reserved, bundled)
  }

  /// Why no plugin can have a name, as a sentence without a full stop; nil where one can.
  ///
  /// - Parameter isBundled: whether it is about a plugin that comes with the program.
  package func problem(ofName name: String, isBundled: Bool = false) -> String? {
    if commands().contains(name) { return "'ifttt \(name)' is a command of the program itself" }
    if let meaning = reserved[name] { return "'\(name)' is \(meaning)" }
    return !isBundled && bundled.contains(name) ? Self.isBundledName : nil
  }

  package static let isBundledName = "a plugin of this name came with the program"

  /// What is wrong with a manifest that is good alone; nil where nothing is.
  package func problem(of manifest: Manifest) -> ManifestError? {
    for name in manifest.environment where PluginEnvironment.isWithheld(name, from: manifest.name.description) {
      return ManifestError("'environment' names \(name), which no plugin sees")
    }
    if manifest.kind == .provider, Set(manifest.protocols).isDisjoint(with: ProtocolVersion.spoken) {
      return ManifestError(
        "it supports protocol \(Self.list(manifest.protocols)), and this program \(Self.list(ProtocolVersion.spoken))")
    }
    // Asked for once: they are made anew each time.
    let reserved = options()
    return manifest.commands.flatMap { problem(of: $0, path: [], beside: reserved) }
  }

  private static func list(_ versions: [String]) -> String { versions.map { "'\($0)'" }.joined(separator: ", ") }

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
