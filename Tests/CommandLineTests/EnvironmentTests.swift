import CommandLine
import Testing
import Text

/// Global options, the environment, and the source of a value.
@Suite struct EnvironmentTests {
  @Test(arguments: [
    "--output json connections list", "connections --output json list", "connections list -o json",
    "-ojson connections list", "--json connections list", "connections list --output csv --json",
    "connections list --json=x --json", "connections list --output table -ojson",
  ])
  func globalOptionsMayBeAnywhere(_ line: String) throws {
    #expect(try Sample.read(line).globals.output == .json)
  }

  @Test func commandOptionsFollowTheCommand() throws {
    #expect(try Sample.action("connections show --all") == .show(.init(all: true)))
    #expect(
      try Sample.action("connections show a --service-key-file f b") == .show(.init(ids: ["a", "b"], keyFile: "f")))
    let error = try Sample.error("--status enabled connections list")
    #expect(error.message == "unknown option '--status'")
    #expect(error.hints.map(\.text) == ["It is an option of 'ifttt connections list'; place it after the command."])
  }

  @Test func aVariableProvidesAnAbsentOption() throws {
    let variables = ["IFTTT_OUTPUT": "csv", "IFTTT_RETRIES": "7", "IFTTT_PROFILE": "work", "IFTTT_WAIT": "no"]
    let reading = try Sample.read("connections list", variables)
    #expect(reading.globals == Sample.Globals(profile: "work", output: .csv, retries: 7))
    #expect(try Sample.action("connections list", variables) == .list(.init(wait: false)))
    #expect(try Sample.action("connections list -w", variables) == .list(.init(wait: true)))
    #expect(try Sample.read("connections list -o tsv", variables).globals.output == .tsv)
    #expect(try Sample.read("connections list --json", variables).globals.output == .json)
    #expect(try Sample.error("connections list --profile=", variables).kind == .invalidValue)
  }

  @Test func anEmptyVariableCountsAsAbsent() throws {
    let reading = try Sample.read(
      "connections list", ["IFTTT_OUTPUT": "", "IFTTT_PROFILE": "", "IFTTT_NO_PLUGINS": ""])
    #expect(reading.globals == Sample.Globals())
    guard case .run = reading.outcome else {
      Issue.record("expected a run")
      return
    }
  }

  @Test(arguments: [
    ("1", true), ("true", true), ("YES", true), ("on", true), ("0", false), ("False", false), ("no", false),
    ("off", false), ("2", nil), (" ", nil), ("nö", nil),
  ])
  func aVariableSetsASwitch(_ text: String, _ expected: Bool?) throws {
    guard let expected else {
      let error = try Sample.error("connections list", ["IFTTT_NO_PLUGINS": text])
      #expect(error.accepted.contains("yes"))
      return
    }
    #expect(try Sample.read("connections list", ["IFTTT_NO_PLUGINS": text]).globals.noPlugins == expected)
  }

  @Test func anInvalidVariableIsReported() throws {
    let error = try Sample.error("connections list", ["IFTTT_OUTPUT": "jsn"])
    #expect(
      error.lines == [
        "ifttt: invalid value 'jsn' for '--output' in IFTTT_OUTPUT", "Did you mean 'json'?",
        "Accepted values: table, json, jsonl, csv, tsv.", "Run 'ifttt connections list --help' for usage.",
      ])
    #expect(
      try Sample.error("connections list", ["IFTTT_OUTPUT": "\u{1B}"]).message
        == #"invalid value '\x1b' for '--output' in IFTTT_OUTPUT"#)
    #expect(error.line == nil && error.caret == nil && error.carets == nil)
    #expect(try Sample.read("connections list -o json", ["IFTTT_OUTPUT": "bogus"]).globals.output == .json)
    #expect(
      try Sample.error("connections list", ["IFTTT_RETRIES": "11"]).message
        == "invalid value '11' for '--retries' in IFTTT_RETRIES: expected a whole number from 0 to 10")
  }

  @Test func reportsTheSourceOfEachValue() throws {
    let line = "connections list --no-wait --json -S 'a b' --set= -S \(String(repeating: "x", count: 60))"
    guard case .run(_, _, let provenance) = try Sample.read(line, ["IFTTT_OUTPUT": "csv"]).outcome else {
      Issue.record("expected a run")
      return
    }
    #expect(
      provenance.map(\.line) == [
        "--output csv: from IFTTT_OUTPUT", "--json: from the command line", "--no-wait: from the command line",
        "--set a b: from the command line", "--set=: from the command line",
        "--set \(String(repeating: "x", count: 40))…: from the command line",
      ])
    #expect(provenance[2].source == .commandLine(index: 2, bytes: 0..<9))
    guard
      case .run(_, _, let secret) = try Sample.read("connections show a", ["IFTTT_INVITE_CODE": "abcde"]).outcome
    else {
      Issue.record("expected a run")
      return
    }
    #expect(secret.map(\.line) == ["--invite-code …: from IFTTT_INVITE_CODE"])
  }
}
