// Commands that are described only by data, without a type of options and without code.

extension CommandLeaf {
  /// A command described by a schema. Its options are parsed like those of built-in commands: closed sets are
  /// enforced, switches have their `--no-` form, and environment variables provide missing values.
  ///
  /// - Parameter forwardsArguments: whether the arguments after its name are passed on unparsed, except for the global
  ///   options. Options of another program are not checked.
  package init(
    _ schema: CommandSchema, forwardsArguments: Bool = false, facts: @escaping @Sendable () -> Facts,
    action: @escaping @Sendable (Invocation) -> Action
  ) {
    self.init(
      name: schema.name, schema: { schema },
      outline: { CommandSchema(name: schema.name, summary: schema.summary, group: schema.group) }, facts: facts,
      open: { SelectedCommand(schema, forwardsArguments: forwardsArguments, action: action) })
  }
}

extension SelectedCommand {
  init(_ schema: CommandSchema, forwardsArguments: Bool, action: @escaping (Invocation) -> Action) {
    let (options, arguments) = (schema.options, schema.arguments)
    self.init(
      options: options, arguments: arguments, forwardsArguments: forwardsArguments
    ) {
      (optionUses: [Occurrence], argumentUses: [Occurrence], _: Bool, line: () -> ForwardedCommand) throws(CommandError)
      in
      var given: [Invocation.Option] = []
      for use in optionUses {
        let option = options[use.index]
        do throws(ValueError) {
          given.add(try option.reading(use.given), of: option)
        } catch {
          throw .option(option, use.given, error)
        }
      }
      for use in argumentUses {
        do throws(ValueError) { try arguments[use.index].value.check(use.given.text) } catch {
          throw .argument(arguments[use.index], use.given, error)
        }
      }
      let line = line()
      return action(
        Invocation(
          command: Array(line.path.dropFirst()), options: given, arguments: argumentUses.map(\.given.text),
          rawArguments: line.rawArguments))
    }
  }
}

/// The command line in the form that a command of another program receives.
struct ForwardedCommand {
  /// The names of the command.
  let path: [String]
  /// The arguments after the first name, without the program's global options.
  let rawArguments: [RawArgument]
}

extension [Invocation.Option] {
  /// Adds a value. The last occurrence wins, unless the option is repeatable.
  fileprivate mutating func add(_ value: Invocation.Value, of option: OptionSchema) {
    guard let index = firstIndex(where: { $0.name == option.name }) else {
      return append(Invocation.Option(name: option.name, value: value))
    }
    if case .texts(let old) = self[index].value, case .texts(let more) = value {
      self[index].value = .texts(old + more)
    } else {
      self[index].value = value
    }
  }
}

extension OptionSchema {
  fileprivate func reading(_ given: ParsedValue) throws(ValueError) -> Invocation.Value {
    guard let value else { return .flag(try given.state()) }
    try value.check(given.text)
    return isRepeatable ? .texts([given.text]) : .text(given.text)
  }
}

extension ValueSchema {
  fileprivate func check(_ text: String) throws(ValueError) {
    guard case .choices(let choices) = completion else { return }
    let accepted = choices.map(\.value)
    guard accepted.contains(text) else { throw ValueError("", accepted: accepted) }
  }
}

/// The options and arguments of a command that is described only by data, such as a plugin's command.
package struct Invocation: Sendable, Equatable {
  package enum Value: Sendable, Equatable {
    /// The value of a switch; false for its `--no-` form.
    case flag(Bool)
    case text(String)
    /// The values of a repeatable option, in the order given.
    case texts([String])
  }

  package struct Option: Sendable, Equatable {
    /// The long name without dashes.
    package let name: String
    package internal(set) var value: Value
    package init(name: String, value: Value) { (self.name, self.value) = (name, value) }
  }

  /// The names of the command after the first one, which identifies its owner: `["login"]` of `ifttt grab login`.
  package let command: [String]
  /// The options in the order of their first occurrence; values from the environment come first.
  package let options: [Option]
  package let arguments: [String]
  /// Everything typed after the first name of the command, without the program's own global options.
  package let rawArguments: [RawArgument]

  package init(command: [String], options: [Option] = [], arguments: [String] = [], rawArguments: [RawArgument]) {
    (self.command, self.options, self.arguments, self.rawArguments) = (command, options, arguments, rawArguments)
  }

  package subscript(option: String) -> Value? { options.first { $0.name == option }?.value }
}

extension Tokenizer {
  /// The command's path, and the arguments after its first name that are not global options: the command line of
  /// another program.
  ///
  /// Global options are cut out by position, so that the rest is exactly as typed, byte by byte.
  var forwardedCommand: ForwardedCommand {
    var cuts: [Int: Cut] = [:]
    for use in globalUses {
      guard case .commandLine(let index, let bytes) = use.given.source else { continue }
      if use.given.value == nil {
        cut(&cuts, index, letter: bytes.lowerBound)
      } else if bytes.lowerBound > 0 {
        // `--output=json` and `-ojson`.
        if rawArguments[index].hasLongForm { cuts[index] = .all } else { cut(&cuts, index, from: bytes.lowerBound - 1) }
      } else {
        cuts[index] = .all
        cut(&cuts, index - 1, from: rawArguments[index - 1].bytes.count - 1)
      }
    }
    var rest: [RawArgument] = []
    for (index, argument) in rawArguments.enumerated() where index > (nameIndices.first ?? 0) {
      switch cuts[index] {
      case nil: rest.append(argument)
      case .all: break
      case .letters(let letters):
        let remaining = argument.bytes.indices.filter { !letters.contains($0) }.map { argument.bytes[$0] }
        if remaining.count > 1 { rest.append(RawArgument(bytes: remaining)) }
      }
    }
    return ForwardedCommand(path: path, rawArguments: rest)
  }

  private enum Cut {
    case all
    /// The positions of single letters after one dash.
    case letters(Set<Int>)
  }

  private func cut(_ cuts: inout [Int: Cut], _ index: Int, letter: Int) {
    guard !rawArguments[index].hasLongForm else { return cuts[index] = .all }
    cut(&cuts, index, letters: [letter])
  }

  private func cut(_ cuts: inout [Int: Cut], _ index: Int, from start: Int) {
    guard !rawArguments[index].hasLongForm else { return cuts[index] = .all }
    cut(&cuts, index, letters: Set(start..<rawArguments[index].bytes.count))
  }

  private func cut(_ cuts: inout [Int: Cut], _ index: Int, letters: Set<Int>) {
    if case .letters(let others) = cuts[index] {
      cuts[index] = .letters(others.union(letters))
    } else {
      cuts[index] = .letters(letters)
    }
  }
}
