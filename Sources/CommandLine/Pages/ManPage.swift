/// The man pages in mdoc(7): one for the program, one for every command and every group of commands.
package enum ManPage {
  /// All pages, with file names such as `ifttt-connections-list.1` from the command's path.
  package static func all(root: CommandSchema, facts: PageFacts) -> [(fileName: String, text: String)] {
    CommandPlace(root: root).subtree.map { ($0.pageName + ".1", text(of: $0, facts: facts)) }
  }

  /// The page of one command; nil if no command has this path.
  package static func text(root: CommandSchema, path: [String], facts: PageFacts) -> String? {
    CommandPlace(root: root, path: path).map { text(of: $0, facts: facts) }
  }

  static func text(of place: CommandPlace, facts: PageFacts) -> String {
    var page = Mdoc()
    let command = place.command
    page.macro("Dd \(facts.date.mdoc)")
    page.macro("Dt \(place.pageName.uppercased()) 1")
    page.macro("Os \(Mdoc.argument("\(place.root.name) \(facts.version)"))")
    page.macro("Sh NAME")
    page.macro("Nm \(place.pageName)")
    page.macro("Nd \(Mdoc.title(command.summary))")
    page.synopsis(place)
    page.macro("Sh DESCRIPTION")
    for (index, paragraph) in ([command.summary + "."] + command.discussion).enumerated() {
      if index > 0 { page.macro("Pp") }
      page.prose(paragraph)
    }
    if !command.arguments.isEmpty {
      page.macro("Sh ARGUMENTS")
      page.list(command.arguments) { page, argument in page.item(argument) }
    }
    page.commands(place)
    if !command.options.isEmpty {
      page.macro(place.isRoot ? "Sh GLOBAL OPTIONS" : "Sh OPTIONS")
      page.list(command.options) { page, option in page.item(option) }
    }
    if !place.isRoot, !place.root.options.isEmpty {
      page.macro("Sh GLOBAL OPTIONS")
      page.prose("The options that every command accepts are described in")
      page.macro("Xr \(place.root.name) 1 .")
    }
    page.surroundings(place, facts)
    page.examples(place)
    page.seeAlso(place, facts)
    return page.text
  }
}

extension Mdoc {
  fileprivate mutating func synopsis(_ place: CommandPlace) {
    let command = place.command
    macro("Sh SYNOPSIS")
    if !place.subcommands.isEmpty {
      macro("Nm \(Mdoc.literal(place.line))")
      if place.isRoot { macro("Op Ar global options") }
      macro(place.isRoot ? "Ar command" : "Ar subcommand")
      if place.isRoot { macro("Op Ar subcommand") }
      macro("Op Ar options")
      macro("Op Fl \\-")
      macro("Op Ar arguments")
    }
    guard place.isRunnable else { return }
    macro("Nm \(Mdoc.literal(place.line))")
    for option in place.isRoot ? [] : command.options {
      macro("Op \(Mdoc.names(of: option, separator: "|"))\(option.isRepeatable ? " Ns ..." : "")")
    }
    if !place.root.options.isEmpty { macro("Op Ar global options") }
    guard !command.arguments.isEmpty else { return }
    macro("Op Fl \\-")
    for argument in command.arguments {
      let name = "Ar \(Mdoc.argument(argument.value.placeholder))\(argument.isRepeatable ? " ..." : "")"
      macro(argument.isRequired ? name : "Op " + name)
    }
  }

  /// Lists the subcommands; on the program's own page, all commands that can be run.
  fileprivate mutating func commands(_ place: CommandPlace) {
    guard !place.subcommands.isEmpty else { return }
    macro("Sh COMMANDS")
    for (heading, places) in place.groups {
      if place.groups.count > 1 { macro("Ss \(Mdoc.title(heading))") }
      let shown = place.isRoot ? places.flatMap(\.subtree).filter(\.isRunnable) : places
      list(shown) { page, command in
        page.macro("It Xr \(command.pageName) 1")
        page.prose(command.command.summary + ".")
      }
    }
  }

  fileprivate mutating func surroundings(_ place: CommandPlace, _ facts: PageFacts) {
    for topic in place.isRoot ? facts.topics : [] {
      macro("Sh \(Mdoc.title(topic.title.uppercased()))")
      for (index, paragraph) in topic.paragraphs.enumerated() {
        if index > 0 { macro("Pp") }
        prose(paragraph)
      }
      entries(topic.entries, macro: "Li")
    }
    let environment = TopicPage.variables(of: place.command) + (place.isRoot ? facts.environment : [])
    entries("ENVIRONMENT", environment, macro: "Ev")
    if place.isRoot {
      entries("FILES", facts.files, macro: "Pa")
      entries("EXIT STATUS", facts.exitStatuses, macro: "Li")
    } else if !facts.exitStatuses.isEmpty {
      macro("Sh EXIT STATUS")
      prose("Zero on success. The other values are described in")
      macro("Xr \(place.root.name) 1 .")
    }
  }

  private mutating func entries(_ heading: String, _ entries: [PageEntry], macro name: String) {
    guard !entries.isEmpty else { return }
    macro("Sh \(heading)")
    self.entries(entries, macro: name)
  }

  private mutating func entries(_ entries: [PageEntry], macro name: String) {
    guard !entries.isEmpty else { return }
    list(entries) { page, entry in
      page.macro("It \(name == "Li" ? "" : name + " ")\(Mdoc.argument(entry.term))")
      page.prose(entry.text)
    }
  }

  fileprivate mutating func examples(_ place: CommandPlace) {
    guard !place.command.examples.isEmpty else { return }
    macro("Sh EXAMPLES")
    for (index, example) in place.command.examples.enumerated() {
      if index > 0 { macro("Pp") }
      prose(Prose.capitalized(example.purpose) + ":")
      display("$ \(place.root.name) \(example.arguments)")
    }
  }

  fileprivate mutating func seeAlso(_ place: CommandPlace, _ facts: PageFacts) {
    var names = place.isRoot ? [] : [place.root.name]
    if place.path.count > 1 { names.append(([place.root.name] + place.path.dropLast()).joined(separator: "-")) }
    let references =
      names.map { ManualReference($0, section: 1) } + (place.isRoot ? facts.seeAlso : [])
    guard !references.isEmpty else { return }
    macro("Sh SEE ALSO")
    let sorted = references.sorted { ($0.section, $0.name) < ($1.section, $1.name) }
    for (index, reference) in sorted.enumerated() {
      let comma = index < sorted.count - 1 ? " ," : ""
      macro("Xr \(reference.name) \(reference.section)\(comma)")
    }
  }
}
