// Commands that are known only as data: without a type of options and without code.

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
    ) { (optionUses: [Occurrence], argumentUses: [Occurrence], _: Bool, line: () -> ForwardedCommand) throws(CommandError) in
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
          words: line.words))
    }
  }
}

/// The command line in the form that a command of another program receives.
struct ForwardedCommand {
  /// The names of the command.
  let path: [String]
  /// The arguments after the first name, without the program's global options.
  let words: [Word]
}

extension [Invocation.Option] {
  /// Adds a value. The last occurrence wins, unless the option is repeatable.
  fileprivate mutating func add(_ value: Invocation.Value, of option: OptionSchema) {
    guard let place = firstIndex(where: { $0.name == option.name }) else {
      return append(Invocation.Option(name: option.name, value: value))
    }
    if case .texts(let old) = self[place].value, case .texts(let more) = value {
      self[place].value = .texts(old + more)
    } else {
      self[place].value = value
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
