import Text

/// A shell with a completion script.
package enum CompletionShell: String, Sendable, CaseIterable {
  case bash, zsh, fish

  /// The file name that the shell's own search for completions expects.
  package func fileName(for program: String) -> String {
    switch self {
    case .bash: "\(program).bash"
    case .zsh: "_\(program)"
    case .fish: "\(program).fish"
    }
  }
}

/// The completion scripts.
///
/// All three work alike. Tables of the commands, options and choices are part of the script. A walk over the words
/// before the cursor finds the command, and one decision determines what can follow. Only values that change (ids,
/// profiles, fields) are requested from the program, through ``CompletionRequest``. Text from the program is never
/// evaluated.
package enum Completion {
  package static func script(for shell: CompletionShell, root: CommandSchema) -> String {
    let positions = CommandPosition(root: root.expandingAliases).subtree
    return switch shell {
    case .bash: ScriptTables.bash.text(positions) + BashCode.text(program: root.name)
    case .zsh: ScriptTables.zsh.text(positions) + ZshCode.text(program: root.name)
    case .fish: FishTables(positions: positions).text + FishCode.text(program: root.name)
    }
  }
}

/// The fields of a value in the tables of the scripts.
extension CompletionKind {
  var kindInScript: String {
    switch self {
    case .none: "value"
    case .file: "file"
    case .directory: "directory"
    case .choices: "choices"
    // The tables already contain the commands.
    case .commandPath: "command"
    case .dynamic: "request"
    case .dynamicList: "list"
    }
  }

  var sourceInScript: String {
    switch self {
    case .dynamic(let source), .dynamicList(let source): source
    case .none, .file, .directory, .choices, .commandPath: ""
    }
  }

  var choicesInScript: [Choice] {
    switch self {
    case .choices(let choices), .commandPath(let choices): choices
    case .none, .file, .directory, .dynamic, .dynamicList: []
    }
  }
}

/// Text as one word that a shell reads literally.
enum CompletionWord {
  /// The word for bash and zsh; unquoted if no character needs quotes.
  static func posix(_ text: String) -> String {
    isPlain(text) ? text : "'" + replacing(text, ["'": "'\\''"]) + "'"
  }

  static func fish(_ text: String) -> String {
    isPlain(text) ? text : "'" + replacing(text, ["'": "\\'", "\\": "\\\\"]) + "'"
  }

  /// A candidate with its description, in the form that zsh's `_describe` reads.
  static func described(_ value: String, _ help: String?) -> String {
    let value = replacing(value, [":": "\\:", "\\": "\\\\"])
    let help = replacing(Prose.oneLine(help ?? ""), ["\\": "\\\\"])
    return posix(help.isEmpty ? value : "\(value):\(help)")
  }

  /// A candidate with its description, in the form that fish reads from a function.
  static func tabbed(_ value: String, _ help: String?) -> String {
    let help = Prose.oneLine(help ?? "")
    return fish(help.isEmpty ? value : "\(value)\t\(help)")
  }

  private static func isPlain(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0.isLetterOrDigit || "-_./,".utf8.contains($0) }
  }

  private static func replacing(_ text: String, _ replacements: [Character: String]) -> String {
    text.reduce(into: "") { $0 += replacements[$1] ?? String($1) }
  }
}

/// The tables of the bash and zsh scripts, which have the same form. The properties hold the differences.
struct ScriptTables: Sendable {
  /// The first lines, after the name of the program.
  private let head: @Sendable (_ program: String) -> [String]
  private let subcommandsComment: String
  private let spellingsComment: String
  /// Returns the word for a candidate, with its description if the shell shows it.
  private let word: @Sendable (_ value: String, _ help: String?) -> String

  static let bash = ScriptTables(
    head: {
      [
        "# shellcheck shell=bash",
        "# Completion of \($0) for bash 3.2 and later; needs no other package. Generated from the command tree.",
        "# Source it, or install it as share/bash-completion/completions/\($0).",
      ]
    }, subcommandsComment: "PATH: sets names.",
    spellingsComment: "PATH: sets names to the options that the command accepts.",
    word: { value, _ in CompletionWord.posix(value) })

  static let zsh = ScriptTables(
    head: {
      [
        "#compdef \($0)", "# Completion of \($0) for zsh. Generated from the command tree.",
        "# Put it in a folder of $fpath, or source it after compinit.",
      ]
    }, subcommandsComment: "PATH: sets names, each with its description.",
    spellingsComment: "PATH: sets names to the accepted options, each with its description.",
    word: CompletionWord.described)

