/// Lines of one `case` table in a completion script. The tables of bash and zsh have the same form.
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

  /// Adds a `case` over `subject`; entries without an action are omitted.
  mutating func cases(_ subject: String, _ entries: [(pattern: String, action: String)], otherwise: String? = nil) {
    line("  case \(subject) in")
    for entry in entries where !entry.action.isEmpty { line("  \(entry.pattern)) \(entry.action) ;;") }
    if let otherwise { line("  *) \(otherwise) ;;") }
    line("  esac")
  }

  /// Adds the table of options by command and spelling, then of the global ones by spelling only, so that a command's
  /// own options come first.
  mutating func options(_ places: [CommandPlace], choices: (Choice) -> String) {
    let own = places.filter { !$0.isRoot }.flatMap { place in
      place.command.options.map { option in
        let key = place.path.joined(separator: " ")
        let patterns = option.spellings.map { CompletionWord.posix("\(key):\($0)") }
        return (patterns.joined(separator: " | "), ScriptTable.assignments(option, choices: choices))
      }
    }
    let global = places.first?.root.options.map { option in
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
  mutating func arguments(_ places: [CommandPlace], choices: (Choice) -> String) {
    let entries = places.flatMap { place in
      place.command.arguments.enumerated().map { index, argument in
        let key = CompletionWord.posix(
          place.path.joined(separator: " ") + ":" + (argument.isRepeatable ? "" : "\(index)"))
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
