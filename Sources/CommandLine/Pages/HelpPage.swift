import Text

/// The output of `-h` and `--help` for one command.
package struct HelpPage {
  private let place: CommandPlace
  private let columns: Int
  private let isStyled: Bool
  private let beginning: String?
  private let topics: [String]

  /// Creates the page.
  /// - Parameters:
  ///   - columns: the terminal's width; lines are never wider than 100 columns, because longer lines are hard to
  ///     read.
  ///   - isStyled: whether headings are bold, through an ANSI sequence.
  ///   - beginning: a line for new users, at the end of the program's own short page.
  ///   - topics: the topics of `help`, for the program's own page.
  /// - Returns: nil if no command has this path.
  package init?(
    root: CommandSchema, path: [String] = [], columns: Int = 80, isStyled: Bool = false, beginning: String? = nil,
    topics: [String] = []
  ) {
    guard let place = CommandPlace(root: root, path: path) else { return nil }
    self.place = place
    self.columns = min(max(columns, 40), 100)
    self.isStyled = isStyled
    self.beginning = place.isRoot ? beginning : nil
    self.topics = place.isRoot ? topics : []
  }

  /// One screen for `-h`: no advanced options, and at most 24 lines if the command's text can be shortened to that.
  package var brief: String {
    var lines: [String] = []
    for density in Density.allCases {
      lines = brief(density)
      if lines.count <= 24 { return text(lines) }
    }
    // The last groups matter least to a reader of the first page.
    for count in place.groups.indices.map({ $0 + 1 }) {
      lines = brief(.terse, named: count)
      if lines.count <= 24 { break }
    }
    return text(lines)
  }

  /// How much detail is omitted.
  private enum Density: CaseIterable {
    /// All details, with empty lines in between.
    case roomy
    /// Without the values of options and without the lines between groups of commands.
    case dense
    /// The program's own options by name only.
    case terse
  }

  /// The complete page, for `--help`.
  package var full: String {
    let command = place.command
    var lines = opening + examples
    for paragraph in command.discussion {
      lines += [""] + Prose.wrap(paragraph, width: columns)
    }
    lines += section("Arguments", HelpRows(columns: columns, rows: command.arguments.map { HelpRow(full: $0) }).lines)
    if !place.isRoot {
      lines += section("Options", HelpRows(columns: columns, rows: command.options.map { HelpRow(full: $0) }).lines)
    }
    lines += subcommands(isDense: false)
    if place.isRoot {
      let rows = command.options.map { HelpRow(full: $0) }
      lines += section("Global options", HelpRows(columns: columns, rows: rows).lines)
    } else if !place.root.options.isEmpty {
      // A page is about its command, so the options of all commands have a page of their own.
      lines += ["", bold("Global options:") + " see '\(place.root.name) help options'"]
    }
    if !topics.isEmpty {
      lines += section("Other help", topics.map { "  \(place.root.name) help \($0)" })
    }
    return text(lines)
  }

  /// - Parameter named: the number of groups, counted from the last, whose commands are listed by name only.
  private func brief(_ density: Density, named: Int = 0) -> [String] {
    let command = place.command
    var lines = opening
    let arguments = command.arguments.map { HelpRow(brief: $0, withChoices: density == .roomy) }
    lines += section("Arguments", HelpRows(columns: columns, rows: arguments).lines)
    let options = command.options.filter { !$0.isAdvanced }
    let rows = HelpRows(columns: columns, rows: options.map { HelpRow(brief: $0, withChoices: density == .roomy) })
    if place.isRoot {
      lines += subcommands(isDense: density != .roomy, named: named)
      let part = section("Global options", density == .terse ? labels(of: options) : rows.lines)
      lines += density == .terse ? Array(part.dropFirst()) : part
    } else {
      lines += section("Options", rows.lines)
      lines += subcommands(isDense: density != .roomy, named: named)
    }
    let more = place.isRoot || place.root.options.isEmpty ? "" : "; global options: \(place.root.name) help options"
    lines += [""] + Prose.wrap("Full help: \(place.line) --help\(more)", width: columns)
    return lines + (beginning.map { Prose.wrap($0, width: columns) } ?? [])
  }

  /// Labels joined on lines without breaking any of them: `-o, --output FORMAT; --json`.
  private func labels(of options: [OptionSchema]) -> [String] {
    let labels = options.map { Prose.oneLine($0.label) }
    return labels.enumerated().reduce(into: [String]()) { lines, label in
      let text = label.element + (label.offset + 1 < labels.count ? ";" : "")
      if let last = lines.last, Prose.columns(last) + 1 + Prose.columns(text) <= columns {
        lines[lines.count - 1] += " " + text
      } else {
        lines.append("  " + text)
      }
    }
  }

  private var opening: [String] {
    let title = place.isRoot ? "\(place.root.name): \(place.command.summary)" : place.command.summary
    return Prose.wrap(title, width: columns) + [""]
      + place.usage.enumerated().flatMap { index, line in
        let lead = index == 0 ? "Usage: " : "       "
        let wrapped = Prose.wrap(line, width: columns - lead.count)
        return wrapped.enumerated().map { number, part in
          (number > 0 ? "         " : index == 0 ? bold("Usage:") + " " : lead) + part
        }
      }
  }

  private func subcommands(isDense: Bool, named: Int = 0) -> [String] {
    let groups = place.groups.map { group in
      (group.heading, group.places.map { HelpRow(label: $0.command.name, help: $0.command.summary) })
    }
    // Use one width for all groups, so that the summaries align.
    let width = HelpRows(columns: columns, rows: groups.flatMap(\.1)).labelWidth
    var lines: [String] = []
    for (index, (heading, rows)) in groups.enumerated() {
      if index >= groups.count - named {
        let names = "\(Prose.oneLine(heading)): \(rows.map(\.label).text(separatedBy: ", "))"
        let wrapped = Prose.wrap(names, width: columns - 2)
        lines += [bold(wrapped.first ?? "")] + wrapped.dropFirst().map { "  " + $0 }
        continue
      }
      let part = section(heading, HelpRows(columns: columns, rows: rows, labelWidth: width).lines)
      lines += isDense && index > 0 ? Array(part.dropFirst()) : part
    }
    return lines
  }

  private var examples: [String] {
    section(
      "Examples",
      place.command.examples.flatMap { example in
        Prose.wrap(Prose.capitalized(example.purpose), width: columns - 2).map { "  " + $0 }
          + ["    $ \(place.root.name) \(Prose.oneLine(example.arguments))"]
      })
  }

  private func section(_ heading: String, _ body: [String]) -> [String] {
    body.isEmpty ? [] : ["", bold(Prose.oneLine(heading) + ":")] + body
  }

  private func bold(_ text: String) -> String { isStyled ? "\u{1b}[1m\(text)\u{1b}[0m" : text }

  private func text(_ lines: [String]) -> String { lines.text(separatedBy: "\n") + "\n" }
}
