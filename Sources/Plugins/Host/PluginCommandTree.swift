package import CommandLine
import Output
package import PluginProtocol
package import Session

/// The commands of plugins. They are located only when an unknown command name is typed or when a page lists them.
package final class PluginCommandTree: @unchecked Sendable {
  // Unchecked and not guarded: the program uses the tree from one thread.
  private let plugins: PluginDiscovery
  private var nodes: [String: Node] = [:]

  package init(_ plugins: PluginDiscovery) { self.plugins = plugins }

  package var commands: ExternalCommands<Action, OutputSchema?> {
    ExternalCommands(
      named: { name in self.node(named: name) },
      all: { self.plugins.catalog?.found().compactMap { $0.node(isAlone: false) } ?? [] },
      outlines: {
        self.plugins.catalog?.outlines(withShadowed: false).compactMap { CommandSchema($0)?.withoutLookalikes } ?? []
      }, advice: { self.plugins.adviceOnProgram(named: $0) })
  }

  /// Cached, because a help page looks up a plugin by name after the parser did.
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

  /// The schema for display, in which look-alike letters are made visible.
  fileprivate var withoutLookalikes: CommandSchema {
    var copy = self
    copy.summary = ConfusableText.revealed(summary)
    copy.discussion = discussion.map(ConfusableText.revealed)
    for index in options.indices { copy.options[index].help = ConfusableText.revealed(options[index].help) }
    for index in arguments.indices { copy.arguments[index].help = ConfusableText.revealed(arguments[index].help) }
    copy.subcommands = subcommands.map(\.withoutLookalikes)
    return copy
  }
}

extension Plugin {
  /// The plugin's node in the tree; nil if it adds no command.
  ///
  /// - Parameter isAlone: whether the plugin was requested by name. Its errors are then reported when it runs, and no
  ///   page lists it.
  fileprivate func node(isAlone: Bool) -> Node? {
    guard let manifest = try? manifest.get() else {
      return isAlone ? unavailableNode("A plugin that cannot be used") : nil
    }
    guard let schema = manifest.schema?.withoutLookalikes else {
      return isAlone ? unavailableNode(manifest.summary) : nil
    }
    return node(schema, forwardsArguments: manifest.commands == nil, below: [])
  }

  /// A command that reports why the plugin's command is unavailable.
  private func unavailableNode(_ summary: String) -> Node {
    .command(
      CommandLeaf(
        CommandSchema(name: name, summary: summary, group: Plugin.heading), forwardsArguments: true, facts: { nil }
      ) { invocation in
        { session in try PluginCall(self, invocation).run(in: session) }
      })
  }

  private func node(_ schema: CommandSchema, forwardsArguments: Bool, below path: [String]) -> Node {
    guard schema.subcommands.isEmpty else {
      return .group(schema.name, summary: schema.summary, discussion: schema.discussion, heading: schema.group) {
        schema.subcommands.map { self.node($0, forwardsArguments: false, below: path + [$0.name]) }
      }
    }
    let facts: @Sendable () -> OutputSchema? = {
      (try? self.manifest.get())?.commands?.command(at: path)?.output.flatMap {
        OutputSchema(checking: $0)
      }
    }
    return .command(
      CommandLeaf(schema, forwardsArguments: forwardsArguments, facts: facts) { invocation in
        { session in try PluginCall(self, invocation).run(in: session) }
      })
  }

  /// The heading under which the program lists the commands of plugins.
  package static let heading = "Plugins"
}

extension Manifest {
  /// The commands in the form that the parser and the pages use; nil for a provider without commands.
  package var schema: CommandSchema? {
    if let commands {
      var schema = CommandSchema(commands)
      schema.group = Plugin.heading
      return schema
    }
    guard kind == .command else { return nil }
    return CommandSchema(
      name: name.description, summary: summary, group: Plugin.heading,
      arguments: [
        ArgumentSchema(
          value: ValueSchema(placeholder: "ARGUMENT", completion: .file), help: "Passed to the plugin unchanged",
          isRequired: false,
          isRepeatable: true)
      ])
  }
}

extension CommandSchema {
  /// The plugin's line in a list of commands; nil for a plugin without a command.
  package init?(_ plugin: OutlinedPlugin) {
    guard let summary = plugin.outline?.command else { return nil }
    self.init(name: plugin.name, summary: summary, group: Plugin.heading)
  }

  /// - Parameter command: a command of a manifest, which is a tree of the same shape.
  package init(_ command: ManifestCommand) {
    self.init(
      name: command.name, summary: command.summary, discussion: command.discussion, group: command.group,
      options: command.options.map { option in
        OptionSchema(
          name: option.name, short: option.short, help: option.help, value: option.value.map(ValueSchema.init),
          isRepeatable: option.isRepeatable, isNegatable: option.isNegatable, environment: option.environment,
          defaultText: option.defaultText, isAdvanced: option.isAdvanced, group: option.group)
      },
      arguments: command.arguments.map { argument in
        ArgumentSchema(
          value: ValueSchema(argument.value), help: argument.help, isRequired: argument.isRequired,
          isRepeatable: argument.isRepeatable)
      },
      subcommands: command.subcommands.map(CommandSchema.init),
      examples: command.examples.map { ExampleSchema($0.arguments, $0.purpose) })
  }
}

extension ValueSchema {
  fileprivate init(_ value: ManifestCommand.Value) {
    let completion: CompletionKind =
      switch value.completion {
      case .none: .none
      case .file: .file
      case .directory: .directory
      case .choices(let choices): .choices(choices.map { Choice($0.value, $0.help) })
      // The scripts complete commands themselves, without the plugin.
      case .dynamic("command"): .commandPath(or: [])
      case .dynamic(let source): .dynamic(source)
      case .dynamicList(let source): .dynamicList(source)
      }
    self.init(placeholder: value.placeholder, completion: completion)
  }
}
