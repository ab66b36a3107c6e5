package import CommandLine
package import PluginProtocol

/// Names that the program reserves, and that plugins may not use.
package struct ReservedNames: Sendable {
  /// The names of the program's own commands.
  package let commands: @Sendable () -> [String]
  /// The options that every command has.
  package let options: @Sendable () -> [OptionSchema]
  /// The meaning that a name has in the program otherwise; nil if it has none.
  package let meaning: @Sendable (_ name: String) -> String?

  package init(
    commands: @escaping @Sendable () -> [String], options: @escaping @Sendable () -> [OptionSchema],
    meaning: @escaping @Sendable (_ name: String) -> String? = { _ in nil }
  ) {
    (self.commands, self.options, self.meaning) = (commands, options, meaning)
  }

  /// The reason why a plugin cannot have a name, as a sentence without a full stop; nil if it can.
  package func problem(ofName name: String) -> String? { problem(ofName: name, among: commands()) }

  /// A check of many names. It builds the names of the commands at most once, for the first name.
  package func check() -> (_ name: String) -> String? {
    var built: [String]?
    return { name in
      let commands = built ?? self.commands()
      built = commands
      return problem(ofName: name, among: commands)
    }
  }

  private func problem(ofName name: String, among commands: [String]) -> String? {
    if commands.contains(name) { return "'ifttt \(name)' is a command of the program itself" }
    return meaning(name).map { "'\(name)' is \($0)" }
  }

  package static let isBundledName = "a plugin with this name is included with the program"
  package static let isLinkedName = "a linked plugin has this name"

  /// The conflict between a manifest that is valid on its own and this program; nil if absent.
  package func problem(of manifest: Manifest) -> ManifestError? {
    for name in manifest.environment where PluginEnvironment.isWithheld(name, from: manifest.name.description) {
      return ManifestError("'environment' lists \(name), which is hidden from plugins")
    }
    if manifest.kind == .provider, Set(manifest.protocols).isDisjoint(with: ProtocolVersion.spoken) {
      return ManifestError(
        "it supports protocol \(Self.list(manifest.protocols)), but this program supports "
          + Self.list(ProtocolVersion.spoken))
    }
    // Computed once, because each call builds the options again.
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
        "option '--\(option.name)' of '\(path.joined(separator: " "))' conflicts with the global option "
          + "'--\(clash.name)'")
    }
    for option in command.options {
      guard let variable = option.environment, PluginEnvironment.isWithheld(variable, from: path[0]) else { continue }
      return ManifestError("option '--\(option.name)' names the variable \(variable), which is hidden from plugins")
    }
    return command.subcommands.lazy.compactMap { problem(of: $0, path: path, beside: reserved) }.first
  }
}
