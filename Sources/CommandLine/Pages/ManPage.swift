/// The man pages in mdoc(7): one each for the program, every command and every group of commands.
package enum ManPage {
  /// All pages, with file names such as `ifttt-connections-list.1` from the command's path.
  package static func all(root: CommandSchema, contents: PageContents) -> [(fileName: String, text: String)] {
    CommandPosition(root: root).subtree.map { ($0.pageName + ".1", text(of: $0, contents: contents)) }
  }

  /// The page of one command; nil if no command has this path.
  package static func text(root: CommandSchema, path: [String], contents: PageContents) -> String? {
    CommandPosition(root: root, path: path).map { text(of: $0, contents: contents) }
  }

  static func text(of position: CommandPosition, contents: PageContents) -> String {
    var page = Mdoc()
    let command = position.command
    page.macro("Dd \(contents.date.mdoc)")
    page.macro("Dt \(position.pageName.uppercased()) 1")
    page.macro("Os \(Mdoc.argument("\(position.root.name) \(contents.version)"))")
    page.macro("Sh NAME")
    page.macro("Nm \(position.pageName)")
    page.macro("Nd \(Mdoc.title(command.summary))")
    page.synopsis(position)
    page.macro("Sh DESCRIPTION")
    for (index, paragraph) in ([command.summary + "."] + command.discussion).enumerated() {
      if index > 0 { page.macro("Pp") }
      page.prose(paragraph)
    }
    for alias in position.aliases {
      page.macro("Pp")
      page.prose("Also: \(alias.joined(separator: " ")).")
    }
    if !command.arguments.isEmpty {
      page.macro("Sh ARGUMENTS")
      page.list(command.arguments) { page, argument in page.item(argument) }
    }
    page.commands(position)
    if !command.options.isEmpty {
      page.macro(position.isRoot ? "Sh GLOBAL OPTIONS" : "Sh OPTIONS")
      if !command.ownOptions.isEmpty { page.list(command.ownOptions) { page, option in page.item(option) } }
      for group in command.optionGroups {
        page.macro("Ss \(Mdoc.title(group.key))")
        page.list(group.elements) { page, option in page.item(option) }
      }
    }
    if !position.isRoot, !position.root.options.isEmpty {
      page.macro("Sh GLOBAL OPTIONS")
      page.prose("The options that every command accepts are described in")
      page.macro("Xr \(position.root.name) 1 .")
    }
    page.additionalSections(position, contents)
    page.examples(position)
    page.seeAlso(position, contents)
    return page.text
  }
}

extension Mdoc {
  fileprivate mutating func synopsis(_ position: CommandPosition) {
    let command = position.command
    macro("Sh SYNOPSIS")
    if !position.subcommands.isEmpty {
      macro("Nm \(Mdoc.literal(position.line))")
      if position.isRoot { macro("Op Ar global options") }
      macro(position.isRoot ? "Ar command" : "Ar subcommand")
      if position.isRoot { macro("Op Ar subcommand") }
      macro("Op Ar options")
      macro("Op Fl \\-")
      macro("Op Ar arguments")
    }
    guard position.isRunnable else { return }
    macro("Nm \(Mdoc.literal(position.line))")
    for option in position.isRoot ? [] : command.options {
      macro("Op \(Mdoc.names(of: option, separator: "|"))\(option.isRepeatable ? " Ns ..." : "")")
    }
    if !position.root.options.isEmpty { macro("Op Ar global options") }
    guard !command.arguments.isEmpty else { return }
    macro("Op Fl \\-")
    for argument in command.arguments {
      let name = "Ar \(Mdoc.argument(argument.value.placeholder))\(argument.isRepeatable ? " ..." : "")"
      macro(argument.isRequired ? name : "Op " + name)
    }
  }

  /// Lists the subcommands; on the program's own page, all commands that can be run.
  fileprivate mutating func commands(_ position: CommandPosition) {
    guard !position.subcommands.isEmpty else { return }
    macro("Sh COMMANDS")
    for (heading, positions) in position.groups {
      if position.groups.count > 1 { macro("Ss \(Mdoc.title(heading))") }
      let shown = position.isRoot ? positions.flatMap(\.subtree).filter(\.isRunnable) : positions
      list(shown) { page, command in
        page.macro("It Xr \(command.pageName) 1")
        page.prose(command.command.summary + ".")
      }
    }
  }

  /// Adds the sections about topics, environment variables, files and exit statuses.
  fileprivate mutating func additionalSections(_ position: CommandPosition, _ contents: PageContents) {
    for topic in position.isRoot ? contents.topics : [] {
      macro("Sh \(Mdoc.title(topic.title.uppercased()))")
      for (index, paragraph) in topic.paragraphs.enumerated() {
        if index > 0 { macro("Pp") }
        prose(paragraph)
      }
      entries(topic.entries, macro: "Li")
    }
    let environment = TopicPage.variables(of: position.command) + (position.isRoot ? contents.environment : [])
    entries("ENVIRONMENT", environment, macro: "Ev")
    if position.isRoot {
      entries("FILES", contents.files, macro: "Pa")
      entries("EXIT STATUS", contents.exitStatuses, macro: "Li")
    } else if !contents.exitStatuses.isEmpty {
      macro("Sh EXIT STATUS")
      prose("Zero on success. The other values are described in")
      macro("Xr \(position.root.name) 1 .")
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

  fileprivate mutating func examples(_ position: CommandPosition) {
    guard !position.command.examples.isEmpty else { return }
    macro("Sh EXAMPLES")
    for (index, example) in position.command.examples.enumerated() {
      if index > 0 { macro("Pp") }
      prose(Prose.capitalized(example.purpose) + ":")
      display("$ \(position.root.name) \(example.arguments)")
    }
  }

  fileprivate mutating func seeAlso(_ position: CommandPosition, _ contents: PageContents) {
    var names = position.isRoot ? [] : [position.root.name]
    if position.path.count > 1 {
      names.append(([position.root.name] + position.path.dropLast()).joined(separator: "-"))
    }
    let references =
      names.map { ManualReference($0, section: 1) } + (position.isRoot ? contents.seeAlso : [])
    guard !references.isEmpty else { return }
    macro("Sh SEE ALSO")
    let sorted = references.sorted { ($0.section, $0.name) < ($1.section, $1.name) }
    for (index, reference) in sorted.enumerated() {
      let comma = index < sorted.count - 1 ? " ," : ""
      macro("Xr \(reference.name) \(reference.section)\(comma)")
    }
  }
}
