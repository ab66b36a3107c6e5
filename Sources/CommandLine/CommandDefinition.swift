/// The definition of a command in its file, without its action. The action belongs to a module that can perform it.
///
/// Everything but the name is evaluated only when needed. Declare the members as computed `static var`: parsing one
/// command line then creates the flags of only one command.
package protocol CommandDefinition: SendableMetatype {
  associatedtype Options: CommandOptions = NoOptions

  static var name: String { get }
  /// Further paths of the command: `[["applets", "list"]]`. Pages show the command at its own path.
  static var aliases: [[String]] { get }
  /// One line without a period.
  static var summary: String { get }
  /// Paragraphs of plain text for `--help` and the man page.
  static var discussion: [String] { get }
  /// The heading under which the parent lists it.
  static var group: String? { get }
  static var flags: [Flag<Options>] { get }
  /// The positional arguments in order. At most one of them is repeatable.
  static var positionals: [Positional<Options>] { get }
  static var examples: [ExampleSchema] { get }

  /// Checks the combination of options, after each is valid on its own and all required arguments are present.
  ///
  /// - Throws: ``Conflict`` for a combination that is a usage error, such as ids together with `--all`.
  static func check(_ options: Options) throws(Conflict)
}

/// The options and arguments of a command. `init()` sets their defaults.
package protocol CommandOptions: Sendable {
  init()
}

/// The options of a command that has none.
package struct NoOptions: CommandOptions {
  package init() {}
}

extension CommandDefinition {
  package static var aliases: [[String]] { [] }
  package static var discussion: [String] { [] }
  package static var group: String? { nil }
  package static var flags: [Flag<Options>] { [] }
  package static var positionals: [Positional<Options>] { [] }
  package static var examples: [ExampleSchema] { [] }
  package static func check(_ options: Options) throws(Conflict) {}
}

/// Options and arguments that are valid on their own but cannot be combined.
package struct Conflict: Error, Equatable {
  /// A lowercase sentence without a period: "give ids or --all, not both".
  package var message: String
  /// The long names of the options in conflict, without dashes. The caret marks the first of them that was typed. If an
  /// argument is missing, the first option could provide it.
  package var options: [String]
  /// Whether the error is a missing argument that several options could have provided. The caret is then placed after
  /// the last argument.
  package var isMissingArgument: Bool

  package init(_ message: String, options: [String] = [], isMissingArgument: Bool = false) {
    (self.message, self.options, self.isMissingArgument) = (message, options, isMissingArgument)
  }
}

/// A command in the tree, without the type of its options.
package struct CommandLeaf<Action, Facts>: Sendable {
  package let name: String
  let aliases: @Sendable () -> [[String]]
  package let schema: @Sendable () -> CommandSchema
  package let outline: @Sendable () -> CommandSchema
  package let facts: @Sendable () -> Facts
  /// Creates the flags, once the command line has named this command.
  let open: @Sendable () -> SelectedCommand<Action>

  init(
    name: String, aliases: @escaping @Sendable () -> [[String]] = { [] },
    schema: @escaping @Sendable () -> CommandSchema, outline: @escaping @Sendable () -> CommandSchema,
    facts: @escaping @Sendable () -> Facts, open: @escaping @Sendable () -> SelectedCommand<Action>
  ) {
    (self.name, self.aliases, self.schema, self.outline) = (name, aliases, schema, outline)
    (self.facts, self.open) = (facts, open)
  }

  package init<Definition: CommandDefinition>(
    _ definition: Definition.Type, facts: @escaping @Sendable () -> Facts,
    action: @escaping @Sendable (Definition.Options) -> Action
  ) {
    name = Definition.name
    aliases = { Definition.aliases }
    self.facts = facts
    outline = {
      CommandSchema(name: Definition.name, summary: Definition.summary, group: Definition.group)
    }
    // Not key paths: for a generic type, each would have to be created at run time.
    schema = {
      CommandSchema(
        name: Definition.name, aliases: Definition.aliases, summary: Definition.summary,
        discussion: Definition.discussion, group: Definition.group, options: Definition.flags.map { $0.schema },
        arguments: Definition.positionals.map { $0.schema }, examples: Definition.examples)
    }
    open = { SelectedCommand(definition, action: action) }
  }
}

/// The command that the command line names, with its flags for one parse.
struct SelectedCommand<Action> {
  let options: [OptionSchema]
  let arguments: [ArgumentSchema]
  let takesCommandPath: Bool
  /// The topics that are accepted instead of a command path.
  let topics: [String]
  /// Whether the arguments after its name are passed to another program unchanged.
  let forwardsArguments: Bool
  /// Creates the action from the occurrences, whose numbers are indices into ``options`` and ``arguments``. If a
  /// required argument is missing, each value is still checked on its own, but the action must not be run.
  let finish: Finish
  typealias Finish = (
    _ options: [Occurrence], _ arguments: [Occurrence], _ isComplete: Bool, _ line: () -> ForwardedCommand
  ) throws(CommandError) -> Action

  init(options: [OptionSchema], arguments: [ArgumentSchema], forwardsArguments: Bool, finish: @escaping Finish) {
    (self.options, self.arguments, self.forwardsArguments) = (options, arguments, forwardsArguments)
    (takesCommandPath, topics, self.finish) = (false, [], finish)
  }

  init<Definition: CommandDefinition>(
    _ definition: Definition.Type, action: @escaping (Definition.Options) -> Action
  ) {
    let flags = Definition.flags
    let positionals = Definition.positionals
    options = flags.map { $0.schema }
    arguments = positionals.map { $0.schema }
    takesCommandPath = positionals.contains { $0.isCommandPath }
    topics = positionals.flatMap { $0.topics }
    forwardsArguments = false
    finish = { (optionUses: [Occurrence], argumentUses: [Occurrence], isComplete: Bool, _) throws(CommandError) in
      var options = Definition.Options()
      for use in optionUses {
        do throws(ValueError) {
          try flags[use.index].apply(&options, use.given)
        } catch {
          throw .option(flags[use.index].schema, use.given, error)
        }
      }
      for use in argumentUses {
        do throws(ValueError) {
          try positionals[use.index].apply(&options, use.given)
        } catch {
          throw .argument(positionals[use.index].schema, use.given, error)
        }
      }
      if isComplete { do throws(Conflict) { try Definition.check(options) } catch { throw .conflict(error) } }
      return action(options)
    }
  }
}

/// One occurrence of an option or argument: its index and its value.
struct Occurrence: Equatable {
  let index: Int
  let given: ParsedValue
}

/// The reason why a command rejects its options or arguments.
enum CommandError: Error {
  case option(OptionSchema, ParsedValue, ValueError)
  case argument(ArgumentSchema, ParsedValue, ValueError)
  case conflict(Conflict)
}
