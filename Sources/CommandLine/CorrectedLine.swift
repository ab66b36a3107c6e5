import Text

/// The command line with its unknown names replaced, complete with the other arguments as typed.
final class CorrectedLine<Action, Facts> {
  let scan: Tokenizer<Action, Facts>
  let root: CommandGroup<Action, Facts>
  let mask: SecretMask
  /// The argument with the first unknown name.
  let index: Int

  init(
    scan: Tokenizer<Action, Facts>, root: CommandGroup<Action, Facts>, mask: SecretMask, index: Int
  ) {
    (self.scan, self.root, self.mask, self.index) = (scan, root, mask, index)
  }

  /// The line to paste; nil if it would not be valid, would repeat a secret, or is too long to read.
  func text(_ replacement: NameReplacement) -> String? {
    guard scan.rawArguments.count <= 64, let words = replaced(replacement),
      let line = completed(words, corrections: 1),
      line.joined().utf8.count <= 160, line.allSatisfy({ !$0.unicodeScalars.contains("\u{fffd}") }),
      !line.contains(where: mayBeSecret)
    else { return nil }
    // Literal words keep their order; the parts that a shell would change are quoted.
    return ([root.name] + line.map { ShellWord.pastable($0) ?? "VALUE" }).joined(separator: " ")
  }

  /// A short form, for a line that cannot be completed; nil if even its first words are unknown.
  func short(_ replacement: NameReplacement) -> String? {
    let text = replacement.shortened
    guard let first = text.split(separator: " ").first.map({ Array($0.utf8) }) else { return nil }
    if first.starts(with: "--".utf8) { return scan.lookup.long(first[2...]) == nil ? nil : text }
    if first.starts(with: "-".utf8) { return first.count == 2 && scan.lookup.short(first[1]) != nil ? text : nil }
    return replacement.isInPlace ? text : root.node(at: text.split(separator: " ").map(String.init)) == nil ? nil : text
  }

  /// Whether a word of the corrected line is a possible secret after an unknown option, which had to be dropped.
  private func mayBeSecret(_ word: String) -> Bool {
    scan.rawArguments.indices.contains { index in
      followsUnknownOption(index) && isMasked(index) && word.includes(scan.rawArguments[index].text)
    }
  }

  private func isMasked(_ index: Int) -> Bool {
    mask.range(in: index, before: scan.rawArguments[index].bytes.count) != nil
  }

  // MARK: Words

  private func replaced(_ replacement: NameReplacement) -> [String]? {
    let isOption = scan.rawArguments[index].hasOptionForm
    let operands = scan.operands.filter { $0 > index }
    guard replacement.consumed <= operands.count, isArgument(replacement) else { return nil }
    var dropped = Set(operands.prefix(replacement.consumed)).union([index])
    var values: [String: String] = ["{0}": scan.rawArguments[index].text]
    for (number, operand) in operands.enumerated() { values["{\(number + 1)}"] = scan.rawArguments[operand].text }
    // The arguments that are repeated in the replacement.
    var sources: Set = [index]
    for (number, operand) in operands.prefix(replacement.consumed).enumerated()
    where replacement.words.contains(where: { $0.includes("{\(number + 1)}") }) {
      sources.insert(operand)
    }
    var suffix = ""
    if isOption {
      let value = optionValue
      if let value, value.text.hasPrefix("-"), value.text != "-" { return nil }
      if replacement.words.contains(where: { $0.contains("{") }) {
        values["{}"] = value?.text
        values["{=}"] = value?.text.firstIndex(of: "=").flatMap { sign in value?.text[sign...].dropFirst() }
          .map(String.init)
        if let value { dropped.insert(value.index) }
        if let value { sources.insert(value.index) }
      } else if replacement.dropsValue {
        if let value { dropped.insert(value.index) }
        if value?.index == index { sources.remove(index) }
      } else if replacement.isInPlace, replacement.words.count == 1, let value, value.index == index {
        suffix = "=" + value.text
      } else if value?.index == index {
        // The value is dropped with the unknown option, so it need not be checked for secrets.
        sources.remove(index)
      }
    }
    // Never repeat a possible secret, not even at another position.
    let kept = scan.rawArguments.indices.filter { !dropped.contains($0) && !followsUnknownOption($0) }
    guard !(kept + sources).contains(where: isMasked) else { return nil }
    let words = replacement.words.compactMap { Self.filled($0, values) }
    guard words.count == replacement.words.count else { return nil }
    let names = replacement.isInPlace ? [] : scan.nameIndices
    let position = replacement.isInPlace ? index : names.first ?? index
    var line: [String] = []
    for argument in scan.rawArguments.indices {
      if argument == position {
        line += words.dropLast() + [words.last.map { $0 + suffix }].compactMap(\.self)
      } else if !dropped.contains(argument), !names.contains(argument) {
        line.append(scan.rawArguments[argument].text)
      }
    }
    return line
  }

