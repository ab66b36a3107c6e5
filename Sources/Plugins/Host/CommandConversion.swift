package import CommandLine
package import PluginProtocol

extension Plugin {
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
          defaultText: option.defaultText, isAdvanced: option.isAdvanced)
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
