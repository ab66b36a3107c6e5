/// The part of the fish script that depends on the tree.
struct FishTables {
  let places: [CommandPlace]

  var text: String {
    let name = places.first?.root.name ?? ""
    var table = FishTable()
    table.line("# Completion of \(name) for fish. Generated from the command tree.")
    table.line("# Source it, or install it as share/fish/vendor_completions.d/\(name).fish.")
    table.function("__\(name)_subcommands", comment: "PATH: writes the names, each with its description.") { table in
      table.cases(
        "$argv[1]",
        places.filter { !$0.subcommands.isEmpty }.map { place in
          let names = place.subcommands.map { CompletionWord.tabbed($0.command.name, $0.command.summary) }
          return ([key(place)], "printf '%s\\n' \(names.joined(separator: " "))")
        })
    }
    table.function("__\(name)_spellings", comment: "PATH: writes the options that the command accepts.") { table in
      table.cases(
        "$argv[1]",
        places.filter { !$0.isRoot && !$0.command.options.isEmpty }.map { ([key($0)], spellings($0.command.options)) })
      if let global = places.first?.root.options, !global.isEmpty { table.line("  \(spellings(global))") }
    }
    table.function(
      "__\(name)_option",
      comment: "PATH SPELLING: writes the long name, repeats or once, kind, source and choices, one per line."
    ) { table in
      let own = places.filter { !$0.isRoot }.flatMap { place in
        place.command.options.map { option in
          (option.spellings.map { CompletionWord.fish("\(place.path.joined(separator: " ")):\($0)") }, facts(option))
        }
      }
      table.cases("\"$argv[1]:$argv[2]\"", own, isFinal: true)
      let global = places.first?.root.options ?? []
      table.cases("$argv[2]", global.map { ($0.spellings.map(CompletionWord.fish), facts($0)) }, isFinal: true)
      table.line("  return 1")
    }
    table.function("__\(name)_argument", comment: "PATH NUMBER: writes kind, source and choices, one per line.") {
      table in
      table.cases("\"$argv[1]:$argv[2]\"", places.flatMap(arguments))
    }
    return table.text
  }

  private func key(_ place: CommandPlace) -> String { "'\(place.path.joined(separator: " "))'" }

  private func spellings(_ options: [OptionSchema]) -> String {
    let words = options.flatMap { option in option.spellings.map { CompletionWord.tabbed($0, option.help(for: $0)) } }
    return "printf '%s\\n' \(words.joined(separator: " "))"
  }

  private func facts(_ option: OptionSchema) -> String {
    let repeats = option.isRepeatable ? "repeats" : "once"
    let value = option.value.map(facts) ?? "switch ''"
    return "printf '%s\\n' --\(option.name) \(repeats) \(value)"
  }

  private func facts(_ value: ValueSchema) -> String {
    let choices = value.completion.choicesInScript.map { " " + CompletionWord.tabbed($0.value, $0.help) }.joined()
    return "\(value.completion.kindInScript) \(CompletionWord.fish(value.completion.sourceInScript))\(choices)"
  }

  /// The entries for a command's arguments. A repeatable argument also matches all later positions.
  private func arguments(_ place: CommandPlace) -> [(patterns: [String], action: String)] {
    place.command.arguments.enumerated().map { index, argument in
      let key = "'\(place.path.joined(separator: " ")):\(argument.isRepeatable ? "*" : "\(index)")'"
      return ([key], "printf '%s\\n' \(facts(argument.value))")
    }
  }
}

/// The lines of functions with `switch` tables.
private struct FishTable {
  private(set) var text = ""

  mutating func line(_ line: String) { text += line + "\n" }

  mutating func function(_ name: String, comment: String, _ body: (inout FishTable) -> Void) {
    line("")
    line("# \(comment)")
    line("function \(name)")
    body(&self)
    line("end")
  }

  /// Adds a `switch` over `subject`.
  /// - Parameter isFinal: whether the function returns after a match.
  mutating func cases(_ subject: String, _ entries: [(patterns: [String], action: String)], isFinal: Bool = false) {
    guard !entries.isEmpty else { return }
    line("  switch \(subject)")
    for entry in entries {
      line("    case \(entry.patterns.joined(separator: " "))")
      line("      \(entry.action)")
      if isFinal { line("      return") }
    }
    line("  end")
  }
}
