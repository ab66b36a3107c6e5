import Connect
import JSON

/// Asks for the fields of a connection one by one: decides what to ask and what an answer means, and asks nobody itself.
///
/// An empty answer leaves a value as it is, `-` takes it away.
struct Questionnaire {
  enum Action: Equatable {
    /// A line to show.
    case tell(String)
    case ask(String)
    case end
  }

  private enum Question {
    case use(Feature)
    case value(ConfigurationForm.Entry)
    /// What of a location has been given so far.
    case location(ConfigurationForm.Entry, [String])
  }

  private let connection: Connection
  private let options: [ConfigurationStep: FieldOptions]
  private let prompts: ConfigurePrompts
  private(set) var configuration: UserConnection
  /// Lines that go out before the next question.
  private var lines: [String] = []
  private var question: Question?
  private var features: [Feature]
  /// Of the user features that are on, those whose fields were asked for.
  private var asked: Set<ConfigurationForm.Place> = []
  private var titled: Set<Int> = []

  init(
    _ connection: Connection, _ configuration: UserConnection, _ options: [ConfigurationStep: FieldOptions],
    _ prompts: ConfigurePrompts
  ) {
    (self.connection, self.configuration, self.options, self.prompts) = (connection, configuration, options, prompts)
    features = connection.features
  }

  /// What to do now; after an `ask`, `take` comes next.
  mutating func next() -> Action {
    if question == nil { choose() }
    if !lines.isEmpty { return .tell(lines.removeFirst()) }
    guard let question else { return .end }
    return .ask(words(for: question))
  }

  mutating func take(_ answer: String) {
    let answer = Questionnaire.trimmed(answer)
    switch question {
    case .use(let feature):
      if prompts.isYes(answer) { turnOn(feature) }
      question = nil
    case .value(let entry): take(answer, for: entry)
    case .location(let entry, let parts): take(answer, after: parts, for: entry)
    case nil: break
    }
  }

  // MARK: Which question

  private mutating func choose() {
    while let feature = features.first {
      let entries = ConfigurationForm(connection, configuration).entries.filter {
        $0.place.step.featureID == feature.id && $0.field.isHidden != true && !asked.contains($0.place)
          && $0.place.instance.map { configuration.features[$0].isEnabled } == true
      }
      if let entry = entries.first {
        asked.insert(entry.place)
        return begin(entry)
      }
      if !isOn(feature), question == nil, !wasOffered.contains(feature.id) {
        wasOffered.insert(feature.id)
        question = .use(feature)
        return
      }
      features.removeFirst()
    }
  }

  private var wasOffered: Set<String> = []

  private func isOn(_ feature: Feature) -> Bool {
    configuration.features.contains { $0.featureID == feature.id && $0.isEnabled }
  }

  private mutating func turnOn(_ feature: Feature) {
    if let index = configuration.features.firstIndex(where: { $0.featureID == feature.id }) {
      configuration.turn(index, on: true)
    } else {
      configuration.add(feature)
    }
  }

  private mutating func begin(_ entry: ConfigurationForm.Entry) {
    if let instance = entry.place.instance, titled.insert(instance).inserted {
      lines.append(connection.feature(entry.place.step.featureID)?.title ?? configuration.token(of: instance))
    }
    let needed = entry.field.isRequired == true ? " (\(prompts.required))" : ""
    lines.append(prompts.valueFor(field: entry.field.label ?? entry.address) + needed)
    let choices = choices(for: entry)
    var group: String?
    for (index, option) in choices.enumerated() {
      if option.group != group, let name = option.group { lines.append("  \(name)") }
      group = option.group
      lines.append("  \(index + 1)  \(option.label ?? option.value)")
    }
    question = entry.kind.isLocation ? .location(entry, []) : .value(entry)
  }

  private func choices(for entry: ConfigurationForm.Entry) -> [FieldValue.Option] {
    entry.kind.takesOptions ? options[entry.place.step]?.options[entry.place.field] ?? [] : []
  }

  // MARK: Its words