  func text(_ positions: [CommandPosition]) -> String {
    let root = positions.first?.root
    let name = root?.name ?? ""
    func key(_ position: CommandPosition) -> String { "'\(position.path.joined(separator: " "))'" }
    func names(_ words: [String]) -> String { "names=(\(words.joined(separator: " ")))" }
    func spellings(_ options: [OptionSchema]) -> [String] {
      options.flatMap { option in option.spellings.map { word($0, option.help(for: $0)) } }
    }
    var table = ScriptTable()
    for line in head(name) { table.line(line) }
    table.function("__\(name)_subcommands", comment: subcommandsComment) { table in
      let entries = positions.filter { !$0.subcommands.isEmpty }.map { position in
        (key(position), names(position.subcommands.map { word($0.command.name, $0.command.summary) }))
      }
      table.cases("\"$1\"", entries, otherwise: "names=()")
    }
    table.function("__\(name)_spellings", comment: spellingsComment) { table in
      table.line("  names=()")
      let entries = positions.filter { !$0.isRoot && !$0.command.options.isEmpty }
        .map { (key($0), names(spellings($0.command.options))) }
      table.cases("\"$1\"", entries)
      table.line("  names+=(\(spellings(root?.options ?? []).joined(separator: " ")))")
    }
    table.function(
      "__\(name)_option", comment: "PATH SPELLING: sets found (the long name), kind, source, choices and repeats."
    ) { $0.options(positions) { word($0.value, $0.help) } }
    table.function("__\(name)_argument", comment: "PATH NUMBER: sets kind, source and choices.") {
      $0.arguments(positions) { word($0.value, $0.help) }
    }
    return table.text
  }
}

/// The lines of functions with `case` tables, for bash and zsh.
struct ScriptTable {
  private(set) var text = ""

  /// Adds a function.
  /// - Parameter comment: the arguments of the function, and the variables it sets.
  mutating func function(_ name: String, comment: String, _ body: (inout ScriptTable) -> Void) {
    line("")
    line("# \(comment)")
    line("\(name)() {")
    body(&self)
    line("}")
  }

  mutating func line(_ line: String) { text += line + "\n" }

  /// Adds a `case` over `subject`.
  mutating func cases(_ subject: String, _ entries: [(pattern: String, action: String)], otherwise: String? = nil) {
    line("  case \(subject) in")
    for entry in entries { line("  \(entry.pattern)) \(entry.action) ;;") }
    if let otherwise { line("  *) \(otherwise) ;;") }
    line("  esac")
  }

  /// Adds the table of options by command and spelling, then the table of global options by spelling only. A command's
  /// own options come first.
  mutating func options(_ positions: [CommandPosition], choices: (Choice) -> String) {
    let own = positions.filter { !$0.isRoot }.flatMap { position in
      position.command.options.map { option in
        let key = position.path.joined(separator: " ")
        let patterns = option.spellings.map { CompletionWord.posix("\(key):\($0)") }
        return (patterns.joined(separator: " | "), ScriptTable.assignments(option, choices: choices))
      }
    }
    let global = positions.first?.root.options.map { option in
      let patterns = option.spellings.map(CompletionWord.posix).joined(separator: " | ")
      return (patterns, ScriptTable.assignments(option, choices: choices))
    }
    line("  found='' kind='' source='' repeats='' choices=()")
    cases("\"$1:$2\"", own)
    line("  [[ -z $found ]] || return 0")
    cases("\"$2\"", global ?? [])
    line("  [[ -n $found ]]")
  }

  /// Adds the table of arguments by command and position. A repeatable argument also matches all later positions.
  mutating func arguments(_ positions: [CommandPosition], choices: (Choice) -> String) {
    let entries = positions.flatMap { position in
      position.command.arguments.enumerated().map { index, argument in
        let key = CompletionWord.posix(
          position.path.joined(separator: " ") + ":" + (argument.isRepeatable ? "" : "\(index)"))
        let action = ScriptTable.assignments(argument.value, choices: choices)
        return (key + (argument.isRepeatable ? "*" : ""), action)
      }
    }
    line("  kind='' source='' choices=()")
    cases("\"$1:$2\"", entries)
  }

  private static func assignments(_ option: OptionSchema, choices: (Choice) -> String) -> String {
    let repeats = option.isRepeatable ? " repeats=1" : ""
    guard let value = option.value else { return "found=--\(option.name) kind=switch\(repeats)" }
    return "found=--\(option.name)\(repeats) \(assignments(value, choices: choices))"
  }

  private static func assignments(_ value: ValueSchema, choices: (Choice) -> String) -> String {
    let kind = "kind='\(value.completion.kindInScript)'"
    let source = value.completion.sourceInScript
    let listed = value.completion.choicesInScript.map(choices).joined(separator: " ")
    return kind + (source.isEmpty ? "" : " source=\(CompletionWord.posix(source))")
      + (listed.isEmpty ? "" : " choices=(\(listed))")
  }
}
