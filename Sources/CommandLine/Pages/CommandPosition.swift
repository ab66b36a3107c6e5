import Text

/// A command and its position in the tree, the subject of every page.
package struct CommandPosition: Sendable {
  package let root: CommandSchema
  /// The names after the program's name: `["connections", "list"]`; empty for the root.
  package let path: [String]
  package let command: CommandSchema

  package init(root: CommandSchema) { self.init(root: root, path: [], command: root) }

  /// Finds the command; nil if no visible command has this path.
  package init?(root: CommandSchema, path: [String]) {
    var position = CommandPosition(root: root)
    for name in path {
      guard let next = position.subcommands.first(where: { $0.command.name == name }) else { return nil }
      position = next
    }
    self = position
  }

  private init(root: CommandSchema, path: [String], command: CommandSchema) {
    (self.root, self.path, self.command) = (root, path, command)
  }

  package var isRoot: Bool { path.isEmpty }

  /// The command as typed, beginning with the program's name.
  package var names: [String] { [root.name] + path }
  package var line: String { names.joined(separator: " ") }

  /// The aliases as typed, beginning with the program's name.
  var aliases: [[String]] { command.aliases.map { [root.name] + $0 } }

  /// The name of its man page, without the section.
  package var pageName: String { names.joined(separator: "-") }

  /// The visible subcommands. Names that begin with an underscore are internal to the program.
  package var subcommands: [CommandPosition] {
    command.subcommands.filter { !$0.name.hasPrefix("_") }
      .map { CommandPosition(root: root, path: path + [$0.name], command: $0) }
  }

  /// Whether the command can be run: a group of commands without arguments cannot.
  package var isRunnable: Bool { subcommands.isEmpty || !command.arguments.isEmpty }

  /// The subcommands by heading, both in the order of first appearance. Those without a heading are listed under
  /// `Commands`.
  package var groups: [(key: String, elements: [CommandPosition])] {
    subcommands.grouped { $0.command.group ?? "Commands" }
  }

  /// This command and all its descendants, parents first.
  package var subtree: [CommandPosition] { [self] + subcommands.flatMap(\.subtree) }
}

extension CommandSchema {
  /// The options that are specific to the command.
  var ownOptions: [OptionSchema] { options.filter { $0.group == nil } }

  /// The options with a heading, by heading, both in the order of first appearance.
  var optionGroups: [(key: String, elements: [OptionSchema])] {
    options.filter { $0.group != nil }.grouped { $0.group ?? "" }
  }
}

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

extension CommandPosition {
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
      lines.append(([line, "[OPTIONS]"] + arguments).joined(separator: " "))
    }
    return lines
  }
}
