import Arguments
import Foundation
import Support
import Testing
import World

@testable import Commands

/// A command that the program suggests works when it is pasted, in the profile of the command that suggested it.
@Suite struct SuggestedCommandTests {
  /// A value for each interpolation and placeholder; add new ones here.
  private static let values = [
    #"\(id)"#: "Kd7Rn2Qx", #"\(access.id)"#: "Kd7Rn2Qx", #"\(item.id)"#: "Kd7Rn2Qx", #"\(first)"#: "Kd7Rn2Qx",
    #"\(stray)"#: "Kd7Rn2Qx", #"\(region.connection)"#: "Kd7Rn2Qx", #"\(open.joined(separator: " "))"#: "Kd7Rn2Qx",
    "ID": "Kd7Rn2Qx", #"\(name):\(id)"#: "connect:Kd7Rn2Qx", #"\(program.name)"#: "connect",
    #"\(command)"#: "connections disable", #"\(shell.rawValue)"#: "bash", #"\(own)"#: "own",
    #"\(ShellQuoting.word($0.text))"#: "http://127.0.0.1:8976/", "SLUG": "lampost", "NAME": "work",
    "URL": "http://127.0.0.1:8976/done",
    "FILE": "HOME/a.file",
    "KEYFILE": "HOME/a.key", "PATH": "HOME/a-folder", "COMMAND": "connections-list", #"\(name)"#: "work",
    #"\(plugin.name)"#: "tides", #"\(first.plugin.name)"#: "tides", #"\(text.uppercased())"#: "GET",
    #"\(ShellWord.quoted(plugin.folder))"#: "HOME/tides", #"\(aim.id)"#: "Kd7Rn2Qx", #"\(try profileName)"#: "work",
    #"\($0)"#: "tides", #"\(path)"#: "HOME/tides",
    #"\(path)/plugin"#: "HOME/tides/plugin", #"\(trust.name)"#: "tides", #"\(origin)"#: "HOME/a-folder",
    #"\(first.0)"#: "tides", #"\(plugin)"#: "tides", #"\(provider.name)"#: "tides", #"\(folder)"#: "HOME/tides",
    #"\(folder)/plugin"#: "HOME/tides/plugin",
    #"\(plugin.folder)"#: "HOME/tides", #"\(quoted(newest))"#: "HOME/a.file",
  ]

  /// Text that only looks like a suggestion: names of commands, typed text, text for other programs.
  private static let others = [
    #"\(name)"#, #"\(run.command.joined(separator: " "))"#, "--no-plugins", "NAME", "NAME …", "@NAME@",
  ]

  private static func hints() throws -> [SourceHints.Hint] {
    try SourceHints.all().filter { hint in
      !others.contains(hint.line) && !hint.file.contains("/Templates/")
    }
  }

  private static func filled(_ hint: SourceHints.Hint, in home: TemporaryFolder) -> String {
    // A shell's redirection is not part of the command.
    var line = hint.line.components(separatedBy: " > ")[0]
    // The longest first, as one may be part of another.
    for (key, value) in values.sorted(by: { $0.key.utf8.count > $1.key.utf8.count }) where key.hasPrefix("\\") {
      line = line.replacingOccurrences(of: key, with: value)
    }
    return line.split(separator: " ").map { values[String($0)] ?? String($0) }.joined(separator: " ")
      .replacingOccurrences(of: "HOME", with: home.path)
  }

