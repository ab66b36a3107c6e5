/// What the pages say that the command tree does not know.
package struct PageFacts: Sendable {
  package var version: String
  /// Stands in every man page; given, not read from a clock, so that the same tree always makes the same pages.
  package var date: PageDate
  /// Variables that belong to no option. Those of options come from the tree.
  package var environment: [PageEntry]
  package var files: [PageEntry]
  package var exitStatuses: [PageEntry]
  /// What the program's own page explains beside that, a section each.
  package var topics: [PageTopic]
  /// A line for new users, shown when the program is run without a command.
  package var beginning: String?
  /// Manual pages to look at besides those of the commands.
  package var seeAlso: [ManualReference]

  package init(
    version: String, date: PageDate, environment: [PageEntry] = [], files: [PageEntry] = [],
    exitStatuses: [PageEntry] = [], topics: [PageTopic] = [], beginning: String? = nil,
    seeAlso: [ManualReference] = []
  ) {
    self.version = version
    self.date = date
    self.environment = environment
    self.files = files
    self.exitStatuses = exitStatuses
    self.topics = topics
    self.beginning = beginning
    self.seeAlso = seeAlso
  }
}

/// A term and what is to be said about it: `IFTTT_HOME`, `130`.
package struct PageEntry: Sendable, Equatable {
  package var term: String
  package var text: String
  package init(_ term: String, _ text: String) { (self.term, self.text) = (term, text) }
}

/// A help topic that is not a command: a section of the program's man page, and its own help page.
package struct PageTopic: Sendable, Equatable {
  /// As it is typed after `help`: `exit-codes`.
  package var name: String
  /// The heading, as a sentence's beginning: `Exit status`.
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

/// A day as `mdoc` writes it.
package struct PageDate: Sendable, Equatable {
  package let year: Int
  package let month: Int
  package let day: Int

  /// Nil when there is no such day in a month of that length.
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
