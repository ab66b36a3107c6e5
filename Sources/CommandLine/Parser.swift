package import Text

/// Converts an argument vector to the program's action, using one tree of commands.
///
/// Arguments are parsed as GNU getopt does, with options and operands in any order; names are never abbreviated. The
/// cost is linear in the number and length of the arguments, and only the flags of the named command are created.
package struct Parser<Globals: Sendable, Action, Facts>: Sendable {
  /// The whole program: its name and its commands.
  package let root: CommandGroup<Action, Facts>
  private let globals: @Sendable () -> [Flag<Globals>]
  private let defaults: @Sendable () -> Globals
  private let check: Check

  /// Checks the global options once the command is known. The second parameter is its path.
  package typealias Check = @Sendable (Globals, [String]) throws(GlobalOptionError) -> Void

  /// Creates a parser.
  /// - Parameter check: rejects options that are valid on their own but not for this command, before anything is run.
  package init(
    root: CommandGroup<Action, Facts>, globals: @autoclosure @escaping @Sendable () -> [Flag<Globals>],
    defaults: @autoclosure @escaping @Sendable () -> Globals, check: @escaping Check = { _, _ in }
  ) {
    (self.root, self.globals, self.defaults, self.check) = (root, globals, defaults, check)
  }

  /// Parses a command line.
  ///
  /// - Parameters:
  ///   - rawArguments: the argument vector without the program's name.
  ///   - known: finds the credentials that a usage error must not repeat.
  ///   - environment: returns the value of a variable, for options that name one. An empty value counts as absent.
  package func parse(
    _ rawArguments: [RawArgument], hiding known: @autoclosure () -> Redactor = Redactor([]),
    environment: (String) -> String?
  ) -> ParseResult<Globals, Action> {
    let flags = globals()
    let schemas = flags.map { $0.schema }
    let scan = Tokenizer(rawArguments, root: root, globals: schemas)
    var firstError = scan.error

    // Environment values come first, so that any switch on the command line can override them.
    let globalUses = Self.uses(of: schemas, in: environment, without: scan.globalUses) + scan.globalUses
    var options = defaults()
    for use in globalUses {
      do throws(ValueError) {
        try flags[use.index].apply(&options, use.given)
      } catch {
        let new = SyntaxError(.option(schemas[use.index]), use.given, error)
        if firstError.map(new.precedes) ?? true { firstError = new }
        // The variable still determines the format in which this error is reported.
        if let variable = schemas[use.index].environment, let value = environment(variable), !value.isEmpty {
          try? flags[use.index].apply(&options, ParsedValue(value: value, source: .environment(variable)))
        }
      }
    }

    if let page = scan.requestedPage, !scan.hasUnknownCommand {
      switch page {
      case .help(let isFull): return ParseResult(globals: options, outcome: .help(path: scan.path, isFull: isFull))
      case .version: return ParseResult(globals: options, outcome: .version)
      }
    }
    if let command = scan.command {
      let uses = Self.uses(of: command.options, in: environment, without: scan.commandUses) + scan.commandUses
      do throws(SyntaxError) {
        let action = try scan.action(of: command, uses, root: root)
        if firstError == nil { firstError = globalOptionError(of: options, globalUses, scan.path) }
        if firstError == nil {
          let provenance =
            globalUses.map { Provenance(schemas[$0.index], $0.given) }
            + uses.map { Provenance(command.options[$0.index], $0.given) }
          return ParseResult(globals: options, outcome: .run(action, path: scan.path, provenance: provenance))
        }
      } catch {
        // A surplus or invalid operand may be the value of the unknown option.
        let isExplained = error.dependsOnOperands && firstError?.isUnknownOption == true
        if !isExplained, firstError.map(error.precedes) ?? true { firstError = error }
      }
    }
    guard let firstError else { return ParseResult(globals: options, outcome: .help(path: scan.path, isFull: false)) }
    return ParseResult(
      globals: options, outcome: .usage(Diagnostic(of: firstError, in: scan, root: root, hiding: known()).error))
  }

  private func globalOptionError(of options: Globals, _ uses: [Occurrence], _ path: [String]) -> SyntaxError? {
    do throws(GlobalOptionError) {
      try check(options, path)
      return nil
    } catch {
      let schemas = globals().map(\.schema)
      return uses.last { schemas[$0.index].name == error.option }
        .map { SyntaxError(.option(schemas[$0.index]), $0.given, error.problem) }
    }
  }

  /// The occurrences of options that are absent from the command line but set by a variable.
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

/// A global option whose value the named command does not support.
package struct GlobalOptionError: Error {
  /// The long name without dashes.
  let option: String
  let problem: ValueError
  package init(_ option: String, _ problem: ValueError) { (self.option, self.problem) = (option, problem) }
}

/// The outcome of a command line, and the global options as far as they could be parsed.
package struct ParseResult<Globals: Sendable, Action> {
  /// All options, for a run. For a usage error, only the valid options, so that the error can be printed in the
  /// requested format.
  package let globals: Globals
  package let outcome: ParseOutcome<Action>
}

/// The outcome of a command line.
package enum ParseOutcome<Action> {
  /// A valid command. `path` is its names; `provenance` lists the given values and their sources.
  case run(Action, path: [String], provenance: [Provenance])
  /// The page of a command or group, or of the program if the path is empty. Also for a group without a subcommand.
  case help(path: [String], isFull: Bool)
  case version
  case usage(UsageError)
}

// MARK: Pages

extension Parser {
  /// The options that every command accepts, including help and version.
  package var globalOptions: [OptionSchema] { globals().map { $0.schema } + [.help, .version] }

  /// The whole tree; its own options are the global ones.
  package func schema() -> CommandSchema {
    var schema = root.schema()
    schema.options = globalOptions
    return schema
  }

  /// The schema for the page of one command, with the names, summaries and headings of its direct subcommands. Nil if
  /// the path names no command. The program's own options are the global ones.
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

/// A value and its source.
package struct ParsedValue: Sendable, Equatable {
  /// The text; nil for a switch on the command line.
  package var value: String?
  /// False for the `--no-` form of a switch.
  package var isOn: Bool
  package var source: ValueSource
  /// Whether it comes after the `--` that ends the options.
  package var isAfterTerminator = false

  package init(value: String?, isOn: Bool = true, source: ValueSource) {
    (self.value, self.isOn, self.source) = (value, isOn, source)
  }

  /// The text of an option or argument that always has a value.
  package var text: String { value ?? "" }

  /// Rejects a variable with invalid UTF-8. Its text was repaired with U+FFFD, and would be sent as another value. An
  /// argument was checked when the command line was split.
  func checkEncoding() throws(ValueError) {
    guard case .environment = source, let value, value.unicodeScalars.contains("\u{fffd}") else { return }
    throw ValueError("it has invalid UTF-8 or the character U+FFFD")
  }

  /// Whether a switch is on, by its form on the command line or the value of its environment variable.
  func state() throws(ValueError) -> Bool {
    guard let value else { return isOn }
    switch value.lowercased() {
    case "1", "true", "yes", "on": return true
    case "0", "false", "no", "off": return false
    default: throw ValueError("", accepted: ["1", "0", "true", "false", "yes", "no", "on", "off"])
    }
  }
}

/// The source of a value, for `--verbose` and for the caret under an invalid value.
package enum ValueSource: Sendable, Equatable {
  /// The argument's index in the argument vector, and a range of UTF-8 bytes inside it.
  case commandLine(index: Int, bytes: Range<Int>)
  case environment(String)
}

/// The value of one option and its source, as `--verbose` reports them.
package struct Provenance: Sendable, Equatable {
  /// The option as it would be typed: `--output`, `--no-wait`.
  package var option: String
  /// The value as given, including secrets; nil for a switch.
  package var typed: String?
  /// The value escaped and shortened for a terminal, and masked if the option's name indicates a secret. Nil for a
  /// switch.
  package var value: String?
  package var source: ValueSource

  /// One line: `--output json: from IFTTT_OUTPUT`.
  package var line: String {
    let subject = value.map { $0.isEmpty ? "\(option)=" : "\(option) \($0)" } ?? option
    switch source {
    case .commandLine: return "\(subject): from the command line"
    case .environment(let variable): return "\(subject): from \(variable)"
    }
  }

  init(_ schema: OptionSchema, _ given: ParsedValue) {
    option = given.isOn ? "--\(schema.name)" : "--no-\(schema.name)"
    value = given.value.map { text in
      SecretMask.hidesValue(of: schema.name)
        ? SecretMask.shown(insteadOf: text.utf8) : Excerpt.text(of: SecretMask.masked(Array(text.utf8)))
    }
    (typed, source) = (given.value, given.source)
  }
}
