package import CommandLine
package import PluginProtocol

/// Names that the program reserves, and that plugins may not use.
package final class ReservedNames: @unchecked Sendable {
  // Unchecked: there is no guard, because the program uses it from one thread.
  private let makeCommands: () -> [String]
  private let makeOptions: () -> [OptionSchema]
  private let meaning: (_ name: String) -> String?

  /// Built for the first name: that takes longer than reading a plugin's manifest.
  private lazy var commands = Set(makeCommands())
  private lazy var options = makeOptions()

  /// - Parameters:
  ///   - commands: the names of the program's own commands.
  ///   - options: the options that every command has.
  ///   - meaning: the meaning that a name has in the program otherwise; nil if it has none.
  package init(
    commands: @escaping () -> [String], options: @escaping () -> [OptionSchema],
    meaning: @escaping (_ name: String) -> String? = { _ in nil }
  ) {
    (makeCommands, makeOptions, self.meaning) = (commands, options, meaning)
  }

  /// The reason why a plugin cannot have a name, as a sentence without a full stop; nil if it can.
  package func problem(ofName name: String) -> String? {
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
    return manifest.commands.flatMap { problem(of: $0, path: []) }
  }

  private static func list(_ versions: [String]) -> String { versions.map { "'\($0)'" }.joined(separator: ", ") }

  private func problem(of command: ManifestCommand, path: [String]) -> ManifestError? {
    let path = path + [command.name]
    for option in command.options {
      let names = option.isNegatable ? [option.name, "no-\(option.name)"] : [option.name]
      let clash = options.first { global in
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
    return command.subcommands.lazy.compactMap { self.problem(of: $0, path: path) }.first
  }
}
