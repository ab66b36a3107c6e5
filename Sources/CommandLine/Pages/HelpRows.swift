import Text

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
    if !choices.isEmpty { paragraphs[0] += " (\(choices.map(\.value).text(separatedBy: ", ")))" }
  }

  init(full option: OptionSchema) {
    self.init(label: option.label, help: option.help, indent: option.indent)
    if option.isRepeatable { paragraphs.append("May be given more than once.") }
    add(option.choices)
    var facts: [String] = []
    if let text = option.defaultText { facts.append("Default: \(text).") }
    if let name = option.environment { facts.append("Environment: \(name).") }
    if !facts.isEmpty { paragraphs.append(facts.text(separatedBy: " ")) }
  }

  init(full argument: ArgumentSchema) {
    self.init(label: argument.label, help: argument.help)
    add(argument.value.choices)
  }

  /// Adds choices. Those with descriptions are listed; those without fit in a sentence.
  private mutating func add(_ choices: [Choice]) {
    guard !choices.isEmpty else { return }
    if choices.contains(where: { $0.help != nil }) {
      self.choices = choices
    } else {
      paragraphs.append("One of: \(choices.map(\.value).text(separatedBy: ", ")).")
    }
  }
}

extension OptionSchema {
  /// Aligns long names whether or not there is a short one.
  fileprivate var indent: String { short == nil ? "    " : "" }
}

/// A list in a help page, in two columns.
struct HelpRows {
  let columns: Int
  let rows: [HelpRow]
  let labelWidth: Int

  /// Creates a list.
  /// - Parameter labelWidth: the width of the first column; by default that of the widest label within a third of the
  ///   page.
  init(columns: Int, rows: [HelpRow], labelWidth: Int? = nil) {
    (self.columns, self.rows) = (columns, rows)
    let widths = rows.map { Prose.columns($0.label) }.filter { $0 <= columns / 3 }
    self.labelWidth = labelWidth ?? widths.max() ?? 8
  }

  var lines: [String] { rows.flatMap(lines) }

  private func lines(_ row: HelpRow) -> [String] {
    let indent = Prose.spaces(labelWidth + 4)
    var body = row.paragraphs.flatMap { Prose.wrap($0, width: columns - labelWidth - 4) }
    let choiceWidth = row.choices.map { Prose.columns($0.value) }.max() ?? 0
    for choice in row.choices {
      let words = Prose.wrap(choice.help ?? "", width: max(8, columns - labelWidth - 4 - choiceWidth - 4))
      let lead = "  " + Prose.padded(choice.value, to: choiceWidth) + "  "
      let rest = Prose.spaces(choiceWidth + 4)
      body += words.isEmpty ? ["  " + choice.value] : words.enumerated().map { ($0 == 0 ? lead : rest) + $1 }
    }
    guard Prose.columns(row.label) <= labelWidth, let first = body.first else {
      let fits = Prose.columns(row.label) + 2 <= columns
      return (fits ? [row.label] : Prose.wrap(row.label, width: columns - 2)).map { "  " + $0 }
        + body.map { indent + $0 }
    }
    return ["  " + Prose.padded(row.label, to: labelWidth) + "  " + first] + body.dropFirst().map { indent + $0 }
  }
}
