/// Turns an argument vector into what the program has to do, by one tree of commands.
///
/// Words are taken as GNU getopt takes them, options and arguments in any order; names are never abbreviated. The work
/// grows linearly with the number of words and with their length, and only the flags of the command that was named
/// are built.
package struct Parser<Globals: Sendable, Action, Facts>: Sendable {
  /// The whole program: its name, and the commands.
  package let root: CommandGroup<Action, Facts>
  private let globals: @Sendable () -> [Flag<Globals>]
  private let defaults: @Sendable () -> Globals
  private let check: Check

  /// Looks at the global options once the command is known, whose words are the second parameter.
  package typealias Check = @Sendable (Globals, [String]) throws(GlobalOptionError) -> Void

  /// - Parameter check: refuses what is good alone and not with this command, before anything is run.
  package init(
    root: CommandGroup<Action, Facts>, globals: @autoclosure @escaping @Sendable () -> [Flag<Globals>],
    defaults: @autoclosure @escaping @Sendable () -> Globals, check: @escaping Check = { _, _ in }
  ) {
    (self.root, self.globals, self.defaults, self.check) = (root, globals, defaults, check)
  }

  /// Reads a command line.
  ///
  /// - Parameters:
  ///   - words: The argument vector without the program's name.
  ///   - environment: The value of a variable, for options that name one. An empty one counts as absent.
  package func parse(_ words: [Word], environment: (String) -> String?) -> ParseResult<Globals, Action> {
    let flags = globals()
    let schemas = flags.map { $0.schema }
    let scan = Tokenizer(words, root: root, globals: schemas)
    var fault = scan.fault

    // What the environment gives goes first, so that any switch on the command line may overrule it.
    let globalUses = Self.uses(of: schemas, in: environment, without: scan.globalUses) + scan.globalUses
    var options = defaults()
    for use in globalUses {
      do throws(ValueError) {
        try flags[use.index].apply(&options, use.given)
      } catch {
        let new = SyntaxError(.option(schemas[use.index]), use.given, error)
        if fault.map(new.precedes) ?? true { fault = new }
        // What a variable says still holds for the form in which this fault is told.
        if let variable = schemas[use.index].environment, let value = environment(variable), !value.isEmpty {
          try? flags[use.index].apply(&options, ParsedValue(value: value, source: .environment(variable)))
        }
      }
    }

    if let wish = scan.wish, !scan.isLost {
      switch wish {
      case .help(let isFull): return ParseResult(globals: options, outcome: .help(path: scan.path, isFull: isFull))
      case .version: return ParseResult(globals: options, outcome: .version)
      }
    }
    if let command = scan.command {
      let uses = Self.uses(of: command.options, in: environment, without: scan.commandUses) + scan.commandUses
      do throws(SyntaxError) {
        let action = try scan.action(of: command, uses, root: root)
        if fault == nil { fault = refusal(of: options, globalUses, scan.path) }
        if fault == nil {
          let provenance =
            globalUses.map { Provenance(schemas[$0.index], $0.given) }
            + uses.map { Provenance(command.options[$0.index], $0.given) }
          return ParseResult(globals: options, outcome: .run(action, path: scan.path, provenance: provenance))
        }
      } catch {
        if fault.map(error.precedes) ?? true { fault = error }
      }
    }
    guard let fault else { return ParseResult(globals: options, outcome: .help(path: scan.path, isFull: false)) }
    return ParseResult(globals: options, outcome: .usage(Diagnostic(of: fault, in: scan, root: root).error))
  }

  private func refusal(of options: Globals, _ uses: [Occurrence], _ path: [String]) -> SyntaxError? {
    do throws(GlobalOptionError) {
      try check(options, path)
      return nil
    } catch {
      let schemas = globals().map(\.schema)
      return uses.last { schemas[$0.index].name == error.option }
        .map { SyntaxError(.option(schemas[$0.index]), $0.given, error.problem) }
    }
  }

  /// The uses of options that the command line leaves out and a variable gives.
  private static func uses(
    of options: [OptionSchema], in environment: (String) -> String?, without typed: [Occurrence]
  ) -> [Occurrence] {
    var isTyped = Array(repeating: false, count: options.count)
    for use in typed { isTyped[use.index] = true }
    return options.indices.compactMap { index in
      guard !isTyped[index], let variable = options[index].environment, let value = environment(variable),
        !value.isEmpty
      else { return nil }
      return Occurrence(index: index, given: ParsedValue(value: value, source: .environment(variable)))
    }
  }
}

/// A global option whose value the named command cannot take.
package struct GlobalOptionError: Error {
  /// The long name without dashes.
  let option: String
  let problem: ValueError
  package init(_ option: String, _ problem: ValueError) { (self.option, self.problem) = (option, problem) }
}

/// What a command line asks for, and the global options as far as they could be read.
package struct ParseResult<Globals: Sendable, Action> {
  /// Complete for a run; for a usage error those that are good, so that the error can be printed in the form asked for.
  package let globals: Globals
  package let outcome: ParseOutcome<Action>
}

/// What a command line asks for.
package enum ParseOutcome<Action> {
  /// A command, everything about it found good. `path` is its words; `provenance` is what was given and by what.
  case run(Action, path: [String], provenance: [Provenance])
  /// The page of a command, of a noun, or of the program for an empty path. Also for a noun without a command.
  case help(path: [String], isFull: Bool)
  case version
  case usage(UsageError)
}

// MARK: Pages

extension Parser {
  /// The options that stand in every command, help and version included.
  package var globalOptions: [OptionSchema] { globals().map { $0.schema } + [.help, .version] }

  /// The whole tree; its own options are the global ones.
  package func schema() -> CommandSchema {
    var schema = root.schema()
    schema.options = globalOptions
    return schema
  }

  /// What the page of one command needs: the command, and of those directly below it name, summary and heading. Nil
  /// where the path names nothing. The options of the program itself are the global ones.
  package func page(at path: [String]) -> CommandSchema? {
    switch root.node(at: path) {
    case nil: return nil
    case .command(let command): return command.schema()
    case .group(let group):
      var schema = group.outlinedSchema()
      if path.isEmpty { schema.options = globalOptions }
      return schema
    }
  }
}
