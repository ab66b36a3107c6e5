/// A place in the tree of commands: a noun with commands below it, or a command.
///
/// The tree's owner chooses both types: `Action` is what a command's options are turned into once parsed, and `Facts` is
/// what can be said of a command without parsing anything.
package enum CommandNode<Action, Facts>: Sendable {
  case group(CommandGroup<Action, Facts>)
  case command(CommandLeaf<Action, Facts>)

  /// A command, what is known of it, and what its options become. The closure runs once the whole command line was
  /// found good.
  package static func command<Definition: CommandDefinition>(
    _ definition: Definition.Type, facts: @autoclosure @escaping @Sendable () -> Facts,
    action: @escaping @Sendable (Definition.Options) -> Action
  ) -> CommandNode {
    .command(CommandLeaf(definition, facts: facts, action: action))
  }

  /// A noun. Nothing but the name is asked for unless a page needs it or the name was typed.
  package static func group(
    _ name: String, summary: String, discussion: @autoclosure @escaping @Sendable () -> [String] = [],
    heading: String? = nil, standard: String? = nil, children: @escaping @Sendable () -> [CommandNode]
  ) -> CommandNode {
    .group(
      CommandGroup(
        name, summary: summary, discussion: discussion(), heading: heading, standard: standard, children: children))
  }

  package var name: String {
    switch self {
    case .group(let group): group.name
    case .command(let command): command.name
    }
  }

  /// The schema with all that is below.
  package func schema() -> CommandSchema {
    switch self {
    case .group(let group): group.schema()
    case .command(let command): command.schema()
    }
  }

  /// Name, summary and heading, as the parent's page lists it; no options, no commands below.
  package func outline() -> CommandSchema {
    switch self {
    case .group(let group): CommandSchema(name: group.name, summary: group.summary, group: group.heading)
    case .command(let command): command.outline()
    }
  }
}

/// Commands that are not the program's own and that nobody looks for until a name is none of ours, or a page is to show
/// them. They can never replace one of ours.
package struct ExternalCommands<Action, Facts>: Sendable {
  package let named: @Sendable (String) -> CommandNode<Action, Facts>?
  package let all: @Sendable () -> [CommandNode<Action, Facts>]
  /// Of all of them name, summary and heading, which may cost less than the commands themselves.
  package let outlines: @Sendable () -> [CommandSchema]

  package init(
    named: @escaping @Sendable (String) -> CommandNode<Action, Facts>?,
    all: @escaping @Sendable () -> [CommandNode<Action, Facts>],
    outlines: @escaping @Sendable () -> [CommandSchema]
  ) {
    (self.named, self.all, self.outlines) = (named, all, outlines)
  }
}

/// A noun of the command line, or the program itself: a name and the commands below.
package struct CommandGroup<Action, Facts>: Sendable {
  package let name: String
  package let summary: String
  package let discussion: @Sendable () -> [String]
  /// The heading under which the parent lists it.
  package let heading: String?
  /// The command below that is meant where none is named; nil where that asks for the page.
  package let standard: String?
  package let children: @Sendable () -> [CommandNode<Action, Facts>]
  /// What others added; nil where nobody can.
  package let adopted: ExternalCommands<Action, Facts>?
  /// Suggestions for an unknown word that other programs use; the program is asked only after a word was not recognized.
  package let advice: @Sendable (UnknownName) -> UnknownNameAdvice?

  package init(
    _ name: String, summary: String, discussion: @autoclosure @escaping @Sendable () -> [String] = [],
    heading: String? = nil, standard: String? = nil, adopting adopted: ExternalCommands<Action, Facts>? = nil,
    advice: @escaping @Sendable (UnknownName) -> UnknownNameAdvice? = { _ in nil },
    children: @escaping @Sendable () -> [CommandNode<Action, Facts>]
  ) {
    (self.name, self.summary, self.discussion, self.advice) = (name, summary, discussion, advice)
    (self.heading, self.standard, self.adopted, self.children) = (heading, standard, adopted, children)
  }

  package func schema() -> CommandSchema { schema(below: all.map { $0.schema() }) }

  /// The schema with the outlines of the commands directly below.
  package func outlinedSchema() -> CommandSchema { schema(below: outlines) }

  /// What the words of a path name; nil where they name nothing.
  package func node(at path: [String]) -> CommandNode<Action, Facts>? {
    var node = CommandNode.group(self)
    for name in path {
      guard case .group(let group) = node, let child = group.child(named: Word(name)) else { return nil }
      node = child
    }
    return node
  }

  /// What is found under a name; others are asked only for a name that is none of ours.
  func child(named word: Word) -> CommandNode<Action, Facts>? {
    children().first { word.isExactly($0.name) } ?? adopted?.named(word.text)
  }

  /// Ours and, behind them, those of others.
  package var all: [CommandNode<Action, Facts>] {
    let own = children()
    guard let others = adopted?.all(), !others.isEmpty else { return own }
    return own + others.filter { other in !own.contains { $0.name == other.name } }
  }

  /// The same, of which no more is asked than a list of commands shows.
  var outlines: [CommandSchema] {
    let own = children().map { $0.outline() }
    guard let others = adopted?.outlines(), !others.isEmpty else { return own }
    return own + others.filter { other in !own.contains { $0.name == other.name } }
  }

  private func schema(below subcommands: [CommandSchema]) -> CommandSchema {
    CommandSchema(
      name: name, summary: summary, discussion: discussion(), group: heading, subcommands: subcommands)
  }
}
