import CommandLine
import Foundation
import ProgramDriver
import Support
import Testing
import Text
import World

@testable import Commands
@testable import Plugins
@testable import Session

/// A suggested command works when it is pasted, with the profile of the command that suggested it.
@Suite struct SuggestedCommandTests {
  /// A value for each interpolation and placeholder; add new ones here.
  private static let values = [
    #"\(id)"#: "Kd7Rn2Qx", #"\(after.id)"#: "Kd7Rn2Qx", #"\(access.id)"#: "Kd7Rn2Qx", #"\(item.id)"#: "Kd7Rn2Qx",
    #"\(list)"#: "ifttt.test", #"\(host.description)"#: "0.0.0.0", #"\(first)"#: "Kd7Rn2Qx", #"\(user)"#: "u-5521",
    #"\(each: undecided)"#: "Kd7Rn2Qx",
    #"\(untracked)"#: "Kd7Rn2Qx", #"\(region.connection)"#: "Kd7Rn2Qx", #"\(each: open)"#: "Kd7Rn2Qx",
    #"\(each: ids)"#: "Kd7Rn2Qx",
    "ID": "Kd7Rn2Qx", #"\(name):\(id)"#: "connect:Kd7Rn2Qx", #"\(program.name)"#: "connect",
    #"\(command: session.path)"#: "connections disable", #"\(shell.rawValue)"#: "bash", #"\(path: own)"#: "own",
    #"\(address.text)"#: "http://127.0.0.1:8976/", "SLUG": "lampost", "NAME": "work",
    "URL": "http://127.0.0.1:8976/done",
    "FILE": "HOME/a.file",
    "KEYFILE": "HOME/a.key", "PATH": "HOME/a-folder", "COMMAND": "connections-list", #"\(name)"#: "work",
    #"\(plugin.name)"#: "tides", #"\(first.plugin.name)"#: "tides", #"\(text.uppercased())"#: "GET",
    #"\(path: plugin.folder)"#: "HOME/tides", #"\(aim.id)"#: "Kd7Rn2Qx", #"\(try profileName)"#: "work",
    #"\($0)"#: "tides", #"\(typed: commandLine)"#: "connections list", #"\(subject.id)"#: "Kd7Rn2Qx",
    #"\(subject.name)"#: "Kd7Rn2Qx", #"\(requests[0].subject.id)"#: "Kd7Rn2Qx", #"\(String(newer.number))"#: "1",
    #"\(trust.name)"#: "tides", #"\(link.name)"#: "tides", #"\(path: link.origin)"#: "HOME/tides",
    #"\(String(number))"#: "1", #"\(target.name)"#: "http://127.0.0.1:3000/ifttt/v1",
    #"\(forwarder.target.name)"#: "http://127.0.0.1:3000/ifttt/v1",
    #"\(stored.name)"#: "work", #"\(first.index.name)"#: "work", #"\(name.description)"#: "tides",
    #"\(other.label)"#: "work", #"\(candidate.origin)"#: "HOME/a-folder", "LOCATION": "HOME/a.file",
    "SOURCE": "HOME/a-folder",
    #"\(first.0)"#: "tides", #"\(plugin)"#: "tides", #"\(provider.name)"#: "tides",
    ##"\("\(name)@\(package.manifest.version)")"##: "tides@1.0.0", ##"\("git+\(url.wire)")"##: "git+https://a.test/b",
    #"\(command: command)"#: "plugin link", #"\(path: product)"#: "HOME/a-folder",
    #"\(path: program)"#: "HOME/a-folder",
    ##"\("git+https://github.com/\(path)")"##: "git+https://a.test/b",
    ##"\("git+https://\(path)")"##: "git+https://a.test/b", ##"\("git+\(git.repository)")"##: "git+https://a.test/b",
    #"\(profile)"#: "work", #"\(actual)"#: "lampost", #"\(path: newest)"#: "HOME/a.file",
    #"\(path: folder)"#: "HOME/tides",
    #"\(path: trust.origin)"#: "HOME/a-folder", #"\(StarterIndex.location)"#: "HOME/a.file",
  ]

