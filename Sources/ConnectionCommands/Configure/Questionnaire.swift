import IFTTT
import JSON
import Session

/// The questions about a connection's fields, one by one. It selects the questions and interprets the answers,
/// but does no input or output.
///
/// An empty answer leaves a value unchanged; `-` removes it.
struct Questionnaire {
  enum Action: Equatable {
    /// A line to show.
    case report(String)
    case ask(String)
    case end
  }

  private enum Question {
    case use(Feature)
    case value(ConfigurationForm.Entry)
    /// A location, and the parts of it given so far.
    case location(ConfigurationForm.Entry, [String])
  }

  private let connection: Connection
  private let options: [ConfigurationStep: FieldOptions]
  private let language: Language
  private(set) var configuration: UserConnection
  /// Lines to show before the next question.
  private var lines: [String] = []
  private var question: Question?
  private var features: [Feature]
  /// The fields of enabled user features that the user was prompted for.
  private var asked: Set<ConfigurationForm.FieldLocation> = []
  /// The user features whose titles were shown.
  private var titled: Set<Int> = []
  /// The ids of features that the user was offered to use.
  private var offered: Set<String> = []

  init(
    _ connection: Connection, _ configuration: UserConnection, _ options: [ConfigurationStep: FieldOptions],
    _ language: Language
  ) {
    (self.connection, self.configuration, self.options, self.language) = (connection, configuration, options, language)
    features = connection.features
  }

  /// Returns the next action. After an `ask`, pass the answer to ``receive(_:)``.
  mutating func next() -> Action {
    if question == nil { chooseQuestion() }
    if !lines.isEmpty { return .report(lines.removeFirst()) }
    guard let question else { return .end }
    return .ask(promptText(for: question))
  }

  mutating func receive(_ answer: String) {
    let answer = Questionnaire.trimmed(answer)
    switch question {
    case .use(let feature):
      if language.agrees(answer) { enable(feature) }
      question = nil
    case .value(let entry): receive(answer, for: entry)
    case .location(let entry, let parts): receive(answer, after: parts, for: entry)
    case nil: break
    }
  }

  // MARK: Choosing the question

  private mutating func chooseQuestion() {
    while let feature = features.first {
      let entries = ConfigurationForm(connection, configuration).entries.filter {
        $0.location.step.featureID == feature.id && $0.field.isHidden != true && !asked.contains($0.location)
          && $0.location.instance.map { configuration.features[$0].isEnabled } == true
      }
      if let entry = entries.first {
        asked.insert(entry.location)
        return begin(entry)
      }
      if !isEnabled(feature), question == nil, !offered.contains(feature.id) {
        offered.insert(feature.id)
        question = .use(feature)
        return
      }
      features.removeFirst()
    }
  }

  private func isEnabled(_ feature: Feature) -> Bool {
    configuration.features.contains { $0.featureID == feature.id && $0.isEnabled }
  }

  private mutating func enable(_ feature: Feature) {
    if let index = configuration.features.firstIndex(where: { $0.featureID == feature.id }) {
      configuration.setEnabled(index, to: true)
    } else {
      configuration.add(feature)
    }
  }

  private mutating func begin(_ entry: ConfigurationForm.Entry) {
    if let instance = entry.location.instance, titled.insert(instance).inserted {
      lines.append(connection.feature(entry.location.step.featureID)?.title ?? configuration.token(of: instance))
    }
    let needed = entry.field.isRequired == true ? " (\(language.text(.required)))" : ""
    lines.append(language.text(.valueFor(field: name(of: entry))) + needed)
    let choices = choices(for: entry)
    var group: String?
    for (index, option) in choices.enumerated() {
      if option.group != group, let name = option.group { lines.append("  \(name)") }
      group = option.group
      // Options of a group are indented, so that an option without a group does not seem to belong to it.
      lines.append("\(group == nil ? "  " : "    ")\(index + 1)  \(option.label ?? option.value)")
    }
    question = entry.kind.isLocation ? .location(entry, []) : .value(entry)
  }

  /// The field's label. The step's label is added if another field of the feature has the same one.
  private func name(of entry: ConfigurationForm.Entry) -> String {
    guard let label = entry.field.label else { return entry.address }
    let feature = connection.feature(entry.location.step.featureID)
    let sameLabel = feature?.fieldGroups.flatMap(\.fields).filter { $0.label == label && $0.isHidden != true } ?? []
    let step = feature?[entry.location.step.kind].first { $0.id == entry.location.step.stepID }
    guard sameLabel.count > 1, entry.location.step.kind != .feature, let step = step?.label else { return label }
    return "\(label) (\(step))"
  }

  private func choices(for entry: ConfigurationForm.Entry) -> [FieldValue.Option] {
    entry.kind.takesOptions ? options[entry.location.step]?.options[entry.location.field] ?? [] : []
  }

  // MARK: Prompts

