import CommandLine
import Testing

/// The values that each kind accepts, and its errors for other values.
@Suite struct ValueKindTests {
  private func parse<Value>(_ kind: ValueKind<Value>, _ text: String) -> Value? { try? kind.parse(text) }

  private func problem<Value>(_ kind: ValueKind<Value>, _ text: String) -> ValueError? {
    do throws(ValueError) {
      _ = try kind.parse(text)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    ("500ms", Duration.milliseconds(500)), ("30s", .seconds(30)), ("5m", .seconds(300)), ("2h", .seconds(7200)),
    ("7d", .seconds(604_800)), ("0", .zero), ("0s", .zero), ("0ms", .zero), ("007s", .seconds(7)),
    ("5", .seconds(5)), ("30", .seconds(30)), ("007", .seconds(7)),
    ("36500d", .longestAccepted), ("3153600000000ms", .longestAccepted),
  ])
  func acceptsDurations(_ text: String, _ expected: Duration) { #expect(parse(.duration, text) == expected) }

  @Test(arguments: [
    "", " ", "s", "-5", "1.5", "5_", "-5s", "+5s", "1.5h", "5 s", " 5s", "5s ", "5S", "5sec", "5m30s", "٣s",
    "5\u{301}s", "1w",
    "0x1s",
    "00x",
  ])
  func rejectsOtherTextAsADuration(_ text: String) {
    #expect(
      problem(.duration, text)?.message
        == "expected a whole number of seconds, or a number with a unit, such as 500ms, 30s, 5m, 2h or 7d")
  }

  @Test(arguments: [
    "36501d", "9223372036854775807d", "9223372036854775807s", "99999999999999999999999ms", "3153600000001ms",
    "3153600001", "99999999999999999999999",
  ])
  func tooLong(_ text: String) { #expect(problem(.duration, text)?.message == "expected at most 36500d") }

  @Test func integersAreCheckedAgainstTheRange() {
    #expect(parse(.integer(in: -5...5), "-5") == -5)
    #expect(parse(.integer(), "9223372036854775807") == Int.max)
    for text in ["", "6", "-6", "1e2", " 1", "1 ", "0x1", "٣", "9223372036854775808", "--1"] {
      #expect(problem(.integer(in: -5...5), text)?.message == "expected a whole number from -5 to 5", "\(text)")
    }
    #expect(problem(.integer(in: Int.min...7), "8")?.message == "expected a whole number of at most 7")
    #expect(problem(.integer(in: Int.min...Int.max), "x")?.message == "expected a whole number")
    #expect(problem(.integer(), "-1")?.message == "expected a whole number of at least 0")
  }

  @Test func choicesAreAClosedSet() {
    let kind = ValueKind.oneOf(Sample.Status.self, placeholder: "STATUS") { $0 == .enabled ? "it runs" : nil }
    #expect(parse(kind, "never_enabled") == .neverEnabled)
    #expect(problem(kind, "neverEnabled") == ValueError("", accepted: ["enabled", "disabled", "never_enabled"]))
    #expect(parse(kind, "Enabled") == .enabled && parse(kind, "NEVER_enabled") == .neverEnabled)
    for text in ["", "enabled ", "enabled\0"] { #expect(parse(kind, text) == nil) }
    #expect(kind.schema.placeholder == "STATUS")
    #expect(
      kind.schema.completion
        == .choices([Choice("enabled", "it runs"), Choice("disabled"), Choice("never_enabled")]))
  }

  @Test func textsMayBeEmptyUnlessRequired() {
    #expect(parse(.text("X"), "") == "")
    #expect(parse(.nonEmpty("X"), "") == nil)
    #expect(parse(.file, "-") == "-")
    #expect(ValueKind.file.schema == ValueSchema(placeholder: "FILE", completion: .file))
    #expect(ValueKind.directory.schema == ValueSchema(placeholder: "DIRECTORY", completion: .directory))
    #expect(problem(.choice([Choice("a")], placeholder: "A"), "b") == ValueError("", accepted: ["a"]))
  }

  @Test func customTypesCanBeParsed() {
    let kind = ValueKind.parsed("CODE", completion: .dynamic("code"), expected: "one letter") {
      Character($0.isEmpty ? "?" : $0)
    }
    #expect(parse(kind, "x") == "x")
    let refusing = ValueKind<Character>.parsed("CODE", expected: "one letter") { _ in nil }
    #expect(problem(refusing, "x") == ValueError("expected one letter"))
    let renamed = kind.named("LETTER").completed(by: .file)
    #expect(renamed.schema == ValueSchema(placeholder: "LETTER", completion: .file))
    #expect(parse(renamed, "y") == "y")
  }

  @Test func listsAreSeparatedByCommas() throws {
    #expect(try Sample.read("connections list --fields a,b.c,ü").globals.fields == ["a", "b.c", "ü"])
    #expect(try Sample.action("connections list --ids 1,22,3") == .list(.init(ids: [1, 22, 3])))
    #expect(
      try Sample.error("connections list --ids=1,x2,3").lines == [
        "ifttt: invalid value 'x2' for '--ids': expected a whole number from 1 to 99",
        "  ifttt connections list --ids=1,x2,3",
        "                                 ^^",
        "Run 'ifttt connections list --help' for usage.",
      ])
    for value in ["", ",", "1,", ",1", "1,,2"] {
      let error = try Sample.error("connections list --ids '\(value)'")
      #expect(error.message == "invalid value '' for '--ids': an entry of the list is empty")
    }
    #expect(try Sample.error("connections list --ids 1,,2").carets == "                               ^")
  }
}
