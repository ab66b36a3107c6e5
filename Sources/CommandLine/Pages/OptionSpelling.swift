import Text

/// The displayed form of options and arguments, and every spelling that a shell can complete.
extension OptionSchema {
  /// `--output`, or `--[no-]track` if both forms exist.
  var longLabel: String { isNegatable ? "--[no-]\(name)" : "--\(name)" }

  /// `-o, --output FORMAT`.
  var label: String {
    let names = (short.map { "-\($0), " } ?? "") + longLabel
    return value.map { "\(names) \($0.placeholder)" } ?? names
  }

  /// Every form that the parser accepts, including dashes.
  package var spellings: [String] {
    ["--\(name)"] + (isNegatable ? ["--no-\(name)"] : []) + (short.map { ["-\($0)"] } ?? [])
  }

  /// The description of one of the spellings in a list of candidates.
  package func help(for spelling: String) -> String {
    isNegatable && spelling == "--no-\(name)" ? "The opposite of --\(name)" : help
  }

  var choices: [Choice] { value?.choices ?? [] }
}

extension ValueSchema {
  var choices: [Choice] { if case .choices(let choices) = completion { choices } else { [] } }
}

extension ArgumentSchema {
  /// `ID`, or `ID...` if the argument is repeatable.
  var label: String { value.placeholder + (isRepeatable ? "..." : "") }

  /// The form in a usage line.
  var usage: String { isRequired ? label : "[\(label)]" }
}

extension CommandPlace {
  /// The forms of the command line, one per line: for a group of commands, for the command itself, or both.
  var usage: [String] {
    var lines: [String] = []
    if isRoot {
      lines.append("\(line) [GLOBAL OPTIONS] COMMAND [SUBCOMMAND] [OPTIONS] [--] [ARGUMENTS]")
    } else if !subcommands.isEmpty {
      lines.append("\(line) SUBCOMMAND [OPTIONS] [--] [ARGUMENTS]")
    }
    if isRunnable {
      let arguments = command.arguments.isEmpty ? [] : ["[--]"] + command.arguments.map(\.usage)
      lines.append(([line, "[OPTIONS]"] + arguments).text(separatedBy: " "))
    }
    return lines
  }
}
