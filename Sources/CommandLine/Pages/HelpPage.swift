import Text

/// How much of a command's help is shown.
package enum HelpDetail {
  /// One screen, for `-h`.
  case brief
  /// Everything, except that each group of options is one line of names, for `--help`.
  case full
  /// The text of every option, for `help COMMAND --all`.
  case complete
}

/// The output of `-h`, `--help` and `help COMMAND --all` for one command.
package struct HelpPage {
  private let position: CommandPosition
  private let columns: Int
  private let isStyled: Bool
  private let gettingStarted: [String]
  private let topics: [String]

  /// Creates the page.
  /// - Parameters:
  ///   - columns: the terminal's width; lines are never wider than 100 columns, because longer lines are hard to
  ///     read.
  ///   - isStyled: whether headings are bold, through an ANSI sequence.
  ///   - gettingStarted: lines for new users, at the end of the program's own short page.
  ///   - topics: the topics of `help`, for the program's own page.
  /// - Returns: nil if no command has this path.
  package init?(
    root: CommandSchema, path: [String] = [], columns: Int = 80, isStyled: Bool = false, gettingStarted: [String] = [],
    topics: [String] = []
  ) {
    guard let position = CommandPosition(root: root, path: path) else { return nil }
    self.position = position
    self.columns = min(max(columns, 40), 100)
    self.isStyled = isStyled
    self.gettingStarted = position.isRoot ? gettingStarted : []
    self.topics = position.isRoot ? topics : []
  }

  package func text(_ detail: HelpDetail) -> String {
    switch detail {
    case .brief: brief
    case .full: full(isFolded: true)
    case .complete: full(isFolded: false)
    }
  }

  /// One screen for `-h`: no advanced options, and at most 24 lines if the command's text can be shortened to that.
  private var brief: String {
    var lines: [String] = []
    for density in Density.allCases {
      lines = brief(density)
      if lines.count <= 24 { return text(lines) }
    }
    // The last groups matter least to a reader of the first page.
    for count in position.groups.indices.map({ $0 + 1 }) {
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
    /// Without the groups of options.
    case bare
  }

  private func full(isFolded: Bool) -> String {
    let command = position.command
    var lines = opening + examples
    for paragraph in command.discussion {
      lines += [""] + Prose.wrap(paragraph, width: columns)
    }
    lines += section("Arguments", HelpRows(columns: columns, rows: command.arguments.map { HelpRow(full: $0) }).lines)
    if !position.isRoot {
      lines += section("Options", rows(of: command.ownOptions))
      for group in isFolded ? [] : command.optionGroups { lines += section(group.key, rows(of: group.elements)) }
    }
    lines += subcommands(isDense: false)
    if position.isRoot {
      lines += section("Global options", rows(of: command.options))
    } else {
      lines += references(isFolded: isFolded)
    }
    if !topics.isEmpty {
      lines += section("Other help", topics.map { "  \(position.root.name) help \($0)" })
    }
    return text(lines)
  }

  /// - Parameter named: the number of groups, counted from the last, whose commands are listed by name only.
  private func brief(_ density: Density, named: Int = 0) -> [String] {
    let command = position.command
    var lines = opening
    let arguments = command.arguments.map { HelpRow(brief: $0, withChoices: density == .roomy) }
    lines += section("Arguments", HelpRows(columns: columns, rows: arguments).lines)
    let options = (position.isRoot ? command.options : command.ownOptions).filter { !$0.isAdvanced }
    let rows = HelpRows(columns: columns, rows: options.map { HelpRow(brief: $0, withChoices: density == .roomy) })
    if position.isRoot {
      lines += subcommands(isDense: density != .roomy, named: named)
      let part = section("Global options", density == .terse ? labels(of: options) : rows.lines)
      lines += density == .terse ? Array(part.dropFirst()) : part
    } else {
      lines += section("Options", rows.lines)
      lines += subcommands(isDense: density != .roomy, named: named)
      let groups = density == .bare ? [] : folded(command.optionGroups)
      lines += density == .terse || groups.isEmpty ? groups : [""] + groups
    }
    let more =
      position.isRoot || position.root.options.isEmpty ? "" : "; global options: \(position.root.name) help options"
    lines += [""] + Prose.wrap("Full help: \(position.line) --help\(more)", width: columns)
    return lines + gettingStarted.flatMap { Prose.wrap($0, width: columns) }
  }

  private func rows(of options: [OptionSchema]) -> [String] {
    HelpRows(columns: columns, rows: options.map { HelpRow(full: $0) }).lines
  }

  /// The lines at the end of a command's page: its groups of options by name, and references to the full text of these
  /// options and to the global options.
  private func references(isFolded: Bool) -> [String] {
    let groups = isFolded ? folded(position.command.optionGroups) : []
    let name = position.root.name
    var lines = groups
    if !groups.isEmpty {
      lines += reference("These options in full", "\(name) help \(position.path.joined(separator: " ")) --all")
    }
    if !position.root.options.isEmpty { lines += reference("Global options", "\(name) help options") }
    return lines.isEmpty ? [] : [""] + lines
  }

  private func reference(_ heading: String, _ command: String) -> [String] {
    let line = "\(heading): \(command)"
    return TextWidth.of(line) <= columns
      ? [bold(heading + ":") + " " + command] : [bold(heading + ":"), "  " + command]
  }

  /// Groups of options as one paragraph each: `Credentials: --as, --user-id`.
  private func folded(_ groups: [(key: String, elements: [OptionSchema])]) -> [String] {
    groups.flatMap { group in
      let heading = Prose.oneLine(group.key) + ":"
      let names = group.elements.map { Prose.oneLine($0.longLabel) }.joined(separator: ", ")
      let lines = Prose.wrap("\(heading) \(names)", width: columns - 2)
      return lines.enumerated().map { index, line in
        guard index == 0, line.hasPrefix(heading) else { return (index > 0 ? "  " : "") + line }
        return bold(heading) + String(line.dropFirst(heading.count))
      }
    }
  }

  /// Labels joined on lines without breaking any of them: `-o, --output FORMAT; --json`.
  private func labels(of options: [OptionSchema]) -> [String] {
    let labels = options.map { Prose.oneLine($0.label) }
    return labels.enumerated().reduce(into: [String]()) { lines, label in
      let text = label.element + (label.offset + 1 < labels.count ? ";" : "")
      if let last = lines.last, TextWidth.of(last) + 1 + TextWidth.of(text) <= columns {
        lines[lines.count - 1] += " " + text
      } else {
        lines.append("  " + text)
      }
    }
  }

  private var opening: [String] {
    let title = position.isRoot ? "\(position.root.name): \(position.command.summary)" : position.command.summary
    return Prose.wrap(title, width: columns) + [""]
      + position.usage.enumerated().flatMap { index, line in
        let lead = index == 0 ? "Usage: " : "       "
        let wrapped = Prose.wrap(line, width: columns - lead.count)
        return wrapped.enumerated().map { number, part in
          (number > 0 ? "         " : index == 0 ? bold("Usage:") + " " : lead) + part
        }
      } + position.aliases.map { bold("Also:") + "  " + $0.joined(separator: " ") }
  }

  private func subcommands(isDense: Bool, named: Int = 0) -> [String] {
    let groups = position.groups.map { group in
      (group.key, group.elements.map { HelpRow(label: $0.command.name, help: $0.command.summary) })
    }
    // Use one width for all groups, so that the summaries align.
    let width = HelpRows(columns: columns, rows: groups.flatMap(\.1)).labelWidth
    var lines: [String] = []
    for (index, (heading, rows)) in groups.enumerated() {
      if index >= groups.count - named {
        let names = "\(Prose.oneLine(heading)): \(rows.map(\.label).joined(separator: ", "))"
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
      position.command.examples.flatMap { example in
        Prose.wrap(Prose.capitalized(example.purpose), width: columns - 2).map { "  " + $0 }
          + ["    $ \(position.root.name) \(Prose.oneLine(example.arguments))"]
      })
  }

  private func section(_ heading: String, _ body: [String]) -> [String] {
    body.isEmpty ? [] : ["", bold(Prose.oneLine(heading) + ":")] + body
  }

  private func bold(_ text: String) -> String { isStyled ? "\u{1b}[1m\(text)\u{1b}[0m" : text }

  private func text(_ lines: [String]) -> String { lines.joined(separator: "\n") + "\n" }
}

/// One entry of a list in a help page: a label and its description.
struct HelpRow {
  var label: String
  var paragraphs: [String]
  /// The choices, listed below the paragraphs and aligned with each other.
  var choices: [Choice] = []

  init(label: String, help: String, indent: String = "") {
    (self.label, paragraphs) = (indent + Prose.oneLine(label), [help])
  }

  init(brief option: OptionSchema, withChoices: Bool) {
    self.init(label: option.label, help: option.help, indent: option.indent)
    if withChoices { append(option.choices) }
  }

  init(brief argument: ArgumentSchema, withChoices: Bool) {
    self.init(label: argument.label, help: argument.help)
    if withChoices { append(argument.value.choices) }
  }

  private mutating func append(_ choices: [Choice]) {
    if !choices.isEmpty { paragraphs[0] += " (\(choices.map(\.value).joined(separator: ", ")))" }
  }

  init(full option: OptionSchema) {
    self.init(label: option.label, help: option.help, indent: option.indent)
    if option.isRepeatable { paragraphs.append("Can be repeated.") }
    add(option.choices)
    var sentences: [String] = []
    if let text = option.defaultText { sentences.append("Default: \(text).") }
    if let name = option.environment { sentences.append("Environment: \(name).") }
    if !sentences.isEmpty { paragraphs.append(sentences.joined(separator: " ")) }
  }

  init(full argument: ArgumentSchema) {
    self.init(label: argument.label, help: argument.help)
    add(argument.value.choices)
  }

  /// Adds choices: as a list if they have descriptions, otherwise in a sentence.
  private mutating func add(_ choices: [Choice]) {
    guard !choices.isEmpty else { return }
    if choices.contains(where: { $0.help != nil }) {
      self.choices = choices
    } else {
      paragraphs.append("One of: \(choices.map(\.value).joined(separator: ", ")).")
    }
  }
}

extension OptionSchema {
  /// The indent of an option without a short name, which aligns its long name with others.
  fileprivate var indent: String { short == nil ? "    " : "" }
}

/// A list in a help page, in two columns.
struct HelpRows {
  let columns: Int
  let rows: [HelpRow]
  let labelWidth: Int

  /// Creates a list.
  /// - Parameter labelWidth: the width of the first column; by default, of the widest label that fits in a third of the
  ///   page.
  init(columns: Int, rows: [HelpRow], labelWidth: Int? = nil) {
    (self.columns, self.rows) = (columns, rows)
    let widths = rows.map { TextWidth.of($0.label) }.filter { $0 <= columns / 3 }
    self.labelWidth = labelWidth ?? widths.max() ?? 8
  }

  var lines: [String] { rows.flatMap(lines) }

  private func lines(_ row: HelpRow) -> [String] {
    let indent = Prose.spaces(labelWidth + 4)
    var body = row.paragraphs.flatMap { Prose.wrap($0, width: columns - labelWidth - 4) }
    let choiceWidth = row.choices.map { TextWidth.of($0.value) }.max() ?? 0
    // On a narrow page, the help is below the value instead of beside it.
    let width = columns - labelWidth - 4 - choiceWidth - 4
    for choice in row.choices {
      guard width >= 16 else {
        body +=
          ["  " + choice.value] + Prose.wrap(choice.help ?? "", width: columns - labelWidth - 8).map { "    " + $0 }
        continue
      }
      let words = Prose.wrap(choice.help ?? "", width: width)
      let lead = "  " + Prose.padded(choice.value, to: choiceWidth) + "  "
      let rest = Prose.spaces(choiceWidth + 4)
      body += words.isEmpty ? ["  " + choice.value] : words.enumerated().map { ($0 == 0 ? lead : rest) + $1 }
    }
    guard TextWidth.of(row.label) <= labelWidth, let first = body.first else {
      let fits = TextWidth.of(row.label) + 2 <= columns
      return (fits ? [row.label] : Prose.wrap(row.label, width: columns - 2)).map { "  " + $0 }
        + body.map { indent + $0 }
    }
    return ["  " + Prose.padded(row.label, to: labelWidth) + "  " + first] + body.dropFirst().map { indent + $0 }
  }
}
