package import Arguments
package import CommandContext
import Display
package import PluginProtocol
package import Plugins
package import World

/// What plugins add to the tree of commands. Nothing is looked for before a name is none of the program's own, or a page is
/// to show them.
package final class PluginCommandTree: @unchecked Sendable {
  // Unchecked: the program asks from one thread.

  private let world: World
  private let words: [Word]
  private var kept: PluginCatalog??
  private var nodes: [String: Node] = [:]

  /// The names that no plugin may take.
  package let reserved: ReservedNames

  /// - Parameters:
  ///   - words: the command line.
  ///   - own: the program's own commands, whose names no plugin may take.
  package init(_ world: World, _ words: [Word], own: CommandGroup<Action, OutputSchema?>) {
    (self.world, self.words) = (world, words)
    reserved = ReservedNames(of: own)
  }

  /// Nil where plugins are switched off, and where there is no folder for them.
  package var catalogue: PluginCatalog? {
    if let kept { return kept }
    let catalogue = isOff ? nil : makeCatalogue()
    kept = catalogue
    return catalogue
  }

  package var adopted: ExternalCommands<Action, OutputSchema?> {
    ExternalCommands(
      named: { name in self.node(named: name) },
      all: { self.catalogue?.found().compactMap { $0.node(isAlone: false) } ?? [] },
      outlines: {
        self.catalogue?.outlines(withShadowed: false).compactMap { CommandSchema($0)?.withoutLookalikes } ?? []
      })
  }

  /// Read once: a help page is asked for by name after the line was read by it.
  private func node(named name: String) -> Node? {
    if let known = nodes[name] { return known }
    let node = catalogue?.plugin(named: name).flatMap { $0.node(isAlone: true) }
    nodes[name] = node
    return node
  }

  /// Asked while the command line is being read, so the words are looked at as they are: a value that reads like the
  /// option switches them off as well, which harms nobody.
  package var isOff: Bool {
    let typed = words.prefix { $0.text != "--" }.contains { $0.text == GlobalOptions.noPluginsOption }
    switch world.environment[GlobalOptions.noPluginsVariable]?.lowercased() {
    case nil, "", "0", "false", "no", "off": return typed
    default: return true
    }
  }

  /// Of the plugins that came with the program, also while plugins are switched off.
  package var bundledManifests: [Manifest] {
    (makeCatalogue()?.found() ?? []).filter(\.isBundled).compactMap { try? $0.manifest.get() }
  }

  private func makeCatalogue() -> PluginCatalog? {
    guard let places = AppDirectories(environment: world.environment) else { return nil }
    let folders = PluginFolders(places: places, program: world.processes.program)
    return PluginCatalog(files: world.files, folders: folders, rules: reserved)
  }
}

extension ReservedNames {
  /// Those of the program with these commands.
  package init(of own: CommandGroup<Action, OutputSchema?>) {
    self.init(
      commands: { own.children().map(\.name) }, options: { CommandTree.parser(of: own).globalOptions },
      reserved: ["connect": "the provider of IFTTT's own connections", "ifttt": "the name of the program itself"],
      bundled: ["grab"])
  }
}

extension CommandSchema {
  /// The tree, followed by the commands of these plugins.
  package func with(_ plugins: [Manifest]) -> CommandSchema {
    var tree = self
    tree.subcommands += plugins.compactMap(\.schema)
    return tree
  }

  /// What people read of it shows which letters could pass for others.
  fileprivate var withoutLookalikes: CommandSchema {
    var copy = self
    copy.summary = ConfusableText.revealed(summary)
    copy.discussion = discussion.map(ConfusableText.revealed)
    for place in options.indices { copy.options[place].help = ConfusableText.revealed(options[place].help) }
    for place in arguments.indices { copy.arguments[place].help = ConfusableText.revealed(arguments[place].help) }
    copy.subcommands = subcommands.map(\.withoutLookalikes)
    return copy
  }
}

extension Plugin {
  /// Its place in the tree; nil where it adds no command.
  ///
  /// - Parameter isAlone: whether it was asked for by name: what is wrong with it is then told when it is run, and no page
  ///   lists it.
  fileprivate func node(isAlone: Bool) -> Node? {
    guard let manifest = try? manifest.get() else {
      return isAlone ? excuse("A plugin that cannot be used") : nil
    }
    guard let schema = manifest.schema?.withoutLookalikes else { return isAlone ? excuse(manifest.summary) : nil }
    return node(schema, passesWordsOn: manifest.commands == nil, below: [])
  }

  /// A command that says why there is none.
  private func excuse(_ summary: String) -> Node {
    .command(
      CommandLeaf(
        CommandSchema(name: name, summary: summary, group: Plugin.heading), passesWordsOn: true, facts: { nil }
      ) { invocation in
        { session in try PluginCall(self, invocation).run(in: session) }
      })
  }

  private func node(_ schema: CommandSchema, passesWordsOn: Bool, below path: [String]) -> Node {
    guard schema.subcommands.isEmpty else {
      return .group(schema.name, summary: schema.summary, discussion: schema.discussion, heading: schema.group) {
        schema.subcommands.map { self.node($0, passesWordsOn: false, below: path + [$0.name]) }
      }
    }
    let facts: @Sendable () -> OutputSchema? = {
      (try? self.manifest.get())?.commands?.command(at: path)?.output.flatMap {
        OutputSchema(checking: $0, named: ([self.name] + path).joined(separator: "-"))
      }
    }
    return .command(
      CommandLeaf(schema, passesWordsOn: passesWordsOn, facts: facts) { invocation in
        { session in try PluginCall(self, invocation).run(in: session) }
      })
  }
}
