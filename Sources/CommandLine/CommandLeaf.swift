/// A command in the tree with its type of options erased.
package struct CommandLeaf<Action, Facts>: Sendable {
  package let name: String
  package let schema: @Sendable () -> CommandSchema
  package let outline: @Sendable () -> CommandSchema
  package let facts: @Sendable () -> Facts
  /// Creates the flags, once the command line has named this command.
  let open: @Sendable () -> SelectedCommand<Action>

  init(
    name: String, schema: @escaping @Sendable () -> CommandSchema, outline: @escaping @Sendable () -> CommandSchema,
    facts: @escaping @Sendable () -> Facts, open: @escaping @Sendable () -> SelectedCommand<Action>
  ) {
    (self.name, self.schema, self.outline, self.facts, self.open) = (name, schema, outline, facts, open)
  }

  package init<Definition: CommandDefinition>(
    _ definition: Definition.Type, facts: @escaping @Sendable () -> Facts,
    action: @escaping @Sendable (Definition.Options) -> Action
  ) {
    name = Definition.name
    self.facts = facts
    outline = {
      CommandSchema(name: Definition.name, summary: Definition.summary, group: Definition.group)
    }
    // Use closures instead of key paths: a key path would have to be created at run time for each command's type.
    schema = {
      CommandSchema(
        name: Definition.name, summary: Definition.summary, discussion: Definition.discussion,
        group: Definition.group, options: Definition.flags.map { $0.schema },
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
    options = flags.transformed { $0.schema }
    arguments = positionals.transformed { $0.schema }
    takesCommandPath = positionals.firstElement { $0.isCommandPath } != nil
    topics = Array(positionals.transformed { $0.topics }.joined())
    forwardsArguments = false
    finish = { (optionUses: [Occurrence], argumentUses: [Occurrence], isComplete: Bool, _) throws(CommandError) in
      var options = Definition.defaults()
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
