import CommandLine
import Output
import Session
import Text

/// Finds the commands that arguments may mean: by the table, by the order of verb and noun, and by their forms.
struct CommandGuess {
  let root: ForeignNames.Group

  /// A typed word and its position: 0 for the unknown name, and then one number per operand. Nil for a word that is
  /// known, or in place of a synonym.
  private struct Word {
    var text: String
    var position: Int?
  }

  func advice(on name: String, under path: [String], _ operands: [String]) -> UnknownNameAdvice? {
    let words =
      path.map { Word(text: $0) } + [Word(text: name, position: 0)]
      + operands.enumerated().map { Word(text: $1, position: $0 + 1) }
    return inTable(words, atLeast: 2) ?? withNoun(words) ?? verbFirst(words) ?? inTable(words)
      ?? advice(onJoined: name, path) ?? identifier(words) ?? nounAlone(words) ?? anyNoun(words)
  }

  // MARK: The table

  /// The longest entry that these words begin with. It includes the unknown name.
  private func inTable(_ words: [Word], atLeast least: Int = 1) -> UnknownNameAdvice? {
    let known = words.prefix { $0.position == nil }.count
    for count in (least...max(least, min(4, words.count))).reversed() {
      guard count <= words.count, count > known || count == words.count else { continue }
      let used = words[count - 1].position ?? 0
      if let found = Self.entry(words.prefix(count).map(\.text), after: used) { return found }
    }
    return nil
  }

  /// - Parameter used: the position of the last word of the entry.
  private static func entry(_ words: [String], after used: Int) -> UnknownNameAdvice? {
    let key = words.joined(separator: " ")
    let (meanings, hints) = (ForeignCommands.table[key] ?? [], ForeignCommands.hints[key] ?? [])
    guard !meanings.isEmpty || !hints.isEmpty else { return nil }
    return UnknownNameAdvice(meanings.map { placed($0, after: used) }, hints: hints)
  }

  /// The replacement with its operands numbered from the unknown name: `{1}` in the table is the first operand after
  /// the words of the entry.
  private static func placed(_ meaning: NameReplacement, after used: Int) -> NameReplacement {
    var last = 0
    let words = meaning.words.map { word -> String in
      guard word.hasPrefix("{"), let number = Int(word.dropFirst().dropLast()) else { return word }
      last = max(last, number)
      return "{\(number + used)}"
    }
    return NameReplacement(words, consuming: used + last)
  }

  // MARK: Order and synonyms

  /// `connection ls`, `connections ls`: a noun or its synonym, and a verb or its synonym.
  private func withNoun(_ words: [Word]) -> UnknownNameAdvice? {
    guard let first = words.first, let noun = Self.noun(first.text, in: root) else { return nil }
    let rest = Array(words.dropFirst())
    let renamed = noun.map { Word(text: $0) } + rest
    if noun != [first.text], let found = inTable(renamed) { return found }
    var (path, remaining) = (noun, rest[...])
    while let next = remaining.first, case .group = root.node(at: path + [next.text]) {
      path.append(next.text)
      remaining.removeFirst()
    }
    guard let verb = remaining.first else { return nil }
    let meanings = verbs(verb.text, of: path)
    guard !meanings.isEmpty else { return nil }
    return UnknownNameAdvice(meanings.map { NameReplacement(path + [$0], consuming: verb.position ?? 0) })
  }

  /// `connection`: a synonym of a noun, and nothing that means a verb.
  private func nounAlone(_ words: [Word]) -> UnknownNameAdvice? {
    guard let first = words.first, first.position != nil, let noun = Self.noun(first.text, in: root) else { return nil }
    let verb = ["list", "show", "info"].first { root.node(at: noun + [$0]) != nil }
    return UnknownNameAdvice([NameReplacement(noun + (verb.map { [$0] } ?? []))])
  }

  /// `list connections`, `create profile work`, `get /v2/me`.
  private func verbFirst(_ words: [Word]) -> UnknownNameAdvice? {
    guard words.count > 1, words[0].position == 0 else { return nil }
    if words[1].text.hasPrefix("/"), let method = Self.methods.first(where: { $0.lowercased() == words[0].text }) {
      return UnknownNameAdvice([NameReplacement(["api", method])])
    }
    guard let noun = Self.noun(words[1].text, in: root) else { return nil }
    let used = words[1].position ?? 1
    // `get connections` of kubectl.
    if words.count == 2, words[1].text.hasSuffix("s"), Self.readingVerbs.contains(words[0].text),
      root.node(at: noun + ["list"]) != nil
    {
      return UnknownNameAdvice([NameReplacement(noun + ["list"], consuming: used)])
    }
    if let found = Self.entry(noun + [words[0].text], after: used) { return found }
    let meanings = verbs(words[0].text, of: noun)
    guard !meanings.isEmpty else { return nil }
    return UnknownNameAdvice(meanings.map { NameReplacement(noun + [$0], consuming: used) })
  }

