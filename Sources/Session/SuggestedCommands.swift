package import CommandLine
import IFTTT
package import Text
package import World

/// Adds the options in effect to the commands that hints suggest, so that they work when pasted.
///
/// Hints are written without knowledge of the command line, some of them in modules without access to it. The options
/// are therefore added when text leaves the program.
///
/// Only options that select the target, the user or the language of a command are added. Options for output, time
/// limits or effects (`--offline`, `--dry-run`) would change what the suggested command does.
package struct SuggestedCommands {
  package typealias Option = SuggestedCommand.Option

  /// The options that every command accepts.
  let global: [Option]
  /// The failed command's own options.
  private let given: [Option]
  private let schemas: [OptionSchema]
  private let root: CommandGroup<Action, OutputSchema?>

  /// - Parameters:
  ///   - path: the path of the command that prints the hints.
  ///   - provenance: the options in effect, and their sources.
  package init(
    _ options: GlobalOptions, environment: (EnvironmentVariable) -> String?, root: CommandGroup<Action, OutputSchema?>,
    path: [String] = [], provenance: [Provenance] = []
  ) {
    var global: [Option] = []
    // Environment variables apply to the pasted command anyway.
    if let profile = options.profile?.description, environment(.profile) != profile {
      global.append(Option("--profile", profile))
    }
    if let locale = options.locale { global.append(Option("--locale", locale.text)) }
    if options.disablesPlugins, environment(.noPlugins) == nil {
      global.append(Option(GlobalOptions.noPluginsOption))
    }
    self.global = global
    self.root = root
    var given: [Option] = []
    for item in provenance {
      guard case .commandLine = item.source, Self.carried.contains(item.option) else { continue }
      // An activation also has an option of this name, which selects only the page to open.
      guard item.option != "--url" || path.first == "sandbox" else { continue }
      // If an option is given twice, the last value counts, except for the repeatable one.
      if item.option != "--scope" { given.removeAll { $0.name == item.option } }
      given.append(Option(item.option, item.typed))
    }
    self.given = given
    schemas = given.isEmpty ? [] : root.options(at: path)
  }

  package init(_ options: GlobalOptions, in world: World, root: CommandGroup<Action, OutputSchema?>) {
    self.init(options, environment: { world.environment[$0] }, root: root)
  }

  /// Commands that these options do not affect, or that would store the given values.
  static let unaffected: Set = ["profile", "plugin", "store", "schema", "completion", "man", "help", "version"]

  /// Options that select the target and the user of a command. They are copied to commands with the same option.
  static let carried: Set = [
    "--as", "--user-token-file", "--service-key-file", "--access-token-file", "--user-id",
    "--invite-code", "--service", "--api", "--provider", "--url", "--webhooks-key-file",
    // Options of the bundled plugin.
    "--account", "--client-id", "--client-secret-file", "--discovery-url", "--environment", "--from-manifest",
    "--from-plist", "--issuer", "--partner-id", "--scope",
  ]

  /// The options in ``carried`` that select one user.
  private static let ofOneUser: Set = ["--user-token-file", "--user-id"]

  /// The options in ``carried`` whose value is itself a secret.
  package static let secret: Set = ["--invite-code"]

  // MARK: Hints

  /// The hint with the options added to each command, and a sentence about those that could not be added.
  package func completed(_ hint: Hint) -> Hint {
    var omitted: [Option] = []
    var parts: [Hint.Part] = hint.parts.flatMap { part -> [Hint.Part] in
      switch part {
      case .text, .verbatim: return [part]
      case .command(let command): return [.command(completed(command, &omitted))]
      case .plugin(let text):
        return PluginHint(text, known: { root.node(at: $0) != nil }).parts { completed($0, &omitted) }
      }
    }
    if !omitted.isEmpty {
      let names = omitted.map { $0.value == "-" ? "\($0.name) -" : $0.name }
      let sentence = " Pass \(names.joined(separator: " and ")) again."
      // The hint of an item in a batch is completed with the item, and again with the error of the batch.
      if !hint.text.hasSuffix(sentence) { parts.append(.text(sentence)) }
    }
    return Hint(parts: parts)
  }

  /// The command with the options added.
  package func completed(command: SuggestedCommand) -> SuggestedCommand {
    var omitted: [Option] = []
    return completed(command, &omitted)
  }

  /// - Parameter omitted: receives the options that the command accepts but that the user has to pass again.
  private func completed(_ command: SuggestedCommand, _ omitted: inout [Option]) -> SuggestedCommand {
    guard let added = added(to: command.path, has: { command.has($0) }, &omitted) else { return command }
    return command.with(added.global, added.own, after: added.depth)
  }

  /// The options before a command's name and after its words; nil if there is nothing to add.
  private func added(
    to path: [String], has: (String) -> Bool, _ omitted: inout [Option]
  ) -> (global: [Option], own: [Option], depth: Int)? {
    guard let first = path.first, !Self.unaffected.contains(first), !has("--profile") else { return nil }
    let depth = root.depth(of: path)
    guard depth > 0 else { return nil }
    let accepted = given.isEmpty ? [] : root.options(at: Array(path.prefix(depth)))
    var own: [Option] = []
    for option in given where !has(option.name) && schemas.agree(with: accepted, on: option.name) {
      // The file of --users has these for each user.
      if has("--users"), Self.ofOneUser.contains(option.name) { continue }
      if option.value == "-" || Self.secret.contains(option.name) {
        if !omitted.contains(option) { omitted.append(option) }
      } else {
        own.append(option)
      }
    }
    return (global.filter { !has($0.name) }, own, depth)
  }

  private func completed(_ found: PluginHint.Command, _ omitted: inout [Option]) -> String {
    guard let added = added(to: found.path, has: { found.has($0) }, &omitted) else { return found.text }
    return found.with(added.global, found.end == .name ? [] : added.own, after: added.depth)
  }
}