  /// Texts in which the words after `ifttt` are not a suggestion: a heading, typed text, pages that no run prints,
  /// and text that is the same in every profile.
  private static let spoken: [(file: String, begins: String)] = [
    ("Store/StoreRekey", "store backup"), ("Profile/ProfileList", "--profile sandbox"),
    ("Doctor/InstallationChecks", "plugin list"), ("Session/UsageEvents", "privacy on"),
    ("Privacy/PrivacyShow", "privacy on'. Events are"),
    ("Sandbox/DefinedSeed", "sandbox"),
    ("Connections/ConnectionsExport", "schema connections-file' prints"),
    ("Sandbox/DefinedSeed", "schema service-definition' prints"),
    ("Sandbox/SandboxStart", "sandbox activity' shows"),
    ("Sandbox/SandboxStart", "sandbox env"), ("Location/LocationReplay", "help tracks"),
    ("Session/ProgramPageContents", ""),
    ("System/EnvironmentVariable", ""),
    ("Recording/Replay", #"\(run.command"#),
    ("Connections/ConnectionsActivate", "configure ID' sets"), ("Configure/Configure", "init' sets up"),
    ("Plugin/PluginNew", "plugin test'"), ("Plugin/PluginNew", "plugin link PATH'."),
    ("Plugins/PluginProgram", "plugin install PATH'"), ("Plugins/ManifestSchema", "help --json'"),
    ("Plugins/TrustCheck", "as the user"), ("Plugins/PluginCatalog", #"\(name)"#),
    ("Plugins/PluginsLock", "plugin verify"),
  ]

  /// Text has no quoting and carries no options, so a command in a hint must be a value.
  @Test func commandsInHintsAreValues() throws {
    for hint in try SourceHints.bare() {
      let isSpoken = Self.spoken.contains { hint.file.contains($0.file) && hint.line.hasPrefix($0.begins) }
      #expect(isSpoken, "write it as \\(ifttt: \"…\"): \(hint)")
    }
  }

  private static func filled(_ hint: SourceHints.Hint, in home: TemporaryFolder) -> String {
    // A shell redirection is not part of the command.
    var line = hint.line.components(separatedBy: " > ")[0]
    // Replace the longest first, because one may be part of another.
    for (key, value) in values.sorted(by: { $0.key.utf8.count > $1.key.utf8.count }) where key.hasPrefix("\\") {
      line = line.replacingOccurrences(of: key, with: value)
    }
    return line.split(separator: " ").map { values[String($0)] ?? String($0) }.joined(separator: " ")
      .replacingOccurrences(of: "HOME", with: home.path)
  }

  /// The arguments of a command after it is shown and pasted.
  private static func pasted(_ line: String, with suggestions: SuggestedCommands) throws -> [RawArgument] {
    let hint = suggestions.completed(Hint(parts: [.text("Run: "), .command(SuggestedCommand(stringLiteral: line))]))
    #expect(hint.text.hasPrefix("Run: ifttt "), "\(hint.text)")
    return try #require(ShellWords.split(String(hint.text.dropFirst("Run: ifttt ".count))), "\(hint.text)")
  }

  @Test func everyHintInTheSourceRuns() throws {
    let hints = try SourceHints.all()
    #expect(hints.count > 80)
    var options = GlobalOptions()
    options.profile = .sandbox
    let suggestions = SuggestedCommands(options, environment: { _ in nil }, root: Root.group)
    for hint in hints {
      let home = TemporaryFolder()
      home.write("a.file", "{}")
      let line = Self.filled(hint, in: home)
      #expect(!line.contains("\\("), "an interpolation has no value: \(hint)")
      // The plugin is not part of this tree.
      guard line.split(separator: " ").first != "grab" else { continue }
      let words = try Self.pasted(line, with: suggestions)
      let noun = String(line.prefix { $0 != " " })
      if !noun.hasPrefix("-"), !SuggestedCommands.unaffected.contains(noun) {
        #expect(words.prefix(2).map(\.text) == ["--profile", "sandbox"], "\(hint)")
      }
      let world = TestWorld(
        environment: ["PATH": home.path], now: Timestamp(milliseconds: 1_790_000_000_000), input: .text(""),
        folder: home,
        seed: 7,
        programs: { (_, _) throws(SystemError) in ProcessResult(status: 1, output: []) })
      world.processes.browser = .success(())
      var given = world.world
      given.workingFolder = home.path
      guard !line.hasSuffix(" init") else { continue }
      // Whatever the result, the command must parse and must use the sandbox. This transport fails the test.
      let code = Program.run(words, world: given) { _ in NoTransport() }
      #expect(code != .usage, "\(hint): \(world.errors.text)")
      _ = (world.errors.text, world.output.text)
    }
  }

  /// Failed command lines with each option that is carried, and with values that a shell would split.
  private static let typed = [
    "connections activate Kd7Rn2Qx --as user --user-token-file 'my token' --service-key-file -k --user-id \"it's; ann\"",
    "applets enable a1 --service lampost --service-key-file 'my key' --user-id '$(id)'",
    "token exchange --access-token-file 'a b' --service-key-file 'c d' --user-id 'e f' --api v1 --service lampost",
    "sandbox reset --url 'http://127.0.0.1:8976'",
  ]

  private static func given(_ line: String, in root: CommandGroup<Action, OutputSchema?> = Root.group) throws
    -> (path: [String], provenance: [Provenance])
  {
    let words = try #require(ShellWords.split(line))
    guard
      case .run(_, let path, let provenance) = CommandTree.parser(of: root).parse(words, environment: { _ in nil })
        .outcome
    else { throw NotUnderstood(line: line) }
    return (path, provenance)
  }

  private struct NotUnderstood: Error { let line: String }

  @Test(arguments: typed) func everyHintAcceptsItsCarriedOptions(line: String) throws {
    let (path, provenance) = try Self.given(line)
    var options = GlobalOptions()
    options.profile = .sandbox
    let suggestions = SuggestedCommands(
      options, environment: { _ in nil }, root: Root.group, path: path, provenance: provenance)
    var carried: Set<String> = []
    for hint in try SourceHints.all() {
      let command = Self.filled(hint, in: TemporaryFolder())
      guard command.split(separator: " ").first != "grab" else { continue }
      let words = try Self.pasted(command, with: suggestions)
      let reading = Root.tree.ownParser.parse(words) { _ in nil }
      switch reading.outcome {
      case .usage(let error): Issue.record("\(hint): \(error.lines)")
      case .run(_, _, let again):
        carried.formUnion(
          again.filter { item in provenance.contains { $0.option == item.option && $0.typed == item.typed } }.map(
            \.option))
      case .help, .version: break
      }
    }
    #expect(!carried.isEmpty)
  }

  /// Every option of the list exists, and those that hold a secret are read from a file wherever they are carried.
  @Test func carriedOptionsExist() throws {
    let own = CommandPosition(root: Root.tree.ownSchema).subtree.flatMap(\.command.options).map { "--\($0.name)" }
    let manifest = try Checkout.text("Sources/ifttt-grab/plugin.json")
    for option in SuggestedCommands.carried {
      #expect(own.contains(option) || manifest.contains("\"name\": \"\(option.dropFirst(2))\""), "\(option)")
    }
    #expect(SuggestedCommands.carried.isSuperset(of: SuggestedCommands.secret))
  }

  @Test func optionsOfTheFailedCommandAreCarried() throws {
    let home = SandboxHome()
    home.folder.write("my token", "Zq8v_T2mLr-5YpWc0NdXs7KhGb3JtE9uFa6RiOxQ1lDyVwBk\n")
    let token = home.folder["my token"]
    let failed = home.run(
      "--profile sandbox connections enable Ud6Jn1Gs --user-token-file '\(token)' --user-id \"it's; $(id)\"",
      environment: [:])
    let line = try #require(failed.errors.components(separatedBy: "\u{201c}").dropFirst().first)
      .components(separatedBy: "\u{201d}")[0]
    let program = "ifttt() { printf '%s\\0' \"$@\"; }"
    let read = try Tool.required("sh").run(["-c", "\(program)\n\(line)"], in: ScratchFolder())
    #expect(
      read.output.split(separator: "\0").map(String.init) == [
        "--profile", "sandbox", "connections", "activate", "--user-token-file", token, "--user-id", "it's; $(id)",
        "Ud6Jn1Gs",
      ], "\(failed.errors)")
  }

  /// Stdin is consumed, and an invite code is not repeated, so the user must pass both again.
  @Test func optionsThatCannotBeCarriedAreNamed() throws {
    let (path, provenance) = try Self.given(
      "connections enable Kd7Rn2Qx --service-key-file - --invite-code lantern-4417 --user-id ann")
    let suggestions = SuggestedCommands(
      GlobalOptions(), environment: { _ in nil }, root: Root.group, path: path, provenance: provenance)
    let id = "Kd7Rn2Qx"
    let hint: Hint = "Run \(ifttt: "connections activate \(id)")."
    #expect(
      suggestions.completed(hint).text
        == "Run 'ifttt connections activate --user-id ann Kd7Rn2Qx'. "
        + "Pass --service-key-file - and --invite-code again.")
    // A command without these options gets none, and none is stored by accident.
    let others: Hint = "See \(ifttt: "connections list") or \(ifttt: "profile set NAME --service SLUG")."
    #expect(!suggestions.completed(others).text.contains("profile set --"))
    #expect(!suggestions.completed(others).text.contains("4417"))
  }