  private static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
  private static let readingVerbs: Set = ["get", "describe", "show", "view", "info", "inspect", "read"]

  /// The group that a word names.
  private static func noun(_ word: String, in root: ForeignNames.Group) -> [String]? {
    if case .group = root.node(at: [word]) { return [word] }
    return ForeignCommands.nouns[word]
  }

  /// The commands of a group that a verb means: the one of this name, or those of its synonyms.
  private func verbs(_ verb: String, of path: [String]) -> [String] {
    if case .command = root.node(at: path + [verb]) { return [verb] }
    // Two names may be those of one command.
    var found: Set<[String]> = []
    return (ForeignCommands.verbs[verb] ?? []).filter { name in
      root.node(at: path + [name]) != nil && found.insert(root.ownPath(of: path + [name])).inserted
    }
  }

  /// `connections:list`, `list-connections`: several words joined in one.
  private func advice(onJoined name: String, _ path: [String]) -> UnknownNameAdvice? {
    let parts = name.split { ":./_-".contains($0) }.map(String.init)
    guard (2...3).contains(parts.count), parts.joined(separator: "-").utf8.count == name.utf8.count else { return nil }
    if root.node(at: path + parts) != nil { return UnknownNameAdvice([NameReplacement(path + parts)]) }
    // All parts are at the position of the joined name.
    let words = path.map { Word(text: $0) } + parts.map { Word(text: $0, position: 0) }
    guard let found = inTable(words, atLeast: words.count) ?? withNoun(words) ?? verbFirst(words) else { return nil }
    return UnknownNameAdvice(found.replacements.map { NameReplacement($0.words) }, hints: found.hints)
  }

  // MARK: Identifiers

  /// `connections Kd7Rn2Qx`, `connection Kd7Rn2Qx enable`, `Kd7Rn2Qx`.
  private func identifier(_ words: [Word]) -> UnknownNameAdvice? {
    guard var index = words.firstIndex(where: { $0.position == 0 }) else { return nil }
    var path = index == 0 ? ["connections"] : words.prefix(index).map(\.text)
    if index == 0, words.count > 1, let noun = Self.noun(words[0].text, in: root) { (path, index) = (noun, 1) }
    guard case .group(let group) = root.node(at: path), let subject = Self.subjects[path.joined(separator: " ")],
      (subject == .anything && path.count == index) || Self.isIdentifier(words[index].text),
      NearestNames.of(words[index].text, among: group.names).isEmpty
    else { return nil }
    let number = words[index].position ?? 0
    if index + 1 < words.count, let verb = verbs(words[index + 1].text, of: path).first {
      return UnknownNameAdvice([NameReplacement(path + [verb, "{\(number)}"], consuming: number + 1)])
    }
    let verb = ["show", "fetch"].first { root.node(at: path + [$0]) != nil }
    return verb.map { UnknownNameAdvice([NameReplacement(path + [$0, "{\(number)}"], consuming: number)]) }
  }

  private enum Subject { case identifier, anything }

  /// The groups of which a subject is often typed without a verb.
  private static let subjects: [String: Subject] = [
    "connections": .identifier, "applets": .identifier, "profile": .anything, "plugin": .anything,
  ]

  /// Whether a word looks like a connection's id or the URL of its page rather than a command's name.
  private static func isIdentifier(_ word: String) -> Bool {
    if word.hasPrefix("https://") { return true }
    return (3...36).contains(word.utf8.count) && word.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }
      && word.utf8.contains { $0.isUppercase || $0.isDigit }
  }

  // MARK: Verbs alone

  /// `enable Kd7Rn2Qx`: a verb without its noun.
  private func anyNoun(_ words: [Word]) -> UnknownNameAdvice? {
    guard let verb = words.first, verb.position == 0 else { return nil }
    let found = root.children().compactMap { child -> NameReplacement? in
      guard case .group(let group) = child, case .command = root.node(at: [group.name, verb.text]) else { return nil }
      return NameReplacement([group.name, verb.text])
    }
    return found.isEmpty ? nil : UnknownNameAdvice(Array(found.prefix(3)))
  }
}
