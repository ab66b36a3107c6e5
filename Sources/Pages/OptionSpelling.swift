import Arguments

/// How options and arguments are spelt for a reader, and every spelling a shell may offer.
extension OptionSchema {
  /// `--output`, or `--[no-]track` where both forms exist.
  var longLabel: String { isNegatable ? "--[no-]\(name)" : "--\(name)" }

  /// `-o, --output FORMAT`.
  var label: String {
    let names = (short.map { "-\($0), " } ?? "") + longLabel
    return value.map { "\(names) \($0.placeholder)" } ?? names
  }

  /// Every form the parser takes, dashes included.
  package var spellings: [String] {
    ["--\(name)"] + (isNegatable ? ["--no-\(name)"] : []) + (short.map { ["-\($0)"] } ?? [])
  }

  var choices: [Choice] { value?.choices ?? [] }
}

extension ValueSchema {
  var choices: [Choice] { if case .choices(let choices) = completion { choices } else { [] } }
}

extension ArgumentSchema {
  /// `ID`, or `ID...` where several may be given.
  var label: String { value.placeholder + (isRepeatable ? "..." : "") }

  /// As it stands in a usage line.
  var usage: String { isRequired ? label : "[\(label)]" }
}

extension CommandPlace {
  /// The forms a command line may take, one a line: for a group of commands, for the command itself, or both.
  var usage: [String] {
    var lines: [String] = []
    if isRoot {
      lines.append("\(line) [GLOBAL OPTIONS] COMMAND [SUBCOMMAND] [OPTIONS] [--] [ARGUMENTS]")
    } else if !subcommands.isEmpty {
      lines.append("\(line) SUBCOMMAND [OPTIONS] [--] [ARGUMENTS]")
    }
    if isRunnable {
      let arguments = command.arguments.isEmpty ? [] : ["[--]"] + command.arguments.map(\.usage)
      lines.append(Prose.joined([line, "[OPTIONS]"] + arguments, by: " "))
    }
    return lines
  }
}
