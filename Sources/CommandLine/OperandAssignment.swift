extension Tokenizer {
  /// Passes the options and the operands to the command.
  ///
  /// - Parameter uses: the command's options; those from the environment come first.
  /// - Throws: the first error that is found only now: an invalid value, or too many or too few arguments.
  func action(of command: SelectedCommand<Action>, _ uses: [Occurrence], root: CommandGroup<Action, Facts>)
    throws(SyntaxError) -> Action
  {
    if command.forwardsArguments {
      do throws(CommandError) { return try command.finish([], [], true) { forwardedCommand } } catch {
        throw syntaxError(for: error, uses)
      }
    }
    var operands = operands
    // `help ifttt connections add`: the command with the program's name.
    if command.takesCommandPath, let first = operands.first, rawArguments[first].isExactly(root.name) {
      operands.removeFirst()
    }
    let (argumentIndices, missing) = OperandAssignment.of(operands.count, to: command.arguments)
    var (uses, argumentUses): ([Occurrence], [Occurrence]) = (uses, [])
    // The operands `-` that are used as the option `--stdin`.
    var inputs = 0
    var lateError: SyntaxError?
    if let missing {
      lateError = syntaxError(ofMissing: missing, in: command.arguments, operands)
    } else if argumentIndices.count < operands.count {
      lateError = SyntaxError(.unexpectedArgument, at: whole(operands[argumentIndices.count]))
    }
    for (index, argumentIndex) in zip(operands, argumentIndices) {
      var given = ParsedValue(
        value: nil, source: .commandLine(index: index, bytes: 0..<rawArguments[index].bytes.count))
      given.isAfterTerminator = terminator.map { $0 < index } ?? false
      switch RawArgument.text(of: rawArguments[index].bytes[...], as: command.arguments[argumentIndex].value) {
      case .success("-") where command.arguments[argumentIndex].isIdentifier:
        // Only where any number of ids, or none, is accepted: a required one would be missing.
        if command.arguments[argumentIndex].isRepeatable, !command.arguments[argumentIndex].isRequired,
          let input = lookup.command.firstIndex(where: { $0.name == "stdin" })
        {
          uses.append(Occurrence(index: input, given: given))
          inputs += 1
          continue
        }
        let new = SyntaxError(
          .argument(command.arguments[argumentIndex]), given,
          ValueError("it is not an id, and this command does not read ids from stdin"))
        lateError = lateError.map { new.precedes($0) ? new : $0 } ?? new
      case .success(let text):
        given.value = text
        argumentUses.append(Occurrence(index: argumentIndex, given: given))
      case .failure(let problem):
        let new = SyntaxError(.argument(command.arguments[argumentIndex]), given, problem)
        lateError = lateError.map { new.precedes($0) ? new : $0 } ?? new
      }
    }
    if lateError == nil, command.takesCommandPath { lateError = unknownTopic(operands, below: root) }
    let action: Action
    do throws(CommandError) {
      action = try command.finish(
        uses, argumentUses, missing == nil && argumentUses.count + inputs == argumentIndices.count
      ) {
        forwardedCommand
      }
    } catch {
      let new = syntaxError(for: error, uses)
      throw lateError.map { $0.precedes(new) ? $0 : new } ?? new
    }
    if let lateError { throw lateError }
    return action
  }

  /// The error for a missing argument. If the last operand is a valid value of it, the argument before it is missing
  /// instead: in `location report enter`, the region.
  private func syntaxError(ofMissing missing: Int, in arguments: [ArgumentSchema], _ operands: [Int]) -> SyntaxError {
    if missing > 0, operands.count == missing, let last = operands.last, !arguments[missing - 1].isRepeatable,
      case .choices(let choices) = arguments[missing].value.completion,
      choices.contains(where: { rawArguments[last].isExactly($0.value) })
    {
      return SyntaxError(.missingArgument(arguments[missing - 1]), at: whole(last))
    }
    return SyntaxError(
      .missingArgument(arguments[missing]), at: SyntaxError.Location(index: rawArguments.count, bytes: 0..<0))
  }

  private func syntaxError(for rejection: CommandError, _ uses: [Occurrence]) -> SyntaxError {
    switch rejection {
    case .option(let schema, let given, let problem): return SyntaxError(.option(schema), given, problem)
    case .argument(let schema, let given, let problem): return SyntaxError(.argument(schema), given, problem)
    case .conflict(let conflict):
      for name in conflict.options {
        for (scope, schemas) in [(uses, lookup.command), (globalUses, lookup.globals)] {
          for use in scope where schemas[use.index].name == name {
            if case .commandLine(let index, _) = use.given.source {
              return SyntaxError(.conflict(conflict.message, missingOption: nil), at: whole(index))
            }
          }
        }
      }
      let end = SyntaxError.Location(index: rawArguments.count, bytes: 0..<0)
      guard conflict.isMissingArgument else {
        return SyntaxError(.conflict(conflict.message, missingOption: nil), at: nil)
      }
      let missingOption = conflict.options.first.flatMap { name in lookup.command.first { $0.name == name } }
      return SyntaxError(.conflict(conflict.message, missingOption: missingOption), at: end)
    }
  }

  /// The error for the first operand that is not a command's name, if the operands must form a path.
  private func unknownTopic(_ operands: [Int], below root: CommandGroup<Action, Facts>) -> SyntaxError? {
    if operands.count == 1, let topics = command?.topics, topics.contains(rawArguments[operands[0]].text) { return nil }
    var group: CommandGroup<Action, Facts>? = root
    var path: [String] = []
    for index in operands {
      guard let child = group?.child(named: rawArguments[index]) else {
        if root.alias(path + [rawArguments[index].text]) != nil, index == operands.last { return nil }
        return SyntaxError(.unknownCommand(under: path), at: whole(index))
      }
      path.append(child.name)
      if case .group(let next) = child { group = next } else { group = nil }
    }
    return nil
  }

  private func whole(_ index: Int) -> SyntaxError.Location {
    SyntaxError.Location(index: index, bytes: 0..<rawArguments[index].bytes.count)
  }
}

/// Assigns the operands to a command's positional arguments.
enum OperandAssignment {
  /// - Returns: for each operand the index of its argument, up to the number that fit, and the first required
  ///   argument without an operand.
  static func of(_ count: Int, to arguments: [ArgumentSchema]) -> (argumentIndices: [Int], missing: Int?) {
    // Required arguments come first; the remaining operands go to the others from left to right.
    var spare = count - arguments.count { $0.isRequired }
    var argumentIndices: [Int] = []
    for (index, argument) in arguments.enumerated() {
      var share = argument.isRequired ? 1 : 0
      if spare > 0 {
        let more = argument.isRepeatable ? spare : 1 - share
        share += more
        spare -= more
      }
      if argument.isRequired, argumentIndices.count == count { return (argumentIndices, index) }
      argumentIndices += Array(repeating: index, count: min(share, count - argumentIndices.count))
    }
    return (argumentIndices, nil)
  }
}
