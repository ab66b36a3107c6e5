package import CommandLine
package import PluginProtocol
package import Session
import Text
package import World

/// The plugins on this machine, located on first use.
package final class PluginDiscovery {
  private let world: World
  private let arguments: [RawArgument]
  private let own: CommandGroup<Action, OutputSchema?>
  /// The names that no plugin may use.
  package private(set) lazy var reserved = ReservedNames(of: own)

  /// - Parameters:
  ///   - arguments: the command line.
  ///   - own: the program's own commands, whose names no plugin may use.
  package init(_ world: World, _ arguments: [RawArgument], own: CommandGroup<Action, OutputSchema?>) {
    (self.world, self.arguments, self.own) = (world, arguments, own)
  }

  /// The catalog; nil if plugins are disabled or have no folder.
  package var catalog: PluginCatalog? { isOff ? nil : located }

  /// The catalog, even while plugins are disabled.
  private lazy var located = AppDirectories(environment: world.environment).map { directories in
    PluginCatalog(
      files: world.files, folders: PluginFolders(directories: directories, program: world.processes.program),
      rules: reserved)
  }

  /// Whether plugins are disabled by the option or the environment.
  ///
  /// This is needed while the command line is being parsed, so the raw arguments are searched. A value that equals the
  /// option also disables plugins, which is harmless.
  package var isOff: Bool {
    let typed = arguments.prefix { $0.text != "--" }.contains { $0.text == GlobalOptions.noPluginsOption }
    switch world.environment[.noPlugins]?.lowercased() {
    case nil, "", "0", "false", "no", "off": return typed
    default: return true
    }
  }

  /// The reason why linked plugins are not run; nil if they are. As for ``isOff``, the raw arguments are searched.
  package var problemOfLinks: String? {
    if arguments.prefix(while: { $0.text != "--" }).contains(where: { $0.text == GlobalOptions.noLinkedPluginsOption })
    {
      return "\(GlobalOptions.noLinkedPluginsOption) disables linked plugins"
    }
    let ci = EnvironmentVariable.continuousIntegration
    return (world.environment[ci] ?? "").isEmpty ? nil : "it is linked, and linked plugins are not run if \(ci) is set"
  }

  /// The manifests of the bundled plugins, even while plugins are disabled.
  package var bundledManifests: [Manifest] {
    (located?.found() ?? []).filter(\.isBundled).compactMap { try? $0.manifest.get() }
  }

  /// The reason why plugins cannot be installed under a name; nil if they can.
  package func problem(ofName name: String) -> String? {
    located.map { $0.problem(ofNewName: name) } ?? reserved.problem(ofName: name)
  }

  /// Advice on the name of a program `ifttt-NAME` on PATH that is not an installed plugin; nil if it does not exist.
  func adviceOnProgram(named name: String) -> UnknownNameAdvice? {
    guard !isOff, let name = PluginName(parsing: name) else { return nil }
    let folders = (world.environment[.path] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
    for folder in folders {
      let path = "\(folder)/ifttt-\(name)"
      guard let program = try? world.files.resolved(path), let facts = try? world.files.status(program),
        facts.kind == .file, facts.mode & 0o111 != 0
      else { continue }
      let own = program.lastIndex(of: "/").map { String(program[..<$0]) } ?? ""
      let hasManifest = (try? world.files.status("\(own)/\(Manifest.fileName)"))?.kind == .file
      return UnknownNameAdvice(hints: [
        "\(path) is not run, because it is not installed as a plugin.",
        hasManifest
          ? "Install it: \(ifttt: "plugin install \(path: program)")"
          : """
          A plugin needs a \(Manifest.fileName) beside its program; \(ifttt: "plugin new \(name)") creates one to adapt.
          """,
      ])
    }
    return nil
  }

  /// The variables that plugins declare.
  package var variables: [String] {
    (located?.found() ?? []).compactMap { try? $0.manifest.get() }.flatMap(\.environment)
  }
}

extension ReservedNames {
  /// The reserved names of a program with these commands.
  package convenience init(of own: CommandGroup<Action, OutputSchema?>) {
    self.init(
      commands: { own.names }, options: { CommandTree.parser(of: own).globalOptions },
      meaning: {
        switch $0 {
        case "connect": "the provider of IFTTT's own connections"
        case "ifttt": "the name of the program itself"
        default: nil
        }
      })
  }
}
