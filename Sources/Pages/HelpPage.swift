package import Arguments

/// What `-h` and `--help` print about one command.
package struct HelpPage {
  private let place: CommandPlace
  private let columns: Int
  private let isStyled: Bool

  /// - Parameters:
  ///   - columns: The terminal's width; lines are never wider than 100, which is hard to read.
  ///   - isStyled: Whether headings are bold, by an ANSI sequence.
  /// - Returns: Nil when no command has this path.
  package init?(root: CommandSchema, path: [String] = [], columns: Int = 80, isStyled: Bool = false) {
    guard let place = CommandPlace(root: root, path: path) else { return nil }
    self.place = place
    self.columns = min(max(columns, 40), 100)
    self.isStyled = isStyled
  }

  /// One screen for `-h`: no advanced option, and no more than 24 lines where the command's words leave a choice.
  package var brief: String {
    let roomy = brief(isDense: false)
    return roomy.count <= 24 ? text(roomy) : text(brief(isDense: true))
  }

  /// Everything, for `--help`.
  package var full: String {
    let command = place.command
    var lines = opening
    for paragraph in command.discussion {
      lines += [""] + Prose.wrap(paragraph, width: columns)
    }
    lines += section("Arguments", HelpRows(columns: columns, rows: command.arguments.map { HelpRow(full: $0) }).lines)
    lines += section(
      place.isRoot ? "Global options" : "Options",
      HelpRows(columns: columns, rows: command.options.map { HelpRow(full: $0) }).lines)
    lines += subcommands(isDense: false)
    if !place.isRoot {
      let global = place.acceptedOptions.dropFirst(command.options.count)
      lines += section("Global options", HelpRows(columns: columns, rows: global.map { HelpRow(full: $0) }).lines)
    }
    lines += examples
    return text(lines)
  }

  private func brief(isDense: Bool) -> [String] {
    let command = place.command
    var lines = opening
    let arguments = command.arguments.map { HelpRow(label: $0.label, help: $0.help) }
    lines += section("Arguments", HelpRows(columns: columns, rows: arguments).lines)
    let options = command.options.filter { !$0.isAdvanced }
    let rows = HelpRows(columns: columns, rows: options.map { HelpRow(brief: $0, withChoices: false) })
    let rich = HelpRows(columns: columns, rows: options.map { HelpRow(brief: $0, withChoices: true) })
    lines += section(place.isRoot ? "Global options" : "Options", isDense ? rows.lines : rich.lines)
    lines += subcommands(isDense: isDense)
    let more = place.isRoot || place.root.options.isEmpty ? "" : "; global options: \(place.root.name) -h"
    return lines + [""] + Prose.wrap("In full: \(place.line) --help\(more)", width: columns)
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

  private func subcommands(isDense: Bool) -> [String] {
    let groups = place.groups.map { group in
      (group.heading, group.places.map { HelpRow(label: $0.command.name, help: $0.command.summary) })
    }
    // One width for all groups, so that the summaries stand in one column.
    let width = HelpRows(columns: columns, rows: groups.flatMap(\.1)).labelWidth
    var lines: [String] = []
    for (index, (heading, rows)) in groups.enumerated() {
      let part = section(heading, HelpRows(columns: columns, rows: rows, labelWidth: width).lines)
      lines += isDense && index > 0 ? Array(part.dropFirst()) : part
    }
    return lines
  }

  private var examples: [String] {
    section(
      "Examples",
      place.command.examples.flatMap { example in
        Prose.wrap(Prose.capitalised(example.purpose), width: columns - 2).map { "  " + $0 }
          + ["    $ \(place.root.name) \(Prose.oneLine(example.arguments))"]
      })
  }

  private func section(_ heading: String, _ body: [String]) -> [String] {
    body.isEmpty ? [] : ["", bold(Prose.oneLine(heading) + ":")] + body
  }

  private func bold(_ text: String) -> String { isStyled ? "\u{1b}[1m\(text)\u{1b}[0m" : text }

  private func text(_ lines: [String]) -> String { lines.joined(separator: "\n") + "\n" }
}