extension CommandGroup<Action, OutputSchema?> {
  /// The number of leading words that name a command or a noun.
  fileprivate func depth(of path: [String]) -> Int {
    path.indices.reversed().first { node(at: Array(path[...$0])) != nil }.map { $0 + 1 } ?? 0
  }

  /// The options of a command, or of a noun's default command.
  fileprivate func options(at path: [String]) -> [OptionSchema] {
    switch node(at: path) {
    case .command(let command): command.schema().options
    case .group(let group): group.defaultCommand.map { options(at: path + [$0]) } ?? []
    case nil: []
    }
  }
}

extension [OptionSchema] {
  /// Whether both commands have an option of this name with the same kind of value.
  fileprivate func agree(with others: [OptionSchema], on name: String) -> Bool {
    func schema(_ options: [OptionSchema]) -> OptionSchema? { options.first { "--\($0.name)" == name } }
    guard let own = schema(self), let other = schema(others) else { return false }
    return own.value?.placeholder == other.value?.placeholder
  }
}

extension Problem {
  /// The same problem, with the options in effect added to its hint.
  package func completed(with suggestions: SuggestedCommands) -> Problem {
    var problem = self
    problem.hint = hint.map(suggestions.completed)
    return problem
  }
}

/// Detects commands in the text of a plugin's hint.
///
/// A command is in quotes, as in this program's hints, or follows a colon up to the end of the text, or is a few bare
/// words in a sentence. Text in quotes inside a command is never detected as another command.
struct PluginHint {
  package struct Command {
    /// `ifttt …`, as the plugin wrote it.
    package let text: String
    package let end: End
    /// The length in characters of the text.
    let length: Int

    /// How the end of the command is detected.
    enum End {
      /// Quotation marks before and after the command.
      case mark
      case endOfText
      /// Only its name and switches can be distinguished from the sentence.
      case name
    }

    /// The words after the name that may name a command.
    package var path: [String] {
      let words = text.dropFirst(PluginHint.name.count).split(separator: " ").map(String.init)
      return Array(words.prefix { !$0.hasPrefix("-") && $0.utf8.allSatisfy(PluginHint.isPartOfAName) })
    }

    func has(_ option: String) -> Bool { text.includes(" \(option) ") || text.hasSuffix(" \(option)") }

    package func with(_ global: [SuggestedCommand.Option], _ own: [SuggestedCommand.Option], after depth: Int)
      -> String
    {
      var words = text.split(separator: " ", maxSplits: depth + 1, omittingEmptySubsequences: true).map(String.init)
      func shown(_ options: [SuggestedCommand.Option]) -> [String] {
        guard !options.isEmpty else { return [] }
        let command: SuggestedCommand = ""
        return [SuggestedCommand(shell: command).with(options).text]
      }
      words.insert(contentsOf: shown(own), at: min(depth + 1, words.count))
      words.insert(contentsOf: shown(global), at: 1)
      return words.joined(separator: " ")
    }
  }

