import Support
import Testing

@testable import Text

/// Pasted commands, which must have exactly the intended arguments.
@Suite struct HintTests {
  /// Runs the line in a shell with a stub of the program that prints its arguments, and returns them.
  private static func arguments(_ line: String) throws -> [String] {
    let program = "ifttt() { printf '%s\\0' \"$@\"; }"
    let outcome = try Tool.required("sh").run(["-c", "\(program)\n\(line)"], in: ScratchFolder())
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(line): \(outcome.errors)")
    return outcome.output.split(separator: "\0", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  @Test(arguments: ShellWordTests.hostile) func valueIsOneArgument(value: String) throws {
    let command: SuggestedCommand = "connections show \(value)"
    let dashes = value.hasPrefix("-") ? ["--"] : []
    #expect(try Self.arguments(command.text) == ["connections", "show"] + dashes + [value])
  }

  @Test(arguments: ShellWordTests.hostile) func optionValueIsNotAnOption(value: String) throws {
    let command: SuggestedCommand = "token show --user-id \(value) --reveal"
    let option = value.hasPrefix("-") ? ["--user-id=\(value)"] : ["--user-id", value]
    #expect(try Self.arguments(command.text) == ["token", "show"] + option + ["--reveal"])
  }

  @Test(arguments: ShellWordTests.hostile) func pathIsNotAnOption(value: String) throws {
    let command: SuggestedCommand = "plugin install \(path: value)"
    #expect(try Self.arguments(command.text) == ["plugin", "install", value.hasPrefix("-") ? "./" + value : value])
  }

  @Test(arguments: ShellWordTests.hostile) func partsOfAWordStayTogether(value: String) throws {
    let command: SuggestedCommand = "connections show shelf:\(value)"
    #expect(try Self.arguments(command.text) == ["connections", "show", "shelf:\(value)"])
  }

  @Test func optionsPrecedeTheDashes() throws {
    let command: SuggestedCommand = "connections activate \("-x") --no-skip-config"
    let completed = command.with(
      [.init("--profile", "-p"), .init("--no-plugins")], [.init("--user-id", "it's")], after: 2)
    #expect(
      try Self.arguments(completed.text) == [
        "--profile=-p", "--no-plugins", "connections", "activate", "--user-id", "it's", "--no-skip-config", "--", "-x",
      ])
  }

  @Test func eachValueIsAnArgument() throws {
    let command: SuggestedCommand = "location on \(each: ["a b", "", "c"])"
    #expect(try Self.arguments(command.text) == ["location", "on", "a b", "", "c"])
    let resumed: SuggestedCommand = "\(command: ["connections", "disable"]) --resume"
    #expect(resumed.text == "ifttt connections disable --resume" && resumed.path == ["connections", "disable"])
  }

  @Test func unpastableValueBecomesAPlaceholder() {
    let command: SuggestedCommand = "connections show \("a\0b")"
    #expect(command.text == "ifttt connections show VALUE")
  }

  @Test func shellLinesHaveNoProgramName() {
    let path = "/a b"
    let hint: Hint = "Run: \(shell: "chmod 700 \(path: path)")"
    #expect(hint.text == "Run: chmod 700 '/a b'")
    let all = SuggestedCommand.all([SuggestedCommand(shell: "chmod 700 a"), SuggestedCommand(shell: "chmod 600 b")])
    #expect(all.text == "chmod 700 a && chmod 600 b")
  }

  // MARK: In sentences

  @Test func commandsAreQuoted() {
    let id = "Kd7Rn2Qx"
    let inside: Hint = "Run \(ifttt: "connections add \(id)"), then wait."
    #expect(inside.text == "Run 'ifttt connections add Kd7Rn2Qx', then wait.")
    let last: Hint = "Run: \(ifttt: "connections add \(id)")"
    #expect(last.text == "Run: ifttt connections add Kd7Rn2Qx")
    let followed: Hint = last + "; or stop."
    #expect(followed.text == "Run: 'ifttt connections add Kd7Rn2Qx'; or stop.")
  }

  /// If the quotation marks are pasted too, the command is not found, and no part of a value is executed.
  @Test(arguments: ShellWordTests.hostile) func pastedQuotationMarksAreHarmless(value: String) throws {
    let hint: Hint = "\(ifttt: "connections show \(value)")"
    let folder = try ScratchFolder()
    let outcome = try Tool.required("sh").run(["-c", hint.text], in: folder)
    #expect(outcome.status == 127, "\(hint.text)")
    #expect(Tool(path: "\(folder.path)/made") == nil)
    #expect(try Tool.required("ls").run(["made"], in: folder).status != 0, "\(hint.text)")
  }

  /// A command that ends a step can be pasted without removing quotation marks.
  @Test func stepsAreLinesOfTheirOwn() {
    let hint: Hint =
      "See the result: \(ifttt: "connections show ID")\nTo wait longer, pass --timeout 15m."
      + "\nOr: \(ifttt: "doctor")"
    #expect(
      hint.steps.map(\.text)
        == ["See the result: ifttt connections show ID", "To wait longer, pass --timeout 15m.", "Or: ifttt doctor"])
    #expect(hint.text == hint.steps.map(\.text).joined(separator: "\n"))
    let one: Hint = "Run \(ifttt: "doctor")."
    #expect(one.steps == [one])
  }

  @Test func linesDoNotBreakInsideCommands() {
    let id = "a b"
    let hint: Hint = "See what it is with \(ifttt: "connections show \(id)"), or wait."
    #expect(
      hint.units
        == ["See", "what", "it", "is", "with", "\u{201c}ifttt connections show 'a b'\u{201d},", "or", "wait."])
  }
}
