import Text

/// Describes the error in a command line and suggests corrections.
final class Diagnostic<Action, Facts> {
  private let scan: Tokenizer<Action, Facts>
  private let root: CommandGroup<Action, Facts>
  private let syntaxError: SyntaxError
  let mask: SecretMask

  init(
    of syntaxError: SyntaxError, in scan: Tokenizer<Action, Facts>, root: CommandGroup<Action, Facts>,
    hiding known: Redactor
  ) {
    (self.syntaxError, self.scan, self.root) = (syntaxError, scan, root)
    mask = SecretMask(rawArguments: scan.rawArguments, lookup: scan.lookup, known: known, hidesLookalikes: true)
  }

  var error: UsageError {
    switch syntaxError.problem {
    case .unknownCommand(let path):
      let parent = path.isEmpty ? "" : " of '\(full(path))'"
      let advice = usableAdvice
      return make(
        .unknownCommand, "unknown command '\(typed)'\(parent)", suggestions: advice.suggestions,
        hints: advice.hints + secretHints, path: path)
    case .unknownOption(let name):
      let advice = usableAdvice
      let isBeforeNames = syntaxError.location.map { $0.index < scan.nameIndices.first ?? 0 } == true
      return make(
        .unknownOption, "unknown option '\(Excerpt.text(of: Array(name.utf8)))'", suggestions: advice.suggestions,
        hints: advice.hints, path: isBeforeNames ? [] : nil)
    case .missingValue(let option):
      return make(
        .missingValue, "option '--\(option.name)' requires a value\(option.value.map { " (\($0.placeholder))" } ?? "")",
        accepted: option.value?.completion.accepted ?? [])
    case .unwantedValue(let option):
      let advice = usableAdvice
      let hints: [Hint] = option.isNegatable ? ["Use '--no-\(option.name)' to turn it off."] : advice.hints
      return make(
        .unwantedValue, "option '--\(option.name)' does not accept a value", suggestions: advice.suggestions,
        hints: hints)
    case .invalidValue(let subject, let given, let problem): return invalidValue(of: subject, given, problem)
    case .unexpectedArgument:
      let acceptsNone = scan.command?.arguments.isEmpty == true
      let hints: [Hint] = acceptsNone ? ["'\(full(scan.path))' does not accept arguments."] : []
      let advice = usableAdvice
      return make(
        .unexpectedArgument, "unexpected argument '\(typed)'", suggestions: advice.suggestions,
        hints: hints + advice.hints + secretHints)
    case .missingArgument(let argument):
      return make(
        .missingArgument, "missing argument \(argument.value.placeholder)",
        accepted: argument.value.completion.accepted)
    case .conflict(let message, _): return make(.conflict, message)
    }
  }

  private func make(
    _ kind: UsageError.Kind, _ message: String, suggestions: [String] = [], accepted: [String] = [],
    hints: [Hint] = [], path: [String]? = nil
  ) -> UsageError {
    let diagnostic = syntaxError.location.map {
      CommandLineDiagnostic(program: root.name, rawArguments: scan.rawArguments, mask: mask, location: $0)
    }
    return UsageError(
      kind: kind, message: message, line: diagnostic?.line, caret: diagnostic?.caret, suggestions: suggestions,
      accepted: accepted, hints: hints, program: root.name, helpCommand: full(path ?? scan.path) + " --help")
  }

  // MARK: Unknown names

  /// The advice on an unknown name: on names from other programs, and then on similar names of this one.
  private var advice: [UnknownNameAdvice] {
    switch syntaxError.problem {
    case .unknownCommand(let path):
      let known = commandName(under: path).flatMap(root.advice)
      return [known, UnknownNameAdvice(commands(under: path))].compactMap(\.self)
    case .unknownOption(let name):
      let value = correctedLine?.optionValue?.text
      let known = root.advice(.option(longNameAfterOneDash ?? name, value: value, of: scan.path))
      // A name of another program is similar to one of this program by chance.
      let near = known == nil ? options(near: name) : []
      return [known, UnknownNameAdvice(near, hints: hints(on: name))].compactMap(\.self)
    case .unwantedValue(let option):
      let known = root.advice(.valueOfSwitch(option.name, unwantedValue, of: scan.path))
      // The words take the place of the option and its value.
      let words = known?.replacements.map { NameReplacement(["--\(option.name)"] + $0.words, droppingValue: true) }
      return known.map { [UnknownNameAdvice(words ?? [], hints: $0.hints)] } ?? []
    case .unexpectedArgument: return [adviceAfterSwitch, surplusOperand.flatMap(root.advice)].compactMap(\.self)
    default: return []
    }
  }

