package import Arguments
package import Hints
import Phrases
package import World

/// Completes the commands that hints suggest with the options in force, so that they work when pasted.
///
/// Hints are written without knowledge of the command line, some of them in modules that have none. The options are
/// therefore added where text leaves the program.
///
/// Only options that decide what a command acts on, for which user, or in which language, are added. Options for output, time
/// limits or effects (`--offline`, `--dry-run`) would make the suggested command do something else.
package struct SuggestedCommands {
  package typealias Option = SuggestedCommand.Option

  /// Options of every command.
  let global: [Option]
  /// The failed command's own options.
  private let given: [Option]
  private let schemas: [OptionSchema]
  private let root: CommandGroup<Action, OutputSchema?>

  /// - Parameters:
  ///   - path: the words of the command that suggests.
  ///   - provenance: what it was given.
  package init(
    _ options: GlobalOptions, environment: (String) -> String?, root: CommandGroup<Action, OutputSchema?>,
    path: [String] = [], provenance: [Provenance] = []
  ) {
    var global: [Option] = []
    // Environment variables apply to the pasted command anyway.
    if let profile = options.profile?.description, environment("IFTTT_PROFILE") != profile {
      global.append(Option("--profile", profile))
    }
    if let locale = options.locale { global.append(Option("--locale", locale.text)) }
    if options.usesNoPlugins, environment(GlobalOptions.noPluginsVariable) == nil {
      global.append(Option(GlobalOptions.noPluginsOption))
    }
    self.global = global
    self.root = root
    var given: [Option] = []
    for item in provenance {
      guard case .commandLine = item.source, Self.carried.contains(item.option) else { continue }
      // An activation has one of this name too, which says only what to open.
      guard item.option != "--url" || path.first == "sandbox" else { continue }
      // Of an option that is given twice the last value counts, but for the one that is repeatable.
      if item.option != "--scope" { given.removeAll { $0.name == item.option } }
      given.append(Option(item.option, item.typed))
    }
    self.given = given
    schemas = given.isEmpty ? [] : root.options(at: path)
  }

  package init(_ options: GlobalOptions, in world: World, root: CommandGroup<Action, OutputSchema?>) {
    self.init(options, environment: { world.environment[$0] }, root: root)
  }

  /// Commands that none of these options matter to, or that would store what they are given.
  static let unaffected: Set = ["profile", "plugin", "store", "schema", "completion", "man", "help", "version"]

  /// Options that decide what a command acts on and as whom. They are carried to commands that have the same one.
  static let carried: Set = [
    "--as", "--user-token-file", "--service-key-file", "--access-token-file", "--user-id",
    "--invite-code", "--service", "--api", "--provider", "--url",
    // Of the bundled plugin.
    "--account", "--client-id", "--client-secret-file", "--discovery-url", "--environment", "--from-manifest",
    "--from-plist", "--issuer", "--partner-id", "--scope",
  ]

  /// Those of ``carried`` whose value is a secret itself.
  package static let secret: Set = ["--invite-code"]

  // MARK: Hints

  /// The hint with the options in each command of it, and a sentence about those that could not be added.
  package func completed(_ hint: Hint) -> Hint {
    var omitted: [Option] = []
    var parts: [Hint.Part] = hint.parts.flatMap { part -> [Hint.Part] in
      switch part {
      case .text, .verbatim: return [part]
      case .command(let command): return [.command(completed(command, &omitted))]
      case .plugin(let text):
        return PluginHint(text, known: { root.node(at: $0) != nil }).parts { completed($0, &omitted) }
      }
    }
    if !omitted.isEmpty {
      let names = omitted.map { $0.value == "-" ? "\($0.name) -" : $0.name }
      parts.append(.text(" Pass \(names.joined(separator: " and ")) to it as before."))
    }
    return Hint(parts: parts)
  }

  /// - Parameter omitted: gets what the command takes and a person has to give again.
  private func completed(_ command: SuggestedCommand, _ omitted: inout [Option]) -> SuggestedCommand {
    guard let added = added(to: command.path, has: { command.has($0) }, &omitted) else { return command }
    return command.with(added.global, added.own, behind: added.depth)
  }

  /// What goes before a command's name, and behind its words; nil where nothing is to be changed.
  private func added(
    to path: [String], has: (String) -> Bool, _ omitted: inout [Option]
  ) -> (global: [Option], own: [Option], depth: Int)? {
    guard let first = path.first, !Self.unaffected.contains(first), !has("--profile") else { return nil }
    let depth = root.depth(of: path)
    guard depth > 0 else { return nil }
    let accepted = given.isEmpty ? [] : root.options(at: Array(path.prefix(depth)))
    var own: [Option] = []
    for option in given where !has(option.name) && schemas.agree(with: accepted, on: option.name) {
      if option.value == "-" || Self.secret.contains(option.name) {
        if !omitted.contains(option) { omitted.append(option) }
      } else {
        own.append(option)
      }
    }
    return (global.filter { !has($0.name) }, own, depth)
  }

  private func completed(_ found: PluginHint.Command, _ omitted: inout [Option]) -> String {
    guard let added = added(to: found.path, has: { found.has($0) }, &omitted) else { return found.text }
    return found.with(added.global, found.end == .name ? [] : added.own, behind: added.depth)
  }
}

extension CommandGroup<Action, OutputSchema?> {
  /// How many of the words name a command or a noun.
  fileprivate func depth(of path: [String]) -> Int {
    path.indices.reversed().first { node(at: Array(path[...$0])) != nil }.map { $0 + 1 } ?? 0
  }

  /// The options of a command, or of the one that a noun alone means.
  fileprivate func options(at path: [String]) -> [OptionSchema] {
    switch node(at: path) {
    case .command(let command): command.schema().options
    case .group(let group): group.standard.map { options(at: path + [$0]) } ?? []
    case nil: []
    }
  }
}

extension [OptionSchema] {
  /// Whether both commands have an option of this name that takes the same kind of value.
  fileprivate func agree(with others: [OptionSchema], on name: String) -> Bool {
    func schema(_ options: [OptionSchema]) -> OptionSchema? { options.first { "--\($0.name)" == name } }
    guard let own = schema(self), let other = schema(others) else { return false }
    return own.value?.placeholder == other.value?.placeholder
  }
}

extension Session {
  package var suggestions: SuggestedCommands {
    SuggestedCommands(
      options, environment: { world.environment[$0] }, root: tree.root, path: path, provenance: provenance)
  }
}

extension Problem {
  /// The same problem, its hint completed with the options in force.
  package func completed(with suggestions: SuggestedCommands) -> Problem {
    var problem = self
    problem.hint = hint.map(suggestions.completed)
    return problem
  }
}