  private static let name = "ifttt "
  private let text: [Character]
  private let isKnown: ([String]) -> Bool

  /// - Parameter known: whether words name a command or a noun.
  package init(_ text: String, known: @escaping ([String]) -> Bool) {
    (self.text, isKnown) = (Array(text), known)
  }

  /// The parts of the text, with each command formatted by `shown`.
  package func parts(_ shown: (Command) -> String) -> [Hint.Part] {
    var parts: [Hint.Part] = []
    var pending = ""
    var position = 0
    while position < text.count {
      guard let found = command(at: position) else {
        pending.append(text[position])
        position += 1
        continue
      }
      // Added options may contain quotes, which need other marks.
      if found.end == .mark { pending.removeLast() }
      if !pending.isEmpty { parts.append(.text(pending)) }
      pending = ""
      parts.append(.verbatim(found.end == .mark ? Hint.marked(shown(found)) : shown(found)))
      position += found.length + (found.end == .mark ? 1 : 0)
    }
    if !pending.isEmpty { parts.append(.text(pending)) }
    return parts
  }

  private func command(at position: Int) -> Command? {
    guard text[position...].starts(with: Self.name), position == 0 || !Self.continuesAWord(text[position - 1]) else {
      return nil
    }
    let first = word(at: position + Self.name.count)
    guard !first.isEmpty, !first.hasPrefix("-"), isKnown([first]) else { return nil }
    if let (end, kind) = markedEnd(from: position) { return command(position..<end, kind) }
    var path = [first]
    var end = position + Self.name.count + first.count
    while end < text.count, text[end] == " " {
      let next = word(at: end + 1)
      guard next.hasPrefix("--") || isKnown(path + [next]) else { break }
      if !next.hasPrefix("--") { path.append(next) }
      end += 1 + next.count
    }
    return command(position..<end, .name)
  }

  private func command(_ range: Range<Int>, _ end: Command.End) -> Command {
    Command(text: String(text[range]), end: end, length: range.count)
  }

  /// The end of a command that is set off by quotes or by a preceding colon.
  private func markedEnd(from position: Int) -> (Int, Command.End)? {
    guard position > 0 else { return nil }
    switch text[position - 1] {
    case "'": return text[position...].firstIndex(of: "'").map { ($0, .mark) }
    case "\u{201c}": return end(from: position, before: "\u{201d}").map { ($0, .mark) }
    case " " where position > 1 && text[position - 2] == ":":
      return (end(from: position, before: ";") ?? text.count, .endOfText)
    default: return nil
    }
  }

  /// The position of a character outside the quoted parts of the command.
  private func end(from position: Int, before character: Character) -> Int? {
    var isQuoted = false
    for index in position..<text.count {
      if text[index] == "'" { isQuoted.toggle() }
      if text[index] == character, !isQuoted { return index }
    }
    return nil
  }

  private func word(at position: Int) -> String {
    String(text[min(position, text.count)...].prefix { $0.utf8.allSatisfy(Self.isPartOfAName) })
  }

  fileprivate static func isPartOfAName(_ byte: UInt8) -> Bool {
    byte.isLowercase || byte == UInt8(ascii: "-")
  }

  /// Whether a subsequent name is part of a longer word, such as a path or a host.
  private static func continuesAWord(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "/.-_".contains(character))
  }
}