  /// Whether an argument may be the value of another unknown option, which is corrected later.
  private func followsUnknownOption(_ argument: Int) -> Bool {
    guard argument > 0, argument - 1 != index, case let option = scan.rawArguments[argument - 1], option.hasLongForm
    else { return false }
    return scan.lookup.long(option.bytes[2...]) == nil
  }

  /// Whether a replacement by the value alone, such as `{FILE}`, is possible: the command has such an argument.
  private func isArgument(_ replacement: NameReplacement) -> Bool {
    guard replacement.words.count == 1, let word = replacement.words.first, word.hasPrefix("{"),
      case let name = word.dropFirst().dropLast(), name.first?.isLetter == true
    else { return true }
    return scan.command?.arguments.contains { $0.value.plainPlaceholder == name } == true
  }

  /// The value of the unknown option: after its equals sign, or the next argument.
  var optionValue: (text: String, index: Int)? {
    let bytes = scan.rawArguments[index].bytes
    if let sign = bytes.firstIndex(of: UInt8(ascii: "=")) {
      return (String(decoding: bytes[(sign + 1)...], as: UTF8.self), index)
    }
    let next = index + 1
    guard next < scan.rawArguments.count, !scan.rawArguments[next].hasOptionForm else { return nil }
    return (scan.rawArguments[next].text, next)
  }

  /// A word with the typed arguments in place of `{0}` and `{}`; `{ID}` becomes the value, or `ID` without one. Nil if
  /// an operand is missing.
  private static func filled(_ word: String, _ values: [String: String]) -> String? {
    guard let start = word.firstIndex(of: "{"), let end = word.firstIndex(of: "}"), start < end else { return word }
    let name = word[start...end].dropFirst().dropLast()
    let isNumbered = name.first?.isNumber == true
    let value =
      isNumbered || name == "=" ? values["{\(name)}"] : values["{}"] ?? (name.isEmpty ? nil : String(name))
    guard let value else { return nil }
    return word[..<start] + value + word[word.index(after: end)...]
  }

  // MARK: Validity

  /// The line with further unknown names replaced and a placeholder for each missing argument; nil if it is not a valid
  /// command line otherwise.
  private func completed(_ words: [String], corrections: Int) -> [String]? {
    var line = words
    // The same line, with samples in place of invalid placeholders, which could hide another error.
    var trial = words
    func append(_ new: [String]) {
      line += new
      trial += new
    }
    for _ in 0..<16 {
      let attempt = Tokenizer(trial.map { RawArgument($0) }, root: root, globals: scan.lookup.globals)
      if let error = attempt.error {
        if case .missingValue(let option) = error.problem, let value = option.value {
          append([value.plainPlaceholder])
          continue
        }
        return line == trial ? corrected(attempt, error, corrections) : nil
      }
      if let use = attempt.globalUses.first(where: { !isPossible($0) }) {
        return line == trial && corrections < 5 ? completed(omitting(use, from: line), corrections: 5) : nil
      }
      // A noun alone shows its page.
      guard let command = attempt.command else { return attempt.path.isEmpty ? nil : line }
      do throws(SyntaxError) {
        _ = try attempt.action(of: command, attempt.commandUses, root: root)
        return line
      } catch {
        switch error.problem {
        case .missingArgument(let argument): append([argument.value.plainPlaceholder])
        case .conflict(_, let missingOption) where error.location?.index == line.count:
          let given = OperandAssignment.of(attempt.operands.count, to: command.arguments).argumentIndices
          if let index = command.arguments.indices.first(where: {
            !command.arguments[$0].isRequired && !given.contains($0)
          }) {
            let argument = command.arguments[index].value.plainPlaceholder
            if let whole = completed(line + [argument], corrections: corrections) { return whole }
            // The command has the argument, but not without another option.
            guard missingOption != nil else { return nil }
          }
          if let missingOption {
            append(["--\(missingOption.name)"] + (missingOption.value.map { [$0.plainPlaceholder] } ?? []))
          } else {
            return line
          }
        case .invalidValue:
          guard let index = error.location?.index, index >= words.count || words[index].isPlaceholder else {
            return nil
          }
          let tried = Self.samples.firstIndex(of: trial[index])
          guard let sample = Self.samples[(tried.map { $0 + 1 } ?? 0)...].first else { return line }
          trial[index] = sample
        case .unexpectedArgument where line == trial: return corrected(attempt, error, corrections)
        default: return nil
        }
      }
    }
    return line
  }

