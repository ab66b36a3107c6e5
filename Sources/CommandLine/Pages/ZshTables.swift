/// The part of the zsh script that depends on the tree.
struct ZshTables {
  let places: [CommandPlace]

  var text: String {
    let name = places.first?.root.name ?? ""
    var table = ScriptTable()
    table.line("#compdef \(name)")
    table.line("# Completion of \(name) for zsh. Generated from the command tree.")
    table.line("# Put it in a folder of $fpath, or source it after compinit.")
    table.function("__\(name)_subcommands", comment: "PATH: sets names, each with its description.") { table in
      let entries = places.map { place in
        let names = place.subcommands.map { CompletionWord.described($0.command.name, $0.command.summary) }
        return (key(place), names.isEmpty ? "" : "names=(\(names.joined(separator: " ")))")
      }
      table.cases("\"$1\"", entries, otherwise: "names=()")
    }
    table.function(
      "__\(name)_spellings", comment: "PATH: sets names to the accepted options, each with its description."
    ) { table in
      table.line("  names=()")
      let entries = places.filter { !$0.isRoot && !$0.command.options.isEmpty }
        .map { (key($0), "names=(\(spellings($0.command.options)))") }
      table.cases("\"$1\"", entries)
      table.line("  names+=(\(spellings(places.first?.root.options ?? [])))")
    }
    table.function(
      "__\(name)_option", comment: "PATH SPELLING: sets found (the long name), kind, source, choices and repeats."
    ) { $0.options(places) { CompletionWord.described($0.value, $0.help) } }
    table.function("__\(name)_argument", comment: "PATH NUMBER: sets kind, source and choices.") {
      $0.arguments(places) { CompletionWord.described($0.value, $0.help) }
    }
    return table.text
  }

  private func spellings(_ options: [OptionSchema]) -> String {
    let words = options.flatMap { option in
      option.spellings.map { CompletionWord.described($0, option.help(for: $0)) }
    }
    return words.joined(separator: " ")
  }

  private func key(_ place: CommandPlace) -> String { "'\(place.path.joined(separator: " "))'" }
}
