/// The part of the bash script that depends on the tree.
struct BashTables {
  let places: [CommandPlace]

  var text: String {
    let name = places.first?.root.name ?? ""
    var table = ScriptTable()
    table.line("# shellcheck shell=bash")
    table.line(
      "# Completion of \(name) for bash 3.2 and later; needs no other package. Generated from the command tree.")
    table.line("# Source it, or install it as share/bash-completion/completions/\(name).")
    table.function("__\(name)_subcommands", comment: "PATH: sets names.") { table in
      let entries = places.map { place in
        let names = place.subcommands.map { CompletionWord.posix($0.command.name) }.joined(separator: " ")
        return (key(place), names.isEmpty ? "" : "names=(\(names))")
      }
      table.cases("\"$1\"", entries, otherwise: "names=()")
    }
    table.function("__\(name)_spellings", comment: "PATH: sets names to the options that the command accepts.") {
      table in
      table.line("  names=()")
      let entries = places.filter { !$0.isRoot && !$0.command.options.isEmpty }
        .map { (key($0), "names=(\(spellings($0.command.options)))") }
      table.cases("\"$1\"", entries)
      table.line("  names+=(\(spellings(places.first?.root.options ?? [])))")
    }
    table.function(
      "__\(name)_option", comment: "PATH SPELLING: sets found (the long name), kind, source, choices and repeats."
    ) { $0.options(places) { CompletionWord.posix($0.value) } }
    table.function("__\(name)_argument", comment: "PATH NUMBER: sets kind, source and choices.") {
      $0.arguments(places) { CompletionWord.posix($0.value) }
    }
    return table.text
  }

  private func spellings(_ options: [OptionSchema]) -> String {
    options.flatMap(\.spellings).map(CompletionWord.posix).joined(separator: " ")
  }

  private func key(_ place: CommandPlace) -> String { "'\(place.path.joined(separator: " "))'" }
}
