extension Tokenizer {
  /// Passes the options and the operands to the command.
  ///
  /// - Parameter uses: the command's options; those from the environment come first.
  /// - Throws: the first error that is found only now: an invalid value, or too many or too few arguments.
  func action(of command: SelectedCommand<Action>, _ uses: [Occurrence], root: CommandGroup<Action, Facts>)
    throws(SyntaxError) -> Action
  {
    if command.forwardsArguments {
      do throws(CommandError) { return try command.finish([], [], true) { line } } catch {
        throw fault(of: error, uses)
      }
    }
    var operands = operands
    // `help ifttt connections add`: the command as it is typed.
    if command.takesCommandPath, let first = operands.first, words[first].isExactly(root.name) {
      operands.removeFirst()
    }
    let (places, missing) = OperandAssignment.of(operands.count, to: command.arguments)
    var argumentUses: [Occurrence] = []
    var late: SyntaxError?
    if let missing {
      late = fault(ofMissing: missing, in: command.arguments, operands)
    } else if places.count < operands.count {
      late = SyntaxError(.unexpectedArgument, at: whole(operands[places.count]))
    }
    for (word, argument) in zip(operands, places) {
      var given = ParsedValue(value: nil, source: .commandLine(word: word, bytes: 0..<words[word].bytes.count))
      given.isBehindDashes = dashes.map { $0 < word } ?? false
      switch Word.text(of: words[word].bytes[...], as: command.arguments[argument].value) {
      case .success("-") where command.arguments[argument].isIdentifier:
        let fault = SyntaxError(.argument(command.arguments[argument]), given, ValueError(dashMeaning(in: command)))
        late = late.map { fault.precedes($0) ? fault : $0 } ?? fault
      case .success(let text):
        given.value = text
        argumentUses.append(Occurrence(index: argument, given: given))
      case .failure(let problem):
        let fault = SyntaxError(.argument(command.arguments[argument]), given, problem)
        late = late.map { fault.precedes($0) ? fault : $0 } ?? fault
      }
    }
    if late == nil, command.takesCommandPath { late = unknownTopic(operands, below: root) }
    let action: Action
    do throws(CommandError) {
      action = try command.finish(uses, argumentUses, missing == nil && argumentUses.count == places.count) { line }
    } catch {
      let fault = fault(of: error, uses)
      throw late.map { $0.precedes(fault) ? $0 : fault } ?? fault
    }
    if let late { throw late }
    return action
  }

  /// The error for a missing argument. The last operand may be a value of it, so that the one before is missing: of
  /// `location report enter`, it is the region.
  private func fault(ofMissing missing: Int, in arguments: [ArgumentSchema], _ operands: [Int]) -> SyntaxError {
    if missing > 0, operands.count == missing, let last = operands.last, !arguments[missing - 1].isRepeatable,
      case .choices(let choices) = arguments[missing].value.completion,
      choices.contains(where: { words[last].isExactly($0.value) })
    {
      return SyntaxError(.missingArgument(arguments[missing - 1]), at: whole(last))
    }
    return SyntaxError(.missingArgument(arguments[missing]), at: SyntaxError.Place(word: words.count, bytes: 0..<0))
  }

  private func dashMeaning(in command: SelectedCommand<Action>) -> String {
    command.options.contains { $0.name == "stdin" }
      ? "to read ids from stdin, pass --stdin" : "it is not an id, and this command does not read ids from stdin"
  }

  private func fault(of refusal: CommandError, _ uses: [Occurrence]) -> SyntaxError {
    switch refusal {
    case .option(let schema, let given, let problem): return SyntaxError(.option(schema), given, problem)
    case .argument(let schema, let given, let problem): return SyntaxError(.argument(schema), given, problem)
    case .conflict(let conflict):
      for name in conflict.options {
        for (scope, schemas) in [(uses, lookup.command), (globalUses, lookup.globals)] {
          for use in scope where schemas[use.index].name == name {
            if case .commandLine(let word, _) = use.given.source {
              return SyntaxError(.conflict(conflict.message), at: whole(word))
            }
          }
        }
      }
      let end = SyntaxError.Place(word: words.count, bytes: 0..<0)
      return SyntaxError(.conflict(conflict.message), at: conflict.isLack ? end : nil)
    }
  }

  /// The error for the first operand that is not a command's name, if the operands must form a path.
  private func unknownTopic(_ operands: [Int], below root: CommandGroup<Action, Facts>) -> SyntaxError? {
    if operands.count == 1, let topics = command?.topics, topics.contains(words[operands[0]].text) { return nil }
    var group: CommandGroup<Action, Facts>? = root
    var path: [String] = []
    for place in operands {
      guard let child = group?.child(named: words[place]) else {
        return SyntaxError(.unknownCommand(under: path), at: whole(place))
      }
      path.append(child.name)
      if case .group(let next) = child { group = next } else { group = nil }
    }
    return nil
  }

  private func whole(_ word: Int) -> SyntaxError.Place {
    SyntaxError.Place(word: word, bytes: 0..<words[word].bytes.count)
  }
}

/// Assigns the operands to a command's positional arguments.
enum OperandAssignment {
  /// The assignment of operands.
  /// - Returns: for each operand the index of its argument, up to the number that fit, and the first required
  ///   argument without an operand.
  static func of(_ count: Int, to arguments: [ArgumentSchema]) -> (places: [Int], missing: Int?) {
    // Required arguments come first; the remaining operands go to the others from left to right.
    var spare = count - arguments.count { $0.isRequired }
    var places: [Int] = []
    for (index, argument) in arguments.enumerated() {
      var share = argument.isRequired ? 1 : 0
      if spare > 0 {
        let more = argument.isRepeatable ? spare : 1 - share
        share += more
        spare -= more
      }
      if argument.isRequired, places.count == count { return (places, index) }
      places += Array(repeating: index, count: min(share, count - places.count))
    }
    return (places, nil)
  }
}
