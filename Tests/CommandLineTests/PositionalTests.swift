import CommandLine
import Testing
import Text

/// How operands are assigned to positional arguments, and arguments that cannot be combined.
@Suite struct PositionalTests {
  @Test(arguments: [
    ("b c", Sample.Fields.Options(middle: ["b"], last: "c")),
    ("a b c", Sample.Fields.Options(first: "a", middle: ["b"], last: "c")),
    ("a b b2 b3 c", Sample.Fields.Options(first: "a", middle: ["b", "b2", "b3"], last: "c")),
  ])
  func assignsOperandsToArguments(_ words: String, _ expected: Sample.Fields.Options) throws {
    #expect(try Sample.action("connections fields \(words)") == .fields(expected))
  }

  @Test(arguments: [("", "MIDDLE"), ("b", "DIRECTORY")])
  func reportsMissingArguments(_ words: String, _ name: String) throws {
    let error = try Sample.error("connections fields \(words)")
    #expect(error.kind == .missingArgument)
    #expect(error.message == "missing argument \(name)")
  }

  @Test func theCaretOfAMissingArgumentIsAfterTheLine() throws {
    #expect(
      try Sample.error("connections run 5").lines == [
        "ifttt: missing argument ACTION",
        "  ifttt connections run 5",
        "                          ^",
        "Accepted values: log, mail.",
        "Run 'ifttt connections run --help' for usage.",
      ])
  }

  @Test func reportsASurplusArgument() throws {
    #expect(
      try Sample.error("connections run 5 log more and more").lines == [
        "ifttt: unexpected argument 'more'",
        "  ifttt connections run 5 log more and more",
        "                              ^^^^",
        "Run 'ifttt connections run --help' for usage.",
      ])
    #expect(
      try Sample.error("connections list a").hints.map(\.text) == [
        "'ifttt connections list' does not accept arguments."
      ])
  }

  @Test func reportsAnInvalidArgument() throws {
    #expect(try Sample.action("connections run 5 log") == .run(.init(id: Required(5), action: "log")))
    #expect(
      try Sample.error("connections run x log").lines == [
        "ifttt: invalid value 'x' for 'ID': expected a whole number from 0 to 99",
        "  ifttt connections run x log",
        "                        ^",
        "Run 'ifttt connections run --help' for usage.",
      ])
    #expect(try Sample.error("connections run 1 mali").suggestions == ["mail"])
    #expect(
      try Sample.error("connections run x").message
        == "invalid value 'x' for 'ID': expected a whole number from 0 to 99")
    #expect(try Sample.error("connections run x log more").kind == .invalidValue)
  }

  @Test func aNegativeNumberIsAnOption() throws {
    let error = try Sample.error("connections run -5 log")
    #expect(error.message == "unknown option '-5'")
    #expect(error.hints.map(\.text) == ["Use '--' before an argument that begins with a dash."])
    #expect(try Sample.error("connections run -- -5 log").kind == .invalidValue)
    #expect(try Sample.error("connections list -5").hints.isEmpty)
  }

  @Test func reportsConflicts() throws {
    #expect(
      try Sample.error("connections show a --all -q b").lines == [
        "ifttt: give ids or --all, not both",
        "  ifttt connections show a --all -q b",
        "                           ^^^^^",
        "Run 'ifttt connections show --help' for usage.",
      ])
    #expect(
      try Sample.error("connections show --all", ["IFTTT_INVITE_CODE": "abcde"]).carets
        == "                       ^^^^^")
    let nothing = try Sample.error("connections show")
    #expect(nothing.kind == .conflict && nothing.line == nil)
  }

  @Test func helpAcceptsACommandPath() throws {
    #expect(try Sample.action("help connections list") == .help(.init(path: ["connections", "list"])))
    #expect(try Sample.action("help --json token") == .help(.init(path: ["token"])))
    #expect(
      try Sample.error("help connections lsit more").lines == [
        "ifttt: unknown command 'lsit' of 'ifttt connections'",
        "  ifttt help connections lsit more",
        "                         ^^^^",
        "Did you mean 'list'?",
        "Run 'ifttt connections --help' for usage.",
      ])
    #expect(try Sample.error("help conections").suggestions == ["ifttt help connections"])
    let beyond = try Sample.error("help connections list more")
    #expect(beyond.message == "unknown command 'more' of 'ifttt connections list'")
    #expect(beyond.suggestions.isEmpty)
  }
}
