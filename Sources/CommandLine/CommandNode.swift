/// A node in the tree of commands: a group of commands or a command.
///
/// The tree's owner chooses both types. `Action` is the result of parsing a command's options. `Facts` are the
/// properties of a command that are known without parsing.
package enum CommandNode<Action, Facts>: Sendable {
  case group(CommandGroup<Action, Facts>)
  case command(CommandLeaf<Action, Facts>)

  /// A command with its facts and its action. The closure runs once the whole command line is valid.
  package static func command<Definition: CommandDefinition>(
    _ definition: Definition.Type, facts: @autoclosure @escaping @Sendable () -> Facts,
    action: @escaping @Sendable (Definition.Options) -> Action
  ) -> CommandNode {
    .command(CommandLeaf(definition, facts: facts, action: action))
  }

  /// A group of commands. Its discussion and children are evaluated only if a page needs them or its name was typed.
  package static func group(
    _ name: String, summary: String, discussion: @autoclosure @escaping @Sendable () -> [String] = [],
    heading: String? = nil, defaultCommand: String? = nil, children: @escaping @Sendable () -> [CommandNode]
  ) -> CommandNode {
    .group(
      CommandGroup(
        name, summary: summary, discussion: discussion(), heading: heading, defaultCommand: defaultCommand,
        children: children))
  }

  package var name: String {
    switch self {
    case .group(let group): group.name
    case .command(let command): command.name
    }
  }

  /// The schema, including all subcommands.
  package func schema() -> CommandSchema {
    switch self {
    case .group(let group): group.schema()
    case .command(let command): command.schema()
    }
  }

  /// The name, summary and heading, as the parent's page lists them; no options and no subcommands.
  package func outline() -> CommandSchema {
    switch self {
    case .group(let group): CommandSchema(name: group.name, summary: group.summary, group: group.heading)
    case .command(let command): command.outline()
    }
  }
}

/// Commands that do not belong to the program itself. They are looked up only if a name is unknown or a page lists
/// them, and can never replace the program's own commands.
package struct ExternalCommands<Action, Facts>: Sendable {
  package let named: @Sendable (String) -> CommandNode<Action, Facts>?
  package let all: @Sendable () -> [CommandNode<Action, Facts>]
  /// The names, summaries and headings of all external commands, which may take less time than the commands themselves.
  package let outlines: @Sendable () -> [CommandSchema]
  /// Advice on a name that could become an external command.
  package let advice: @Sendable (String) -> UnknownNameAdvice?

  package init(
    named: @escaping @Sendable (String) -> CommandNode<Action, Facts>?,
    all: @escaping @Sendable () -> [CommandNode<Action, Facts>],
    outlines: @escaping @Sendable () -> [CommandSchema],
    advice: @escaping @Sendable (String) -> UnknownNameAdvice? = { _ in nil }
  ) {
    (self.named, self.all, self.outlines, self.advice) = (named, all, outlines, advice)
  }
}

/// A group of commands, or the program itself: a name and its subcommands.
package struct CommandGroup<Action, Facts>: Sendable {
  package let name: String
  package let summary: String
  package let discussion: @Sendable () -> [String]
  /// The heading under which the parent lists it.
  package let heading: String?
  /// The default subcommand; nil if the group without a subcommand shows its page.
  package let defaultCommand: String?
  package let children: @Sendable () -> [CommandNode<Action, Facts>]
  /// The external commands of the group; nil if it cannot have any.
  package let external: ExternalCommands<Action, Facts>?
  /// Suggestions for an unknown name that other programs use.
  package let advice: @Sendable (UnknownName) -> UnknownNameAdvice?

  package init(
    _ name: String, summary: String, discussion: @autoclosure @escaping @Sendable () -> [String] = [],
    heading: String? = nil, defaultCommand: String? = nil, external: ExternalCommands<Action, Facts>? = nil,
    advice: @escaping @Sendable (UnknownName) -> UnknownNameAdvice? = { _ in nil },
    children: @escaping @Sendable () -> [CommandNode<Action, Facts>]
  ) {
    (self.name, self.summary, self.discussion, self.advice) = (name, summary, discussion, advice)
    (self.heading, self.defaultCommand, self.external, self.children) = (heading, defaultCommand, external, children)
  }

  package func schema() -> CommandSchema { schema(below: all.map { $0.schema() }) }

  /// The schema with the outlines of the direct subcommands.
  package func outlinedSchema() -> CommandSchema { schema(below: outlines) }

  /// The node at a path of names, or the command with this alias; nil if absent.
  package func node(at path: [String]) -> CommandNode<Action, Facts>? {
    var node = CommandNode.group(self)
    for name in path {
      guard case .group(let group) = node, let child = group.child(named: RawArgument(name)) else {
        return alias(path).map { .command($0.command) }
      }
      node = child
    }
    return node
  }

  /// The command's own path, for a path that may be an alias.
  package func ownPath(of path: [String]) -> [String] { alias(path)?.path ?? path }

  /// The command with an alias; nil if absent.
  func alias(_ path: [String]) -> Alias<Action, Facts>? { alias(path, below: []) }

  private func alias(_ alias: [String], below path: [String]) -> Alias<Action, Facts>? {
    for child in children() {
      switch child {
      case .command(let command) where command.aliases().contains(alias):
        return Alias(path: path + [command.name], group: self, command: command)
      case .group(let group):
        if let found = group.alias(alias, below: path + [group.name]) { return found }
      case .command: break
      }
    }
    return nil
  }

  /// The subcommand with a name. External commands are looked up only if the name is not one of the program's own.
  func child(named argument: RawArgument) -> CommandNode<Action, Facts>? {
    children().first { argument.isExactly($0.name) } ?? external?.named(argument.text)
  }

  /// The names of its own commands.
  package var names: [String] {
    // Not `\.name`: for a generic type, a key path would have to be created at run time.
    children().map { $0.name }
  }

  /// The program's own commands, followed by the external ones.
  package var all: [CommandNode<Action, Facts>] {
    let own = children()
    guard let others = external?.all(), !others.isEmpty else { return own }
    return own + others.filter { other in !own.contains { $0.name == other.name } }
  }

  /// The outlines of ``all``.
  var outlines: [CommandSchema] {
    let own = children().map { $0.outline() }
    guard let others = external?.outlines(), !others.isEmpty else { return own }
    return own + others.filter { other in !own.contains { $0.name == other.name } }
  }

  private func schema(below subcommands: [CommandSchema]) -> CommandSchema {
    CommandSchema(
      name: name, summary: summary, discussion: discussion(), group: heading, subcommands: subcommands)
  }
}

/// A command that was found by an alias.
struct Alias<Action, Facts> {
  /// The command's own path.
  let path: [String]
  /// The group to which it belongs.
  let group: CommandGroup<Action, Facts>
  let command: CommandLeaf<Action, Facts>
}