  private func promptText(for question: Question) -> String {
    switch question {
    case .use(let feature): return language.asking(.useFeature(title: feature.title ?? feature.id))
    case .value(let entry):
      let instruction: Phrase? =
        switch entry.kind {
        case .select, .groupedSelect: .chooseOne
        case .checkboxes: .chooseSeveral
        default: nil
        }
      return asking(instruction, keepPrompt(entry))
    case .location(let entry, let parts):
      let part = [Phrase.latitude, .longitude, .radius, .address][partIndex(after: parts, entry)]
      return asking(part, parts.isEmpty ? keepPrompt(entry) : nil)
    }
  }

  private func keepPrompt(_ entry: ConfigurationForm.Entry) -> Phrase? {
    entry.isEmpty ? nil : .leaveAsIs(value: entry.value.asFieldValue)
  }

  private func asking(_ phrases: Phrase?...) -> String {
    let phrases = phrases.compactMap(\.self)
    return phrases.isEmpty ? "> " : language.asking(phrases.map(language.text))
  }

  /// The index of the next part of a location. A point has no radius.
  private func partIndex(after parts: [String], _ entry: ConfigurationForm.Entry) -> Int {
    parts.count == 2 && !entry.kind.needsRadius ? 3 : parts.count
  }

  // MARK: Answers

  private mutating func receive(_ answer: String, for entry: ConfigurationForm.Entry) {
    if answer.isEmpty { return keepValue(of: entry) }
    let choices = choices(for: entry)
    if answer == "-" {
      set(entry, to: [])
    } else if entry.isText {
      set(entry, to: [answer])
    } else if entry.kind == .checkboxes, choices.named(answer).isEmpty {
      set(entry, to: answer.split(separator: ",").map { pick(Questionnaire.trimmed(String($0)), choices) })
    } else {
      set(entry, to: [entry.kind.takesOptions ? pick(answer, choices) : answer])
    }
  }

  /// Returns the value of the option with this number.
  private func pick(_ word: String, _ choices: [FieldValue.Option]) -> String {
    guard let number = Int(word), choices.indices.contains(number - 1) else { return word }
    return choices[number - 1].value
  }

  private mutating func receive(_ answer: String, after parts: [String], for entry: ConfigurationForm.Entry) {
    if parts.isEmpty {
      if answer.isEmpty { return keepValue(of: entry) }
      if answer == "-" { return set(entry, to: []) }
      // A whole location at once, as `--set` accepts it.
      if answer.utf8.contains(UInt8(ascii: ",")) { return set(entry, to: [answer]) }
    }
    let index = partIndex(after: parts, entry)
    if index < 3, JSONNumber(plain: answer) == nil {
      report(.notANumber(answer))
      return
    }
    let parts = parts + [answer]
    guard index == 3 else {
      question = .location(entry, parts)
      return
    }
    // An empty radius prevents a house number from being parsed as the radius.
    let radius = entry.kind.needsRadius ? [] : [""]
    set(entry, to: [(parts.dropLast() + radius + [answer]).joined(separator: ",")])
  }

  private mutating func keepValue(of entry: ConfigurationForm.Entry) {
    if entry.field.isRequired == true, entry.isEmpty {
      report(.needsValue(field: entry.field.label ?? entry.address))
    } else {
      question = nil
    }
  }

  private mutating func set(_ entry: ConfigurationForm.Entry, to values: [String]) {
    do throws(FieldValueError) {
      let value = values.isEmpty ? nil : try entry.field.value(of: values, choices(for: entry))
      if value == nil, entry.field.isRequired == true { throw FieldValueError.needsValue }
      configuration.set(entry.location, to: value, in: connection)
      question = nil
    } catch {
      explain(error, of: entry)
      // Prompt for the location again from its first part.
      if entry.kind.isLocation { question = .location(entry, []) }
    }
  }

  private mutating func report(_ phrase: Phrase) { lines.append(language.text(phrase)) }

  /// Shows why a value is rejected. Invalid JSON is reported as for `--set`, since a user who types JSON understands
  /// that message.
  private mutating func explain(_ error: FieldValueError, of entry: ConfigurationForm.Entry) {
    switch error {
    case .needsValue: report(.needsValue(field: entry.field.label ?? entry.address))
    case .noOption(let word, _): report(.notAnOption(word))
    case .severalOptions(let word, _): report(.ambiguousOption(word))
    case .noNumber(let word), .noLocation(let word): report(.notANumber(word))
    case .needsRadius: report(.needsValue(field: language.text(.radius)))
    case .takesNoRadius: report(.pointHasNoRadius)
    case .outOfBounds(_, let bounds):
      report(.outOfBounds(low: Self.plain(bounds.lowerBound), high: Self.plain(bounds.upperBound)))
    case .noJSON: lines.append(error.description)
    }
  }

  private static func plain(_ number: Double) -> String {
    number == number.rounded() ? String(Int(number)) : String(number)
  }

  private static func trimmed(_ text: String) -> String {
    var text = text[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}

extension ConfigurationForm.Entry {
  fileprivate var isText: Bool { kind == .text || kind == .textArea }
}
