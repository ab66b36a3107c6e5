import Text

/// The contents of the pages that are not part of the command tree.
package struct PageContents: Sendable {
  package var version: String
  /// The date on every man page. It does not come from a clock, so that the same tree always produces the same pages.
  package var date: PageDate
  /// The environment variables without an option. Variables of options come from the tree.
  package var environment: [PageEntry]
  package var files: [PageEntry]
  package var exitStatuses: [PageEntry]
  /// Other topics, each a section of the program's own man page and a topic of `help`.
  package var topics: [PageTopic]
  /// A line for new users, shown when the program is run without a command.
  package var gettingStarted: String?
  /// Manual pages to refer to, in addition to the pages of commands.
  package var seeAlso: [ManualReference]

  package init(
    version: String, date: PageDate, environment: [PageEntry] = [], files: [PageEntry] = [],
    exitStatuses: [PageEntry] = [], topics: [PageTopic] = [], gettingStarted: String? = nil,
    seeAlso: [ManualReference] = []
  ) {
    self.version = version
    self.date = date
    self.environment = environment
    self.files = files
    self.exitStatuses = exitStatuses
    self.topics = topics
    self.gettingStarted = gettingStarted
    self.seeAlso = seeAlso
  }
}

/// A term and its description: `IFTTT_HOME`, `130`.
package struct PageEntry: Sendable, Equatable {
  package var term: String
  package var text: String
  package init(_ term: String, _ text: String) { (self.term, self.text) = (term, text) }
}

/// A help topic that is not a command: a section of the program's man page, and its own help page.
package struct PageTopic: Sendable, Equatable {
  /// The name as typed after `help`: `exit-codes`.
  package var name: String
  /// The heading, capitalized like a sentence: `Exit status`.
  package var title: String
  package var paragraphs: [String]
  package var entries: [PageEntry]

  package init(_ name: String, title: String, _ paragraphs: [String] = [], entries: [PageEntry] = []) {
    (self.name, self.title, self.paragraphs, self.entries) = (name, title, paragraphs, entries)
  }
}

/// Another manual page: `ifttt-store(5)`.
package struct ManualReference: Sendable, Equatable {
  package var name: String
  package var section: Int
  package init(_ name: String, section: Int) { (self.name, self.section) = (name, section) }
}

/// A date in the form of `mdoc`.
package struct PageDate: Sendable, Equatable {
  package let year: Int
  package let month: Int
  package let day: Int

  /// Creates a date; nil if the month has no such day.
  package init?(year: Int, month: Int, day: Int) {
    let lengths = [31, year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28, 31, 30, 31, 30]
    let all = lengths + [31, 31, 30, 31, 30, 31]
    guard (1970...9999).contains(year), (1...12).contains(month), (1...all[month - 1]).contains(day) else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// `January 31, 2026`.
  var mdoc: String {
    let names = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
      "December",
    ]
    return "\(names[month - 1]) \(day), \(year)"
  }
}

/// The output of `help TOPIC`: a section of the program's man page, as text.
package struct TopicPage {
  private let topic: PageTopic
  private let rows: [HelpRow]
  private let columns: Int

  /// Creates the page of a topic; nil if the topic is unknown.
  package init?(_ name: String, root: CommandSchema, contents: PageContents, columns: Int = 80) {
    if name == "options" {
      topic = PageTopic(name, title: "Global options")
      rows = root.options.map { HelpRow(full: $0) }
    } else {
      guard let topic = TopicPage.topics(root: root, contents: contents).first(where: { $0.name == name }) else {
        return nil
      }
      self.topic = topic
      rows = topic.entries.map { HelpRow(label: $0.term, help: $0.text) }
    }
    self.columns = min(max(columns, 40), 100)
  }

  package var text: String {
    var lines = [topic.title + ":"]
    for paragraph in topic.paragraphs { lines += [""] + Prose.wrap(paragraph, width: columns) }
    if !rows.isEmpty { lines += [""] + HelpRows(columns: columns, rows: rows).lines }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The topics that are also in the program's man page.
  static func topics(root: CommandSchema, contents: PageContents) -> [PageTopic] {
    [
      PageTopic("exit-codes", title: "Exit status", entries: contents.exitStatuses),
      PageTopic(
        "environment", title: "Environment variables", entries: TopicPage.variables(of: root) + contents.environment),
      PageTopic("files", title: "Files", entries: contents.files),
    ] + contents.topics
  }

  /// The environment variables of options.
  static func variables(of command: CommandSchema) -> [PageEntry] {
    command.options.compactMap { option in
      option.environment.map { PageEntry($0, "Used if \(option.longLabel) is not given.") }
    }
  }
}

/// Every committed file that is generated from the command tree.
package struct PagesBundle: Sendable {
  /// The files. Paths are relative to the repository: `completions/_ifttt`, `man/man1/ifttt.1`, `docs/commands.md`.
  package let files: [(path: String, text: String)]

  package init(root: CommandSchema, contents: PageContents) {
    files =
      CompletionShell.allCases.map { shell in
        (path: "completions/" + shell.fileName(for: root.name), text: Completion.script(for: shell, root: root))
      }
      + ManPage.all(root: root, contents: contents).map { (path: "man/man1/" + $0.fileName, text: $0.text) }
      + [(path: "docs/commands.md", text: CommandTable.page(root: root))]
  }
}

/// The table of all commands, in Markdown.
package enum CommandTable {
  package static func page(root: CommandSchema) -> String {
    """
    # Commands

    `\(root.name) help COMMAND` explains one command, `\(root.name) help COMMAND --all` with the text of every option. So does its man page in
    `man/man1`. This page is generated from the command tree.

    \(table(root: root))
    """
  }

  /// The table with one row per command that can be run, in the tree's order.
  package static func table(root: CommandSchema) -> String {
    let rows = CommandPosition(root: root).subtree
      .filter { !$0.isRoot && $0.isRunnable }
      .map { position in
        let also = position.aliases.map { "; also `\($0.joined(separator: " "))`" }.joined()
        return "| `\(position.line)` | \(escaped(Prose.oneLine(position.command.summary)))\(also) |"
      }
    return (["| Command | What it does |", "|---|---|"] + rows).joined(separator: "\n") + "\n"
  }

  /// Escapes the characters that Markdown or HTML would interpret inside a cell.
  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { escaped, character in
      if "\\`*_[]<>|&".contains(character) { escaped += "\\" }
      escaped.append(character)
    }
  }
}