  @Test func givenOptionsAreNotRepeated() throws {
    let (path, provenance) = try Self.given("token exchange --service lampost --service other --user-id ann")
    let suggestions = SuggestedCommands(
      GlobalOptions(), environment: { _ in nil }, root: Root.group, path: path, provenance: provenance)
    let hint: Hint = "\(ifttt: "token exchange --service SLUG"), \(ifttt: "token exchange")"
    #expect(
      suggestions.completed(hint).text
        == "'ifttt token exchange --user-id ann --service SLUG', "
        + "'ifttt token exchange --service other --user-id ann'")
  }

  // MARK: Plugins

  /// The bundled plugin as it is built and installed, with the program itself.
  @Test func everyHintOfTheBundledPluginRuns() throws {
    let manifest = URL(fileURLWithPath: Checkout.path("Sources/ifttt-grab/plugin.json"))
    let program = try InstalledProgram()
    try program.bundle("grab", executable: BuiltProduct.path("ifttt-grab"), manifest: manifest)
    let plugins = PluginHome()
    try plugins.bundle("grab", manifest: try String(contentsOf: manifest, encoding: .utf8))
    _ = plugins.run("plugin list")
    let world = try #require(plugins.home.last).world
    let root = Root.group(adopting: PluginCommandTree(PluginDiscovery(world, [], own: Root.group)).commands)
    var options = GlobalOptions()
    options.profile = .sandbox
    let (path, provenance) = try Self.given("grab status --account 'an account'", in: root)
    let suggestions = SuggestedCommands(
      options, environment: { _ in nil }, root: root, path: path, provenance: provenance)
    let lines = Set(try SourceHints.all().filter { $0.file.contains("/GrabID/") }.map(\.line))
    #expect(lines.count > 5 && lines.contains("grab login"))
    for line in lines {
      // The plugin sends plain text.
      let filled = line.replacingOccurrences(of: "SCOPE", with: "openid")
      let sent: Hint = "Run \(ifttt: SuggestedCommand(stringLiteral: filled))."
      let shown = suggestions.completed(Hint(ofPlugin: sent.text)).text
      let pasted = try #require(shown.dropFirst("Run ?".count).range(of: ".", options: .backwards)).lowerBound
      let command = shown[..<pasted].dropFirst("Run ?".count).dropLast()
      #expect(command.hasPrefix("ifttt --profile sandbox \(filled.prefix { $0 != " " }) "), "\(shown)")
      let folder = try ScratchFolder()
      let outcome = try Tool.required("sh").run(
        ["-c", program.path + command.dropFirst("ifttt".count)], in: folder,
        environment: [
          "IFTTT_HOME": "\(folder.path)/home", "IFTTT_GRAB_CLIENT_ID": "lampost", "NO_PROXY": "*",
          // Nothing listens on this port.
          "IFTTT_GRAB_ISSUER": "http://127.0.0.1:1", "IFTTT_GRAB_DISCOVERY_URL": "http://127.0.0.1:1/",
        ])
      #expect(!outcome.errors.contains("for usage."), "\(command): \(outcome.errors)")
      #expect(outcome.status == 0 || outcome.errors.hasPrefix("ifttt: "), "\(command): \(outcome.errors)")
    }
  }

  @Test(arguments: [
    ("Run 'ifttt grab login'.", "Run \u{201c}ifttt --profile a grab login --account 'b c'\u{201d}."),
    ("Run ifttt grab login --force, then wait.", "Run ifttt --profile a grab login --force, then wait."),
    ("Run: ifttt grab login; or wait", "Run: ifttt --profile a grab login --account 'b c'; or wait"),
    ("See 'ifttt connections list'.", "See 'ifttt --profile a connections list'."),
    // A command in a quoted argument is not a command.
    (
      "\u{201c}ifttt connections show 'x: ifttt grab login'\u{201d}",
      "\u{201c}ifttt --profile a connections show 'x: ifttt grab login'\u{201d}"
    ),
  ]) func commandsAreFoundInTextOfPlugins(text: String, completed: String) throws {
    let plugins = PluginHome()
    try plugins.bundle("grab", manifest: try Checkout.text("Sources/ifttt-grab/plugin.json"))
    _ = plugins.run("plugin list")
    let root = Root.group(
      adopting: PluginCommandTree(PluginDiscovery(try #require(plugins.home.last).world, [], own: Root.group)).commands)
    let (path, provenance) = try Self.given("grab status --account 'b c'", in: root)
    var options = GlobalOptions()
    options.profile = ProfileName(parsing: "a")
    let suggestions = SuggestedCommands(
      options, environment: { _ in nil }, root: root, path: path, provenance: provenance)
    #expect(suggestions.completed(Hint(ofPlugin: text)).text == completed)
  }

  /// Commands that fail or have nothing to show, and suggest a command that then succeeds.
  private static let failures = [
    "connections remove Nope1234", "connections show Nope1234 --offline", "connections open pT5vXb2M --no-browser",
    "location regions Nope1234", "location on Nope1234", "location report nowhere enter", "token remove nobody",
    "connections run Kd7Rn2Qx tidebook.add_entry -f lamp=nonsense", "configure Kd7Rn2Qx --set scene=nonsense",
    "connections wait Kd7Rn2Qx --for status=disabled --timeout 0", "connections enable Ud6Jn1Gs --json",
    "location events clear 17", "connections enable Kd7Rn2Qx Ud6Jn1Gs -o jsonl",
  ]

  @Test(arguments: failures) func suggestionsUseTheSameProfile(line: String) throws {
    let home = SandboxHome()
    let failed = home.run("--profile sandbox \(line)", environment: [:])
    let hints = Self.suggested(in: failed.errors)
    for hint in hints {
      #expect(hint.hasPrefix("--profile sandbox ") || SuggestedCommands.unaffected.contains { hint.hasPrefix($0) })
    }
  }

  /// The command lines after `ifttt` in the output.
  private static func suggested(in text: String) -> [String] {
    text.components(separatedBy: "'ifttt ").dropFirst().compactMap { $0.split(separator: "'").first.map(String.init) }
  }

  @Test func aPastedSuggestionSucceeds() {
    let home = SandboxHome()
    let failed = home.run("--profile sandbox connections remove Nope1234", environment: [:])
    #expect(Self.suggested(in: failed.errors) == ["--profile sandbox connections list"])
    let pasted = home.run(Self.suggested(in: failed.errors).first ?? "", environment: [:])
    #expect(pasted.code == .success && pasted.output.contains("Kd7Rn2Qx"), "\(pasted.errors)")
    // A profile in the environment applies to the pasted command too.
    let variable = home.run("connections remove Nope1234")
    #expect(Self.suggested(in: variable.errors) == ["connections list"])
  }

  @Test func rowsAndJSONErrorsCarryTheProfileToo() {
    let home = SandboxHome()
    let failed = home.run("--profile sandbox --locale de connections enable Ud6Jn1Gs --json", environment: [:])
    let wanted = "'ifttt --profile sandbox --locale de connections activate Ud6Jn1Gs'"
    #expect(failed.output.contains(wanted), "\(failed.output)")
    #expect(failed.errors.contains(wanted), "\(failed.errors)")
  }

  @Test(arguments: [
    ("Run 'ifttt connections list'.", "Run 'ifttt --profile a connections list'."),
    ("Run: ifttt location on X; or say --yes", "Run: ifttt --profile a location on X; or say --yes"),
    ("See 'ifttt profile list' or 'ifttt token list'.", "See 'ifttt profile list' or 'ifttt --profile a token list'."),
    ("Try 'ifttt --profile b connections list'.", "Try 'ifttt --profile b connections list'."),
    ("End other processes of ifttt and try again.", "End other processes of ifttt and try again."),
    ("See /usr/lib/ifttt connections list", "See /usr/lib/ifttt connections list"),
    ("Undoing 'ifttt token set --profile b'.", "Undoing 'ifttt token set --profile b'."), ("ifttt", "ifttt"),
    ("'ifttt '", "'ifttt '"),
  ]) func optionsFollowTheProgramName(text: String, completed: String) throws {
    var options = GlobalOptions()
    options.profile = ProfileName(parsing: "a")
    let suggestions = SuggestedCommands(options, environment: { _ in nil }, root: Root.group)
    let hint = suggestions.completed(Hint(ofPlugin: text))
    #expect(hint.text == completed)
    #expect(suggestions.completed(hint).text == completed)
  }
}
