import CommandLine
import Support
import Testing

/// Global options that a command rejects although each is valid on its own.
@Suite struct CheckTests {
  private func read(_ line: String) throws -> UsageError? {
    let parser = Parser(
      root: Sample.root, globals: Sample.Globals.flags, defaults: Sample.Globals()
    ) { (globals: Sample.Globals, path: [String]) throws(GlobalOptionError) in
      guard path == ["connections", "list"], globals.profile == "a,b" else { return }
      throw GlobalOptionError("profile", ValueError("not here", accepted: ["bee"], bytes: 2..<3))
    }
    let outcome = parser.parse(try #require(ShellWords.split(line))) { _ in nil }.outcome
    guard case .usage(let error) = outcome else { return nil }
    return error
  }

  @Test func theFaultyPartIsUnderlined() throws {
    let error = try #require(try read("--profile x connections list --profile=a,b"))
    #expect(error.message == "invalid value 'b' for '--profile': not here")
    #expect(error.line == "ifttt --profile x connections list --profile=a,b")
    #expect(error.carets == "                                               ^")
    #expect(error.accepted == ["bee"])
    #expect(error.helpCommand == "ifttt connections list --help")
  }

  @Test(arguments: ["connections list", "connections list --profile a", "connections show x --profile a,b"])
  func otherCommandsRun(line: String) throws { #expect(try read(line) == nil) }

  /// Errors of the command itself come first, so the check can rely on an otherwise valid line.
  @Test func otherErrorsAreReportedFirst() throws {
    let error = try #require(try read("connections list --profile a,b --nonsense"))
    #expect(error.kind == .unknownOption)
  }

  /// The combination of options is checked only if all values could be parsed.
  @Test func theCheckIsSkippedAfterAnInvalidArgument() {
    enum Named: CommandDefinition {
      struct Options: CommandOptions { var name = Required<String>() }
      static let name = "named"
      static let summary = "Look at the name"
      static var positionals: [Positional<Options>] { [.required(.text("NAME"), into: \.name, help: "The name")] }
      static func check(_ options: Options) throws(Conflict) {
        if options.name.value.isEmpty { throw Conflict("an empty name") }
      }
    }
    let parser = Parser(
      root: CommandGroup<String, Void>("plain", summary: "") { [.command(Named.self, facts: ()) { _ in "" }] },
      globals: [Flag<Int>](), defaults: 0)
    let reading = parser.parse([RawArgument("named"), RawArgument(bytes: [0x61, 0xff])]) { _ in nil }
    guard case .usage(let error) = reading.outcome else {
      Issue.record("not a usage error")
      return
    }
    #expect(error.kind == .invalidValue)
  }
}
