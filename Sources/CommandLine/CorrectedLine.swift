import Text

/// The command line with an unknown name replaced, complete with the other arguments as typed.
struct CorrectedLine<Action, Facts> {
  let scan: Tokenizer<Action, Facts>
  let root: CommandGroup<Action, Facts>
  let mask: SecretMask
  /// The argument with the unknown name.
  let index: Int

  /// The line to paste; nil if it would not be valid, would repeat a secret, or is too long to read.
  func text(_ replacement: NameReplacement) -> String? {
    guard let words = replaced(replacement), let line = completed(words), line.joined().utf8.count <= 160,
      line.allSatisfy({ !$0.unicodeScalars.contains("\u{fffd}") })
    else { return nil }
    // Literal words keep their order; the parts that a shell would change are quoted.
    return ([root.name] + line.map { ShellWord.pastable($0) ?? "VALUE" }).joined(separator: " ")
  }

  /// A short form, for a line that cannot be completed; nil if even its first words are unknown.
  func short(_ replacement: NameReplacement) -> String? {
    let text = replacement.shortened
    guard let first = text.split(separator: " ").first.map(String.init) else { return nil }
    if first.hasPrefix("--") { return scan.lookup.long(Array(first.utf8)[2...]) == nil ? nil : text }
    if first.hasPrefix("-") { return nil }
    return root.node(at: text.split(separator: " ").map(String.init)) == nil ? nil : text
  }

  // MARK: Words

  private func replaced(_ replacement: NameReplacement) -> [String]? {
    let isOption = scan.rawArguments[index].hasOptionForm
    let operands = scan.operands.filter { $0 > index }
    guard replacement.consumed <= operands.count else { return nil }
    var dropped = Set(operands.prefix(replacement.consumed)).union([index])
    var values: [String: String] = ["{0}": scan.rawArguments[index].text]
    for (number, operand) in operands.enumerated() { values["{\(number + 1)}"] = scan.rawArguments[operand].text }
    var sources = dropped
    var suffix = ""
    if isOption {
      let value = optionValue
      if let value, value.text.hasPrefix("-"), value.text != "-" { return nil }
      if replacement.words.contains(where: { $0.contains("{") }) {
        values["{}"] = value?.text
        if let value { dropped.insert(value.index) }
        if let value { sources.insert(value.index) }
      } else if replacement.isInPlace, replacement.words.count == 1, let value, value.index == index {
        suffix = "=" + value.text
      } else if value?.index == index {
        // The value belongs to the unknown option alone.
        sources.remove(index)
      }
    }
    // Nothing that may be a secret is repeated, also not in another place.
    let kept = scan.rawArguments.indices.filter { !dropped.contains($0) }
    guard (kept + sources).allSatisfy({ mask.range(in: $0, before: scan.rawArguments[$0].bytes.count) == nil }) else {
      return nil
    }
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

  /// The value of the unknown option: after its equals sign, or the next argument.
  private var optionValue: (text: String, index: Int)? {
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
    guard let value = isNumbered ? values["{\(name)}"] : values["{}"] ?? (name.isEmpty ? nil : String(name)) else {
      return nil
    }
    return word[..<start] + value + word[word.index(after: end)...]
  }

  // MARK: Validity

  /// The line with a placeholder for each missing argument; nil if it is not a valid command line otherwise.
  private func completed(_ words: [String]) -> [String]? {
    var line = words
    // The same line, with samples in place of invalid placeholders: one of these may hide another error.
    var trial = words
    func append(_ new: [String]) {
      line += new
      trial += new
    }
    for _ in 0..<16 {
      let attempt = Tokenizer(trial.map { RawArgument($0) }, root: root, globals: scan.lookup.globals)
      guard attempt.error == nil, attempt.globalUses.allSatisfy(isPossible) else { return nil }
      // A noun alone shows its page.
      guard let command = attempt.command else { return attempt.path.isEmpty ? nil : line }
      do throws(SyntaxError) {
        _ = try attempt.action(of: command, attempt.commandUses, root: root)
        return line
      } catch {
        switch error.problem {
        case .missingArgument(let argument): append([argument.value.plainPlaceholder])
        case .conflict(_, let lacking) where error.location?.index == line.count:
          let given = OperandAssignment.of(attempt.operands.count, to: command.arguments).argumentIndices
          if let index = command.arguments.indices.first(where: {
            !command.arguments[$0].isRequired && !given.contains($0)
          }) {
            append([command.arguments[index].value.plainPlaceholder])
          } else if let lacking {
            append(["--\(lacking.name)"] + (lacking.value.map { [$0.plainPlaceholder] } ?? []))
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
        default: return nil
        }
      }
    }
    return line
  }
}

extension ValueSchema {
  /// The placeholder without its optional part: `NAME` for `NAME[@VERSION]`.
  fileprivate var plainPlaceholder: String { String(placeholder.prefix { $0 != "[" }) }
}

extension CorrectedLine {
  /// Values for placeholders: a number, a name and a URL.
  private static var samples: [String] { ["1", "a", "http://localhost"] }

  /// Whether a global option with a closed set of values has one of them.
  private func isPossible(_ use: Occurrence) -> Bool {
    guard case .choices(let choices) = scan.lookup.globals[use.index].value?.completion else { return true }
    return choices.contains { $0.value == use.given.text.lowercased() }
  }
}

extension String {
  /// Whether the word stands for a value in a usage line: `FILE`.
  fileprivate var isPlaceholder: Bool {
    utf8.count > 1 && utf8.allSatisfy { $0.isUppercase || $0 == UInt8(ascii: "_") }
  }
}