  /// The hints on the next unknown name, which is omitted from a complete line, or makes it impossible to complete.
  func hintsOnNextName(_ replacement: NameReplacement, isComplete: Bool) -> [Hint] {
    guard let words = replaced(replacement),
      case let attempt = Tokenizer(words.map { RawArgument($0) }, root: root, globals: scan.lookup.globals),
      attempt.error != nil || attempt.globalUses.contains(where: { !isPossible($0) })
    else { return [] }
    guard let error = attempt.error else {
      return attempt.globalUses.filter { !isPossible($0) }.map { use in
        let option = scan.lookup.globals[use.index]
        return
          "Accepted values of --\(option.name): \(option.value?.completion.accepted.joined(separator: ", ") ?? "")."
      }
    }
    let diagnostic = Diagnostic(of: error, in: attempt, root: root, hiding: mask.known)
    return !isComplete || diagnostic.isExplainedOption ? diagnostic.hints : []
  }

  /// The line with its next unknown name replaced.
  private func corrected(_ attempt: Tokenizer<Action, Facts>, _ error: SyntaxError, _ corrections: Int) -> [String]? {
    guard corrections < 5, let index = error.location?.index else { return nil }
    let diagnostic = Diagnostic(of: error, in: attempt, root: root, hiding: mask.known)
    // An option without an equivalent is omitted, with its value or alone; a hint says why.
    let omissions =
      diagnostic.isExplainedOption
      ? [NameReplacement([], isInPlace: true, droppingValue: true), NameReplacement([], isInPlace: true)] : []
    for replacement in diagnostic.replacements.prefix(2) + omissions {
      let next = CorrectedLine(scan: attempt, root: root, mask: diagnostic.mask, index: index)
      if let words = next.replaced(replacement), let line = next.completed(words, corrections: corrections + 1) {
        return line
      }
    }
    return nil
  }
}

extension ValueSchema {
  /// The placeholder without its optional part: `NAME` for `NAME[@VERSION]`.
  fileprivate var plainPlaceholder: String { String(placeholder.prefix { $0 != "[" }) }
}

extension CorrectedLine {
  /// Values for placeholders: a number, a name and a URL.
  private static var samples: [String] { ["1", "a", "http://localhost"] }

  /// The words without an option and its value.
  private func omitting(_ use: Occurrence, from words: [String]) -> [String] {
    guard case .commandLine(let index, let bytes) = use.given.source else { return words }
    let first = bytes.lowerBound == 0 ? index - 1 : index
    return words.enumerated().filter { $0.offset < first || $0.offset > index }.map(\.element)
  }

  /// Whether a global option with a closed set of values has one of them.
  private func isPossible(_ use: Occurrence) -> Bool {
    guard case .choices(let choices) = scan.lookup.globals[use.index].value?.completion else { return true }
    return choices.contains { $0.value == use.given.text.lowercased() }
  }
}

extension String {
  /// Whether the word stands for a value in a usage line: `FILE`.
  fileprivate var isPlaceholder: Bool {
    self == "N" || utf8.count > 1 && utf8.allSatisfy { $0.isUppercase || $0 == UInt8(ascii: "_") }
  }
}
