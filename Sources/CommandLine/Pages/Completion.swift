/// A shell that the program has a completion script for.
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
    let places = CommandPlace(root: root).subtree
    return switch shell {
    case .bash: BashTables(places: places).text + BashCode.text(program: root.name)
    case .zsh: ZshTables(places: places).text + ZshCode.text(program: root.name)
    case .fish: FishTables(places: places).text + FishCode.text(program: root.name)
    }
  }
}

/// The names of completion kinds in the scripts' tables, and the other values that belong to them.
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
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch UnicodeScalar(byte) {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".", "/", ",": true
        default: false
        }
      }
  }

  private static func replacing(_ text: String, _ replacements: [Character: String]) -> String {
    text.reduce(into: "") { $0 += replacements[$1] ?? String($1) }
  }
}