  /// The replacements of the unknown name, best first.
  var replacements: [NameReplacement] {
    let all = advice.flatMap(\.replacements)
    if case .unknownCommand = syntaxError.problem, scan.command != nil { return all.map(\.asTopic) }
    return all
  }

  /// Whether the unknown name is an option of another program without an equivalent.
  var isExplainedOption: Bool {
    if case .unknownOption = syntaxError.problem {
      advice.first.map { $0.replacements.isEmpty } == true && !hints.isEmpty
    } else {
      false
    }
  }

  /// The hints on the unknown name.
  var hints: [Hint] { advice.map { $0.hints + $0.alternatives }.first { !$0.isEmpty } ?? [] }

  private var correctedLine: CorrectedLine<Action, Facts>? {
    syntaxError.location.map { CorrectedLine(scan: scan, root: root, mask: mask, index: $0.index) }
  }

  /// The first advice that has a suggestion or a hint. Suggestions are complete command lines, or the shortest forms if
  /// none can be completed.
  private var usableAdvice: (suggestions: [String], hints: [Hint]) {
    guard let line = correctedLine else { return ([], []) }
    for advice in advice {
      let isTopic = if case .unknownCommand = syntaxError.problem { scan.command != nil } else { false }
      let replacements = isTopic ? advice.replacements.map(\.asTopic) : advice.replacements
      let complete = isWholeArgument ? replacements.compactMap(line.text) : []
      let found = complete.isEmpty ? replacements.compactMap(line.short) : complete
      let hints =
        advice.hints
        + (found.isEmpty ? advice.alternatives : [])
        + (replacements.first.map { line.hintsOnNextName($0, isComplete: !complete.isEmpty) } ?? [])
      guard found.isEmpty, hints.isEmpty else {
        let unique = found.enumerated().filter { !found[..<$0.offset].contains($0.element) }
        return (
          unique.prefix(3).map(\.element),
          hints.enumerated().filter { !hints[..<$0.offset].contains($0.element) }.map(\.element)
        )
      }
    }
    return ([], [])
  }

  /// Whether the faulty part is an argument that a replacement can take the place of: a name that is looked up in the
  /// tree, or an option without other letters after the same dash.
  private var isWholeArgument: Bool {
    guard let location = syntaxError.location, case let argument = scan.rawArguments[location.index] else {
      return false
    }
    if case .unknownCommand = syntaxError.problem { return true }
    return argument.hasLongForm || !argument.hasOptionForm || argument.bytes.count == 2 || longNameAfterOneDash != nil
      || nameAfterOneDash(scan.lookup.all.map(\.name)) != nil
  }

