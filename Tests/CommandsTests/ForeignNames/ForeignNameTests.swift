import CommandLine
import Support
import Testing
import Text

@testable import Commands
@testable import Session

/// Each name of another program leads to a command line of this program that runs.
@Suite struct ForeignNameTests {
  private func check(_ typed: String) {
    let stage = ForeignNameStage()
    let run = stage.run(typed)
    #expect(run.code == .usage && run.errors.contains("unknown command"), "\(run.errors)")
    for suggestion in run.suggestions {
      let pasted = expectRuns(suggestion, in: stage)
      let succeeds = Self.succeeding.contains { suggestion.hasPrefix("ifttt \($0)") }
      #expect(!succeeds || pasted.code == .success, "\(suggestion): \(pasted.errors)")
    }
    #expect(!run.suggestions.isEmpty || hint(for: typed) != nil, "\(run.errors)")
  }

  private func hint(for typed: String) -> [String]? { ForeignCommands.hints[typed].map { $0.map(\.text) } }

  /// A command may fail, for lack of a profile, a plugin or a server, but its command line is valid.
  @discardableResult
  private func expectRuns(_ suggestion: String, in stage: ForeignNameStage) -> ForeignNameStage.Run {
    let pasted = stage.runSuggested(suggestion)
    #expect(!pasted.errors.contains("--help' for usage."), "\(suggestion): \(pasted.errors)")
    return pasted
  }

  /// Commands that succeed in the sandbox profile with the values of the stage.
  private static let succeeding = [
    "connections list", "connections history", "connections show", "connections export", "token list",
    "token verify", "profile list", "profile show", "privacy show", "store info", "plugin list", "version",
    "applets fetch", "location regions", "help",
  ]

  // MARK: Commands

  @Test(arguments: ForeignCommands.table.keys.sorted()) func aCommandOfAnotherProgramLeadsToOneThatRuns(typed: String) {
    #expect(Root.group.node(at: typed.split(separator: " ").map(String.init)) == nil, "it is a command")
    check(typed)
  }

