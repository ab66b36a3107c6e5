import Text

/// The output of `help TOPIC`: a section of the program's man page, as text.
package struct TopicPage {
  private let topic: PageTopic
  private let rows: [HelpRow]
  private let columns: Int

  /// - Returns: nil if there is no such topic.
  package init?(_ name: String, root: CommandSchema, facts: PageFacts, columns: Int = 80) {
    if name == "options" {
      topic = PageTopic(name, title: "Global options")
      rows = root.options.map { HelpRow(full: $0) }
    } else {
      guard let topic = TopicPage.topics(root: root, facts: facts).first(where: { $0.name == name }) else { return nil }
      self.topic = topic
      rows = topic.entries.map { HelpRow(label: $0.term, help: $0.text) }
    }
    self.columns = min(max(columns, 40), 100)
  }

  package var text: String {
    var lines = [topic.title + ":"]
    for paragraph in topic.paragraphs { lines += [""] + Prose.wrap(paragraph, width: columns) }
    if !rows.isEmpty { lines += [""] + HelpRows(columns: columns, rows: rows).lines }
    return lines.text(separatedBy: "\n") + "\n"
  }

  /// The topics that are also in the man page; those with a section of their own in the man page come first.
  static func topics(root: CommandSchema, facts: PageFacts) -> [PageTopic] {
    [
      PageTopic("exit-codes", title: "Exit status", entries: facts.exitStatuses),
      PageTopic(
        "environment", title: "Environment variables", entries: TopicPage.variables(of: root) + facts.environment),
      PageTopic("files", title: "Files", entries: facts.files),
    ] + facts.topics
  }

  /// The variables that stand for options.
  static func variables(of command: CommandSchema) -> [PageEntry] {
    command.options.compactMap { option in
      option.environment.map { PageEntry($0, "Used if \(option.longLabel) is not given.") }
    }
  }
}