  /// `--auto-approve` for `-auto-approve`, if the option is known from another program.
  private var longNameAfterOneDash: String? {
    guard let location = syntaxError.location, case let argument = scan.rawArguments[location.index],
      argument.hasOptionForm, !argument.hasLongForm, (3...40).contains(argument.bytes.count)
    else { return nil }
    let name = "-" + String(decoding: argument.bytes.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
    return root.advice(.option(name, value: nil, of: scan.path)) == nil ? nil : name
  }

  private func commandName(under path: [String]) -> UnknownName? {
    guard let index = syntaxError.location?.index else { return nil }
    let operands = scan.operands.filter { $0 > index }.map { scan.rawArguments[$0].text }
    return .command(scan.rawArguments[index].text, under: path, operands: operands)
  }

  private var surplusOperand: UnknownName? {
    syntaxError.location.map { .operand(scan.rawArguments[$0.index].text, of: scan.path) }
  }

  private func full(_ path: [String]) -> String { ([root.name] + path).joined(separator: " ") }

  /// The faulty argument in a form that fits into a sentence.
  private var typed: String {
    guard let location = syntaxError.location, scan.rawArguments.indices.contains(location.index) else { return "" }
    let mask = mask.range(in: location.index, before: Excerpt.reach(from: 0, Excerpt.inSentence))
    return Excerpt.text(of: scan.rawArguments[location.index].bytes, mask: mask)
  }

  /// The advice if the faulty argument looks like a secret.
  private var secretHints: [Hint] {
    guard let location = syntaxError.location, scan.rawArguments.indices.contains(location.index),
      case let argument = scan.rawArguments[location.index], !argument.hasOptionForm,
      SecretForms.looksSecret(argument.bytes)
    else { return [] }
    let files = scan.lookup.all.filter {
      $0.name.hasSuffix("-file") && SecretMask.hidesValue(of: String($0.name.dropLast("-file".count)))
    }
    let options = files.map { "--\($0.name) \($0.value?.placeholder ?? "FILE")" }
    return [Self.secretHint(options.isEmpty ? nil : options.joined(separator: " or "))]
  }

  private static func secretHint(_ instead: String?) -> Hint {
    "Do not pass a secret as an argument\(instead.map { ": use \($0)" } ?? "")."
  }

  /// The value that a switch was given: `--json=id`.
  private var unwantedValue: String {
    guard let location = syntaxError.location else { return "" }
    return String(decoding: scan.rawArguments[location.index].bytes[location.bytes].dropFirst(), as: UTF8.self)
  }

  /// Advice for a surplus argument after a switch, which may be meant as the switch's value: `--json id,name`.
  private var adviceAfterSwitch: UnknownNameAdvice? {
    guard let index = syntaxError.location?.index, index > 0, scan.rawArguments.indices.contains(index),
      case let previous = scan.rawArguments[index - 1], previous.hasOptionForm
    else { return nil }
    let match =
      previous.hasLongForm
      ? scan.lookup.long(previous.bytes.dropFirst(2)) : scan.lookup.short(previous.bytes[previous.bytes.count - 1])
    guard let option = match?.schema, option.value == nil else { return nil }
    return root.advice(.valueOfSwitch(option.name, scan.rawArguments[index].text, of: scan.path))
  }

  // MARK: Commands

  private func commands(under path: [String]) -> [NameReplacement] {
    guard let location = syntaxError.location, case .group(let group) = root.node(at: path) else { return [] }
    let typed = scan.rawArguments[location.index]
    if let topics = scan.command?.topics {
      return NearestNames.of(typed.text, among: group.outlines.map(\.name) + topics).map { NameReplacement([$0]) }
    }
    let near = NearestNames.of(typed.text, among: group.outlines.map(\.name))
    guard near.isEmpty else { return near.map { NameReplacement(path + [$0]) } }
    // `ifttt list`: the subcommand without its group.
    let verbs = group.all.compactMap { child -> NameReplacement? in
      guard case .group(let noun) = child, noun.child(named: typed) != nil else { return nil }
      return NameReplacement([noun.name, typed.text])
    }
    return Array(verbs.prefix(3))
  }

  // MARK: Options

  private func options(near typed: String) -> [NameReplacement] {
    optionNames(near: typed).map { NameReplacement([$0]) }
  }

  private func optionNames(near typed: String) -> [String] {
    let known = scan.lookup.all
    let names = known.map(\.name) + known.filter(\.isNegatable).map { "no-" + $0.name }
    if typed.hasPrefix("--") { return NearestNames.of(String(typed.dropFirst(2)), among: names).map { "--" + $0 } }
    // `-json` and `-Q`: a long name after one dash, or the letter in the wrong case.
    let letters = known.compactMap(\.short).filter { $0.lowercased() == typed.dropFirst().lowercased() }
    return (nameAfterOneDash(names).map { ["--" + $0] } ?? []) + letters.map { "-\($0)" }
  }

  /// The long name that an argument with a single dash spells.
  private func nameAfterOneDash(_ names: [String]) -> String? {
    guard let location = syntaxError.location, scan.rawArguments[location.index].hasOptionForm,
      !scan.rawArguments[location.index].hasLongForm
    else { return nil }
    let name = scan.rawArguments[location.index].bytes.prefix(64).dropFirst().prefix { $0 != UInt8(ascii: "=") }
    return name.count < 2 ? nil : names.first { $0.utf8.elementsEqual(name) }
  }

  private func hints(on name: String) -> [Hint] {
    var hints: [Hint] = []
    let bare = String(name.drop { $0 == "-" })
    let owners = name.hasPrefix("--") ? owners(of: bare).filter { $0 != scan.path } : []
    if !owners.isEmpty {
      let commands = owners.prefix(3).map { "'\(full($0))'" }.joined(separator: ", ")
      let advice = scan.command == nil ? "; place it after the command" : ""
      hints.append("It is an option of \(commands)\(advice).")
    } else if SecretMask.hidesValue(of: name) {
      let file = scan.lookup.all.first { $0.name == bare + "-file" }
      hints.append(Self.secretHint(file.map { "--\($0.name) \($0.value?.placeholder ?? "")" }))
    }
    if scan.command?.topics.contains(bare) == true {
      hints.append("A topic is an argument: '\(full(scan.path)) \(bare)'.")
    }
    if scan.command?.arguments.isEmpty == false, bare.first?.isNumber == true {
      hints.append("Use '--' before an argument that begins with a dash.")
    }
    return hints
  }

  /// The commands of the same group, or below the names typed so far, that have an option of this name.
  private func owners(of name: String) -> [[String]] {
    let above = scan.command == nil ? scan.path : scan.path.dropLast()
    func search(_ node: CommandNode<Action, Facts>, _ path: [String]) -> [[String]] {
      switch node {
      case .command(let command): command.schema().options.contains { $0.name == name } ? [path] : []
      case .group(let group): group.all.flatMap { search($0, path + [$0.name]) }
      }
    }
    return search(.group(scan.group), Array(above))
  }

  // MARK: Values

  private func invalidValue(of subject: SyntaxError.Subject, _ given: ParsedValue, _ problem: ValueError) -> UsageError
  {
    var hints: [Hint] = []
    var suggestions = NearestNames.of(faultyText(given, problem), among: problem.accepted)
    let name: String
    switch subject {
    case .argument(let argument): name = argument.value.placeholder
    case .option(let option):
      name = "--\(option.name)"
      if let long = nameAfterOneDash(scan.lookup.all.map(\.name)) { suggestions.insert("--" + long, at: 0) }
      hints = self.hints(onValueOf: option, given)
    }
    let reason = problem.message.isEmpty ? "" : ": \(problem.message)"
    let origin = if case .environment(let variable) = given.source { " in \(variable)" } else { "" }
    return make(
      .invalidValue, "invalid value '\(shown(of: subject, given, problem))' for '\(name)'\(origin)\(reason)",
      suggestions: Array(suggestions.prefix(3)), accepted: problem.accepted, hints: hints)
  }

  /// The faulty part of the value, as typed.
  private func faultyText(_ given: ParsedValue, _ problem: ValueError) -> String {
    guard let bytes = problem.bytes else { return given.text }
    return String(decoding: Array(given.text.utf8)[bytes], as: UTF8.self)
  }

  /// The faulty part in a form that fits into a sentence.
  private func shown(of subject: SyntaxError.Subject, _ given: ParsedValue, _ problem: ValueError) -> String {
    func hidden(_ text: String) -> String { SecretMask.shown(insteadOf: text.utf8) }
    if case .option(let option) = subject, SecretMask.hidesValue(of: option.name) { return hidden(given.text) }
    switch given.source {
    case .environment(let variable):
      if SecretMask.hidesValue(of: variable) { return hidden(given.text) }
      return Excerpt.text(of: Array(faultyText(given, problem).utf8))
    case .commandLine(let index, _):
      guard let location = syntaxError.location else { return "" }
      let end = Excerpt.reach(from: location.bytes.lowerBound, Excerpt.inSentence)
      let bytes = scan.rawArguments[index].bytes
      guard let secret = mask.range(in: index, before: end)?.clamped(to: location.bytes), !secret.isEmpty else {
        return Excerpt.text(of: Array(bytes[location.bytes]))
      }
      let start = location.bytes.lowerBound
      return Excerpt.text(
        of: Array(bytes[location.bytes]), mask: secret.lowerBound - start..<secret.upperBound - start)
    }
  }

  private func hints(onValueOf option: OptionSchema, _ given: ParsedValue) -> [Hint] {
    guard case .commandLine(let index, let bytes) = given.source else { return [] }
    if bytes.lowerBound == 0, scan.rawArguments[index].hasOptionForm {
      return ["The argument after '--\(option.name)' is its value, even if it begins with a dash."]
    }
    if !scan.rawArguments[index].hasLongForm, bytes.lowerBound > 0, given.value?.utf8.first == UInt8(ascii: "=") {
      return ["After a short option, write the value without '='."]
    }
    return []
  }
}

extension CompletionKind {
  /// The values of a closed set.
  var accepted: [String] {
    if case .choices(let choices) = self { choices.map(\.value) } else { [] }
  }
}