  @Test func everyHintInTheSourceRuns() throws {
    let hints = try Self.hints()
    #expect(hints.count > 60)
    for hint in hints {
      let home = TemporaryFolder()
      home.write("a.file", "{}")
      let line = Self.filled(hint, in: home)
      #expect(!line.contains("\\("), "no value is given for an interpolation of: \(hint)")
      // Commands of plugins are not part of this tree.
      guard line.split(separator: " ").first != "grab" else { continue }
      var options = GlobalOptions()
      options.profile = .sandbox
      let suggestions = SuggestedCommands(options, environment: { _ in nil }) { Root.group.node(at: [$0]) != nil }
      let pasted = suggestions.completed("ifttt \(line)").dropFirst("ifttt ".count)
      let world = TestWorld(
        now: Timestamp(milliseconds: 1_790_000_000_000), input: .text(""), folder: home, seed: 7,
        programs: { (_, _) throws(SystemError) in ProcessResult(status: 1, output: []) })
      world.processes.browser = .success(())
      let words = try #require(ShellWords.split(String(pasted)), "\(hint)")
      // Whatever comes of it here, it is understood, and it speaks to the sandbox: this transport fails the test.
      let code = Program.run(words, world: world.world) { _ in NoTransport() }
      #expect(code != .usage, "\(hint): \(world.errors.text)")
      _ = (world.errors.text, world.output.text)
    }
  }

  /// The plugin that comes with the program is not part of this tree; its texts name its commands.
  @Test func everyCommandOfTheBundledPluginExists() throws {
    let manifest = try Checkout.text("Sources/ifttt-grab/plugin.json")
    let sources = try Checkout.sources().filter { $0.contains("/GrabID/") }
    var names: Set<String> = []
    for path in sources {
      for line in try Checkout.text(path).components(separatedBy: "ifttt grab ").dropFirst() {
        names.insert(String(line.prefix { $0.isLowercase || $0 == "-" }))
      }
    }
    #expect(names.count > 2)
    for name in names { #expect(manifest.contains(#""\#(name)""#), "there is no 'ifttt grab \(name)'") }
    var options = GlobalOptions()
    options.profile = ProfileName(parsing: "a")
    let suggestions = SuggestedCommands(options, environment: { _ in nil }) { $0 == "grab" }
    #expect(suggestions.completed("Run ifttt grab login.") == "Run ifttt --profile a grab login.")
  }

  /// What fails or has nothing to show, and suggests a command that then succeeds.
  private static let failures = [
    "connections remove Nope1234", "connections show Nope1234 --offline", "connections open pT5vXb2M --no-browser",
    "location regions Nope1234", "location on Nope1234", "location report nowhere enter", "token remove nobody",
    "connections run Kd7Rn2Qx tidebook.add_entry -f lamp=nonsense", "configure Kd7Rn2Qx --set scene=nonsense",
    "connections wait Kd7Rn2Qx --for status=disabled --timeout 0", "connections enable Ud6Jn1Gs --json",
    "location events clear 17", "connections enable Kd7Rn2Qx Ud6Jn1Gs -o jsonl",
  ]

  @Test(arguments: failures) func whatIsSuggestedSpeaksOfTheSameProfile(line: String) throws {
    let home = SandboxHome()
    let failed = home.run("--profile sandbox \(line)", environment: [:])
    let hints = Self.suggested(in: failed.errors)
    for hint in hints {
      #expect(hint.hasPrefix("--profile sandbox ") || SuggestedCommands.unaffected.contains { hint.hasPrefix($0) })
    }
  }

  /// The lines behind `ifttt` in what was printed.
  private static func suggested(in text: String) -> [String] {
    text.components(separatedBy: "'ifttt ").dropFirst().compactMap { $0.split(separator: "'").first.map(String.init) }
  }

  @Test func pastedSuggestionSucceeds() {
    let home = SandboxHome()
    let failed = home.run("--profile sandbox connections remove Nope1234", environment: [:])
    #expect(Self.suggested(in: failed.errors) == ["--profile sandbox connections list"])
    let pasted = home.run(Self.suggested(in: failed.errors).first ?? "", environment: [:])
    #expect(pasted.code == .success && pasted.output.contains("Kd7Rn2Qx"), "\(pasted.errors)")
    // In the environment the profile holds for the pasted command too.
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
  ]) func optionsGoBehindTheName(text: String, completed: String) throws {
    var options = GlobalOptions()
    options.profile = ProfileName(parsing: "a")
    let suggestions = SuggestedCommands(options, environment: { _ in nil }) { Root.group.node(at: [$0]) != nil }
    #expect(suggestions.completed(text) == completed)
    #expect(suggestions.completed(suggestions.completed(text)) == completed)
  }
}