  private func words(for question: Question) -> String {
    switch question {
    case .use(let feature):
      return "\(prompts.useFeature(title: feature.title ?? feature.id)) [\(prompts.yesOrNo)] "
    case .value(let entry):
      let what: String? =
        switch entry.kind {
        case .select, .groupedSelect: prompts.chooseOne
        case .checkboxes: prompts.chooseSeveral
        default: nil
        }
      return Questionnaire.sentence(what, keep(entry))
    case .location(let entry, let parts):
      let what = [prompts.latitude, prompts.longitude, prompts.radius, prompts.address][part(after: parts, entry)]
      return Questionnaire.sentence(what, parts.isEmpty ? keep(entry) : nil)
    }
  }

  private func keep(_ entry: ConfigurationForm.Entry) -> String? {
    entry.isEmpty ? nil : prompts.leaveAsIs(value: entry.value.asFieldValue)
  }

  private static func sentence(_ words: String?...) -> String {
    let words = words.compactMap(\.self)
    return words.isEmpty ? "> " : words.joined(separator: ". ") + ": "
  }

  /// A point has no radius.
  private func part(after parts: [String], _ entry: ConfigurationForm.Entry) -> Int {
    parts.count == 2 && !entry.kind.needsRadius ? 3 : parts.count
  }

  // MARK: What an answer means

  private mutating func take(_ answer: String, for entry: ConfigurationForm.Entry) {
    if answer.isEmpty { return leave(entry) }
    let choices = choices(for: entry)
    if entry.isText {
      set(entry, to: [answer])
    } else if answer == "-" {
      set(entry, to: [])
    } else if entry.kind == .checkboxes, choices.named(answer).isEmpty {
      set(entry, to: answer.split(separator: ",").map { pick(Questionnaire.trimmed(String($0)), choices) })
    } else {
      set(entry, to: [entry.kind.takesOptions ? pick(answer, choices) : answer])
    }
  }

  /// An option's value for its number.
  private func pick(_ word: String, _ choices: [FieldValue.Option]) -> String {
    guard let number = Int(word), choices.indices.contains(number - 1) else { return word }
    return choices[number - 1].value
  }

  private mutating func take(_ answer: String, after parts: [String], for entry: ConfigurationForm.Entry) {
    if parts.isEmpty {
      if answer.isEmpty { return leave(entry) }
      if answer == "-" { return set(entry, to: []) }
      // All of it at once, as --set takes it.
      if answer.utf8.contains(UInt8(ascii: ",")) { return set(entry, to: [answer]) }
    }
    let place = part(after: parts, entry)
    if place < 3, JSONNumber(plain: answer) == nil {
      lines.append(prompts.notANumber(answer))
      return
    }
    let parts = parts + [answer]
    guard place == 3 else {
      question = .location(entry, parts)
      return
    }
    // An empty radius keeps the number of a house from being taken for one.
    let radius = entry.kind.needsRadius ? [] : [""]
    set(entry, to: [(parts.dropLast() + radius + [answer]).joined(separator: ",")])
  }

  private mutating func leave(_ entry: ConfigurationForm.Entry) {
    if entry.field.isRequired == true, entry.isEmpty {
      lines.append(prompts.needsValue(field: entry.field.label ?? entry.address))
    } else {
      question = nil
    }
  }

  private mutating func set(_ entry: ConfigurationForm.Entry, to words: [String]) {
    do throws(ValueFault) {
      let value = words.isEmpty ? nil : try entry.field.value(of: words, choices(for: entry))
      if value == nil, entry.field.isRequired == true { throw ValueFault(.needsValue) }
      configuration.set(entry.place, to: value, in: connection)
      question = nil
    } catch {
      switch error.cause {
      case .needsValue: lines.append(prompts.needsValue(field: entry.field.label ?? entry.address))
      case .noOption(let word, _): lines.append(prompts.notAnOption(word))
      case .noNumber(let word): lines.append(prompts.notANumber(word))
      default: lines.append(error.words)
      }
      // A location is asked for from its beginning.
      if entry.kind.isLocation { question = .location(entry, []) }
    }
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
