import CommandLine
import Output
import Session
import Text

/// Finds commands for unrecognized arguments: from the table of foreign commands, the order of verb and noun, and the
/// form of the words.
struct CommandGuess {
  let root: ForeignNames.Group

  private struct Word {
    var text: String
    /// 0 for the unknown name, and then one number per operand; nil for a known word or the replacement of a synonym.
    var position: Int?
  }

  func advice(on name: String, under path: [String], _ operands: [String]) -> UnknownNameAdvice? {
    let words =
      path.map { Word(text: $0) } + [Word(text: name, position: 0)]
      + operands.enumerated().map { Word(text: $1, position: $0 + 1) }
    return assignment(name, path, operands) ?? setting(name, path, operands) ?? inTable(words, atLeast: 2) ?? withNoun(
      words) ?? verbFirst(words)
      ?? inTable(words) ?? advice(onJoined: name, path) ?? identifier(words) ?? nounAlone(words) ?? anyNoun(words)
  }

  /// `set Kd7Rn2Qx scene=Evening`, `config set Kd7Rn2Qx …`, `update Kd7Rn2Qx …`: the fields of a connection.
  private func assignment(_ name: String, _ path: [String], _ operands: [String]) -> UnknownNameAdvice? {
    guard path.isEmpty, let index = [name, operands.first ?? ""].firstIndex(where: Self.assigningVerbs.contains),
      index == 0 || Self.noun(name, in: root) == ["profile"], index < operands.count,
      Self.isIdentifier(operands[index])
    else { return nil }
    return UnknownNameAdvice([NameReplacement(["configure"], consuming: index)])
  }

  /// `config set service-key KEY`, `config get output`: the settings of a profile, which are options here. All operands
  /// are replaced, because none is the name of a profile.
  private func setting(_ name: String, _ path: [String], _ operands: [String]) -> UnknownNameAdvice? {
    let nouns = ["config", "configs", "settings", "secret", "secrets", "credential", "credentials", "auth"]
    guard path.isEmpty, nouns.contains(name), operands.count > 1 else { return nil }
    let count = operands.count
    let key = operands[1].lowercased()
    if key.includes("output") || key.includes("format") { return UnknownNameAdvice(hints: [ForeignCommands.ofOutput]) }
    if Self.readingVerbs.contains(operands[0]) {
      return UnknownNameAdvice([NameReplacement(["profile", "show"], consuming: count)])
    }
    guard Self.assigningVerbs.contains(operands[0]) || ["add", "put"].contains(operands[0]) else { return nil }
    if key.includes("lang") || key.includes("locale") { return UnknownNameAdvice(hints: [ForeignCommands.language]) }
    guard let meaning = Self.settings.first(where: { key.includes($0.key) })?.meaning else {
      return UnknownNameAdvice(hints: [ForeignCommands.ofSettings])
    }
    let words = meaning.split(separator: " ").map { $0 == "VALUE" && count > 2 ? "{3}" : String($0) }
    return UnknownNameAdvice([NameReplacement(words, consuming: count)])
  }

  /// Parts of the names of settings, and the commands that store them.
  private static let settings: [(key: String, meaning: String)] = [
    ("key", "profile set NAME --service-key-file FILE"), ("secret", "profile set NAME --service-key-file FILE"),
    ("token", "token set --user-token-file FILE"), ("service", "profile set NAME --service VALUE"),
    ("slug", "profile set NAME --service VALUE"), ("user", "profile set NAME --user-id VALUE"),
    ("url", "profile set NAME --base-url VALUE"), ("server", "profile set NAME --base-url VALUE"),
  ]

  private static let assigningVerbs: Set = ["set", "update", "edit", "change", "modify", "patch", "customize"]

  // MARK: The table

  /// The advice of the longest entry that the words begin with. The entry must include the unknown name.
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
    return UnknownNameAdvice(meanings.map { renumbered($0, after: used) }, hints: hints)
  }

  /// The replacement with its operands numbered from the unknown name: `{1}` in the table is the first operand after
  /// the words of the entry, and `{_}` drops it.
  private static func renumbered(_ meaning: NameReplacement, after used: Int) -> NameReplacement {
    var last = 0
    let words = meaning.words.compactMap { word -> String? in
      if word == "{_}" {
        last = max(last, 1)
        return nil
      }
      // `{2}`, also before other text: `{2}=`.
      guard word.hasPrefix("{"), let end = word.firstIndex(of: "}"), let number = Int(word[..<end].dropFirst()) else {
        return word
      }
      last = max(last, number)
      return "{\(number + used)\(word[end...])"
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

  /// `connection`: a synonym of a noun, without a verb.
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
    // `get connections`, as in kubectl.
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

  /// The path of the group that a word names.
  private static func noun(_ word: String, in root: ForeignNames.Group) -> [String]? {
    if case .group = root.node(at: [word]) { return [word] }
    return ForeignCommands.nouns[word]
  }

  /// The commands of a group that a verb may mean: the command of that name, or else its synonyms.
  private func verbs(_ verb: String, of path: [String]) -> [String] {
    if case .command = root.node(at: path + [verb]) { return [verb] }
    // Two synonyms may name the same command.
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
    // All parts have the position of the joined name.
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

  /// The groups whose subjects are often typed without a verb.
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
