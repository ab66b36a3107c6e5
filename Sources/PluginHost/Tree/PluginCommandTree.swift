package import Arguments
package import CommandContext
import Display
package import PluginProtocol
import Plugins

/// The commands of plugins. None is looked up before a name that is not one of the program's own is typed, or a page
/// lists them.
package final class PluginCommandTree: @unchecked Sendable {
  // The program uses it from one thread only.
  private let plugins: PluginDiscovery
  private var nodes: [String: Node] = [:]

  package init(_ plugins: PluginDiscovery) { self.plugins = plugins }

  package var commands: ExternalCommands<Action, OutputSchema?> {
    ExternalCommands(
      named: { name in self.node(named: name) },
      all: { self.plugins.catalog?.found().compactMap { $0.node(isAlone: false) } ?? [] },
      outlines: {
        self.plugins.catalog?.outlines(withShadowed: false).compactMap { CommandSchema($0)?.withoutLookalikes } ?? []
      })
  }

  /// Cached: a help page looks a plugin up by name after the parser did.
  private func node(named name: String) -> Node? {
    if let known = nodes[name] { return known }
    let node = plugins.catalog?.plugin(named: name).flatMap { $0.node(isAlone: true) }
    nodes[name] = node
    return node
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