  @Test(arguments: ForeignCommands.hints.keys.sorted()) func aCommandWithoutAnEquivalentIsExplained(typed: String) {
    let run = ForeignNameStage().run(typed)
    #expect(run.code == .usage)
    for text in hint(for: typed) ?? [] { #expect(run.errors.contains(text), "\(run.errors)") }
  }

  @Test(arguments: ForeignCommands.nouns.keys.sorted()) func aSynonymOfANounLeadsToTheNoun(synonym: String) throws {
    let path = try #require(ForeignCommands.nouns[synonym])
    guard case .group(let group) = Root.group.node(at: path) else {
      Issue.record("\(path) is not a noun")
      return
    }
    #expect(Root.group.node(at: [synonym]) == nil, "it is a noun")
    check(synonym)
    for child in group.children() {
      guard case .command = child, !child.name.hasPrefix("_") else { continue }
      let run = ForeignNameStage().run("\(synonym) \(child.name)")
      let command = "ifttt \((path + [child.name]).joined(separator: " "))"
      let isInTable = ForeignCommands.table["\(synonym) \(child.name)"] != nil
      #expect(isInTable || run.suggestions.contains { $0.hasPrefix(command) }, "\(run.errors)")
    }
  }

  /// The paths of all nouns, and the names of their commands, also the second ones.
  private static let nouns: [(path: [String], names: Set<String>)] = CommandPosition(root: Root.tree.ownSchema).subtree
    .filter { !$0.isRoot && !$0.isRunnable }
    .map { noun in
      let commands = noun.subcommands.filter(\.isRunnable).map(\.command)
      let aliases = commands.flatMap(\.aliases).filter { $0.dropLast() == noun.path[...] }.compactMap(\.last)
      return (noun.path, Set(commands.map(\.name) + aliases))
    }

  @Test(arguments: ForeignCommands.verbs.keys.sorted()) func aSynonymOfAVerbLeadsToTheVerb(synonym: String) throws {
    var found = 0
    for (noun, names) in Self.nouns {
      let typed = (noun + [synonym]).joined(separator: " ")
      guard Root.group.node(at: noun + [synonym]) == nil, ForeignCommands.table[typed] == nil,
        ForeignCommands.hints[typed] == nil, let target = ForeignCommands.verbs[synonym]?.first(where: names.contains)
      else { continue }
      found += 1
      let stage = ForeignNameStage()
      let run = stage.run(typed)
      let command = "ifttt \((noun + [target]).joined(separator: " "))"
      #expect(run.suggestions.first?.hasPrefix(command) == true, "\(typed): \(run.errors)")
      for suggestion in run.suggestions.prefix(1) { expectRuns(suggestion, in: stage) }
    }
    #expect(found > 0, "it means nothing")
  }

  // MARK: Options

  /// Command lines to which an option without a scope is added, until one of them lacks it.
  private static let lines = [
    "connections list", "connections show Kd7Rn2Qx", "applets fetch", "sandbox requests", "token exchange",
    "configure Kd7Rn2Qx --no-input", "connections activate Kd7Rn2Qx --redirect-uri lampost://done",
    "connections apply", "profile show",
    "profile create", "service call http://127.0.0.1:8976 actions/add_entry", "connections remove", "sandbox activity",
    "connections wait Kd7Rn2Qx --for status=enabled", "connections undo", "connections export Kd7Rn2Qx",
  ]

  /// The operands of commands in the table of options.
  private static let operands = [
    "connections show": "Kd7Rn2Qx", "connections wait": "Kd7Rn2Qx", "connections open": "Kd7Rn2Qx",
    "connections run": "Kd7Rn2Qx tidebook.add_entry", "connections query": "Kd7Rn2Qx list_tides",
    "connections options": "Kd7Rn2Qx", "configure": "Kd7Rn2Qx", "connections export": "Kd7Rn2Qx",
    "connections button": "Kd7Rn2Qx", "profile set": "default", "profile create": "work", "plugin install": "tides",
    "plugin new": "tides", "plugin package": "tides", "service listen": "", "webhook fire": "evening",
    "sandbox faults set": "status=503", "service call": "http://127.0.0.1:8976 actions/add_entry",
    "service test": "http://127.0.0.1:8976", "api": "POST /v2/me", "location replay": "",
  ]

  /// Options whose names look like those of secrets. The line is not repeated with the value: only the name is
  /// suggested.
  private static let withheld = ["api --data-urlencode": "--field"]

  private static func split(_ key: String) -> (scope: String, option: String) {
    let words = key.split(separator: " ").map(String.init)
    return (words.dropLast().joined(separator: " "), words.last ?? "")
  }

  /// The lines to which an entry applies, with and without operands: the option may stand for one.
  private static func lines(for scope: String) -> [String] {
    scope.isEmpty ? lines : ["\(scope) \(operands[scope] ?? "")", scope]
  }

  /// The value that an entry needs, as typed after the option.
  private static func values(_ key: String, _ line: String, _ stage: ForeignNameStage) -> [String] {
    let path = line.split(separator: " ").map(String.init)
    let known =
      (1...3).compactMap { Root.options(of: Array(path.prefix($0))) }.flatMap(\.self)
      + Root.tree.ownParser.globalOptions
    let placeholders = (ForeignOptions.table[key] ?? []).compactMap { meaning -> String? in
      let words = meaning.words
      if let word = words.first(where: { $0.contains("{") }) {
        return String(word.drop { $0 != "{" }.dropFirst().prefix { $0 != "}" })
      }
      guard words.count == 1, words[0].hasPrefix("--") else { return nil }
      return known.first { "--\($0.name)" == words[0] }?.value?.placeholder
    }
    let command = path.prefix(2).joined(separator: " ")
    return placeholders.isEmpty
      ? [""]
      : placeholders.flatMap { placeholder -> [String] in
        // An option that reads stdin may have no value in the other program.
        placeholder == "-" ? [" -", ""] : [" " + (stage.value(of: placeholder, for: command) ?? placeholder)]
      }
  }

  @Test(arguments: ForeignOptions.table.keys.sorted()) func anOptionOfAnotherProgramLeadsToALineThatRuns(key: String) {
    let (scope, option) = Self.split(key)
    var hasSuggestion = false
    var errors = ""
    for line in Self.lines(for: scope) {
      let stage = ForeignNameStage()
      for value in Self.values(key, line, stage) {
        let run = stage.run("\(line) \(option)\(value)")
        guard run.errors.contains("unknown option '\(option)'") else { continue }
        errors = run.errors
        for suggestion in run.suggestions where suggestion.hasPrefix("ifttt ") {
          hasSuggestion = true
          expectRuns(suggestion, in: stage)
        }
      }
      if hasSuggestion { return }
    }
    if let name = Self.withheld[key] {
      #expect(errors.contains("Did you mean '\(name)'?"), "\(errors)")
      return
    }
    let known = (ForeignOptions.hints[key] ?? []) + (ForeignOptions.alternatives[key] ?? [])
    #expect(!known.isEmpty && known.allSatisfy { errors.contains($0.text) }, "\(errors)")
  }

  @Test(arguments: ForeignOptions.hints.keys.sorted()) func anOptionWithoutAnEquivalentIsExplained(key: String) {
    let (scope, option) = Self.split(key)
    let run = Self.lines(for: scope).lazy.map { ForeignNameStage().run("\($0) \(option) x") }
      .first { $0.errors.contains("unknown option '\(option)'") }
    for hint in ForeignOptions.hints[key] ?? [] {
      #expect(run?.errors.contains(hint.text) == true, "\(run?.errors ?? "the option exists")")
    }
  }

  // MARK: Secrets

  @Test(arguments: ForeignOptions.secrets.sorted()) func aSecretIsNeverAnArgument(option: String) {
    let secret = "Zq8v_T2mLr-5YpWc0NdXs7KhGb3JtE9uFa6RiOxQ1lDyVwBk"
    for line in ["connections list \(option) \(secret)", "--profile sandbox \(option)=\(secret) token verify"] {
      let run = ForeignNameStage().run(line)
      #expect(run.code == .usage && run.errors.contains("A secret is never an argument"), "\(run.errors)")
      #expect(run.errors.contains("-file FILE or set IFTTT_"), "\(run.errors)")
      #expect(!run.errors.contains("T2mLr"), "\(run.errors)")
    }
    let other = ForeignNameStage().run("profile list \(option) \(secret)")
    #expect(other.errors.contains("Store it from a file") && !other.errors.contains("T2mLr"), "\(other.errors)")
  }

  /// A line with a secret is not repeated as a suggestion; its first words are.
  @Test func aSuggestionRepeatsNoSecret() {
    let secret = "Zq8v_T2mLr-5YpWc0NdXs7KhGb3JtE9uFa6RiOxQ1lDyVwBk"
    for line in ["connections import \(secret)", "connections list --format json --token \(secret)"] {
      let run = ForeignNameStage().run(line)
      #expect(!run.errors.contains("T2mLr") && !run.suggestions.isEmpty, "\(run.errors)")
    }
  }

  // MARK: The other arguments

  @Test(arguments: [
    ("connections import file.json --prune", "ifttt connections apply file.json --prune"),
    ("-p sandbox connections import 'my file.json'", "ifttt -p sandbox connections apply 'my file.json'"),
    ("list connections --json", "ifttt connections list --json"),
    ("connections:list --json", "ifttt connections list --json"),
    ("list-connections", "ifttt connections list"),
    ("connections Kd7Rn2Qx", "ifttt connections show Kd7Rn2Qx"),
    ("connections Kd7Rn2Qx enable -y", "ifttt connections enable Kd7Rn2Qx -y"),
    ("Kd7Rn2Qx", "ifttt connections show Kd7Rn2Qx"),
    ("run Kd7Rn2Qx tidebook.add_entry", "ifttt connections run Kd7Rn2Qx tidebook.add_entry"),
    ("connections list --format=json --offline", "ifttt connections list --output=json --offline"),
    ("connections list --watch --json", "ifttt connections watch --json"),
    ("connections show --id Kd7Rn2Qx --json", "ifttt connections show Kd7Rn2Qx --json"),
    ("connections wait Kd7Rn2Qx --status=enabled", "ifttt connections wait Kd7Rn2Qx --for status=enabled"),
    ("configure Kd7Rn2Qx scene=Evening", "ifttt configure Kd7Rn2Qx --set scene=Evening"),
    ("token show --user-id u-5521", "ifttt token show u-5521"),
    ("create profile work", "ifttt profile create work"),
    ("profile create work --update --user-id u-1", "ifttt profile set work --user-id u-1"),
    ("connections refresh-labels Kd7Rn2Qx", "ifttt connections options --refresh Kd7Rn2Qx"),
    ("runs merge a.json b.json", "ifttt report merge a.json b.json"),
    (
      "connections activate Kd7Rn2Qx --redirect-url lampost://x",
      "ifttt connections activate Kd7Rn2Qx --finish lampost://x"
    ),
    ("connections show Kd7Rn2Qx --no-track", "ifttt connections show Kd7Rn2Qx"),
    // Two names are unknown. A line with one of them would be rejected, so only the command is suggested.
    ("connections delete Kd7Rn2Qx -auto-approve", "ifttt connections remove Kd7Rn2Qx --yes"),
    ("connections disable Kd7Rn2Qx -auto-approve", "ifttt connections disable Kd7Rn2Qx --yes"),
    ("completion --shell bash", "ifttt completion bash"),
    ("connections import", "ifttt connections apply FILE"),
    // What the command requires is added, also after a placeholder that is not a valid value.
    ("profile edit work", "ifttt profile set work --service SLUG"),
    ("service request", "ifttt service call URL ENDPOINT"),
    ("service events resend", "ifttt service events replay ID --forward URL"),
    ("plugin new --type provider", "ifttt plugin new --kind provider --language python NAME"),
    ("token set --file -", "ifttt token set --user-token-file -"),
  ]) func otherArgumentsAreKept(typed: String, suggestion: String) {
    let run = ForeignNameStage().run(typed)
    #expect(run.suggestions.first == suggestion, "\(run.errors)")
  }

  @Test func numbersAfterTheLetterOfADryRunAreRows() {
    let run = ForeignNameStage().run("sandbox requests -n 5")
    #expect(run.errors.contains("pass --last 5"), "\(run.errors)")
  }
}
