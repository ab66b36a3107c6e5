import Foundation
import Support
import Testing

/// `--jq`: the JSON output through the program `jq` on PATH.
@Suite struct JQTests {
  private let home = Home(nil, ["IFTTT_PROFILE": "sandbox"])

  /// Runs the program with a script in place of jq.
  ///
  /// The expression is checked by a run without input, which does nothing here. The input is in `$input`.
  private func run(_ words: [String], withScript script: String) throws -> Home.Outcome {
    let folder = TemporaryFolder()
    _ = folder.write("jq", "#!/bin/sh\ninput=$(cat); [ -n \"$input\" ] || exit 0\n\(script)\n", mode: 0o755)
    return try home.run(words, ["PATH": "\(folder.path):/usr/bin:/bin"])
  }

  private static let unchanged = #"printf '%s\n' "$input""#

  private func status(_ id: String) throws -> String {
    try home.run("connections", "list", "--search", id, "--fields", "status", "-o", "tsv", "--no-header").text
  }

  // MARK: The real program

  @Suite(.enabled(if: Tool.isInstalled("jq"), "skipped: needs jq")) struct Real {
    private let home = Home(nil, ["IFTTT_PROFILE": "sandbox"])

    @Test func stringsHaveNoQuotes() throws {
      let ids = try home.run("connections", "list", "--fields", "id", "-o", "tsv", "--no-header").text
      #expect(try home.run("connections", "list", "--jq", ".[].id").text == ids)
      #expect(try home.run("connections", "list", "-o", "jsonl", "--jq", ".id").text == ids)
      #expect(try home.run("connections", "list", "--json", "--fields", "id", "--jq", ".[].id").text == ids)
      #expect(
        try home.run("connections", "show", "Kd7Rn2Qx", "--fields", "id,status", "--jq", ".").text
          == #"{"id":"Kd7Rn2Qx","status":"enabled"}"# + "\n")
    }

    @Test func everyCommandWithJSONHasIt() throws {
      #expect(try home.run("version", "--jq", ".version|type").text == "string\n")
      #expect(try home.run("api", "GET", "/v2/me", "--jq", "type").text == "object\n")
      #expect(try home.run("help", "--jq", ".name").text == "ifttt\n")
      #expect(try home.run("schema", "connection", "--jq", ".title").text == "A connection\n")
      #expect(try home.run("profile", "list", "--jq", "length > 0").text == "true\n")
      let watch = ["connections", "watch", "Kd7Rn2Qx", "--initial", "--timeout", "0", "-o", "jsonl", "--jq", ".id"]
      #expect(try home.run(watch).text == "Kd7Rn2Qx\n")
    }

    @Test(arguments: ["-1", "# a comment\n.", ". as $x | $__loc__ | .line", "def f: 1; f", "1 # end"])
    func everyExpressionIsPassedOn(expression: String) throws {
      let outcome = try home.run("version", "--jq", expression)
      #expect(outcome.status == 0 && !outcome.text.isEmpty, "\(outcome.errors)")
    }

    @Test(arguments: [".[", "nope", ". | import \"x\" as x;"]) func anInvalidExpressionHasNoEffect(expression: String)
      throws
    {
      let outcome = try home.run("connections", "disable", "Kd7Rn2Qx", "--jq", expression)
      #expect(outcome.status == 1 && outcome.code == "refused" && outcome.text == "")
      #expect(outcome.errors.contains("jq rejected the expression"), "\(outcome.errors)")
      let list = ["connections", "list", "--search", "Kd7Rn2Qx", "--jq", ".[0].status"]
      #expect(try home.run(list).text == "enabled\n")
    }

    @Test func aFailureHasTheMessageOfJQ() throws {
      let outcome = try home.run("version", "--jq", ".version, .version.x")
      #expect(outcome.status == 1 && outcome.code == "output_failed")
      #expect(outcome.text.split(separator: "\n").count == 1)
      #expect(outcome.errors.contains("Cannot index string"), "\(outcome.errors)")
      // The exit status of jq is that of the last row, whatever happened before.
      let expression = #"if .id == "Kd7Rn2Qx" then error("first") else .id end"#
      let rows = try home.run("connections", "list", "-o", "jsonl", "--sort", "id", "--jq", expression)
      #expect(rows.status == 1 && rows.errors.contains("first"), "\(rows.errors)")
      #expect(rows.text.split(separator: "\n").count > 4)
    }

    @Test func aProgramThatNeedsNoMoreIsNotAFailure() throws {
      #expect(try home.run("connections", "list", "-o", "jsonl", "--jq", "halt").status == 0)
      let script = #"{ "$0" connections list -o jsonl --jq .id; echo "status $?" >&2; } | head -1"#
      let running = try Running(["/bin/sh", "-c", script, Home.program], environment: home.environment)
      #expect(running.readToEnd().split(separator: "\n").count == 1)
      #expect(running.readToEnd(running.errors) == "status 0\n")
      #expect(running.wait() == 0)
    }

    /// A change goes on although nothing reads its rows any more.
    @Test func aChangeContinues() throws {
      _ = try home.run("connections", "list")
      let words = ["connections", "disable", "Kd7Rn2Qx", "Fq3Lw8Zt", "-o", "jsonl", "--jq", "halt"]
      #expect(try home.run(words).status == 0)
      for id in ["Kd7Rn2Qx", "Fq3Lw8Zt"] {
        #expect(try home.run("connections", "show", id, "--jq", ".status").text == "disabled\n")
      }
    }

    @Test func aTerminalGetsIndentedJSONWithColors() throws {
      let running = try home.start(onTerminal: ["version", "--jq", "{a: 1}"], ["TERM": "xterm"])
      let text = running.read(until: "status")
      #expect(
        text.contains("{\r\n  \u{1b}[1m\"a\"\u{1b}[0m: \u{1b}[33m1\u{1b}[0m\r\n}\r\n"), "\(text.debugDescription)")
    }

    @Test func colorsFollowTheOption() throws {
      #expect(try home.run("version", "--jq", "{a: 1}", "--color", "always").text.contains("\u{1b}[33m1"))
      #expect(try home.run("version", "--jq", "{a: 1}").text == "{\"a\":1}\n")
    }
  }

  // MARK: Any program

  @Test func withoutJQNothingIsSent() throws {
    let empty = TemporaryFolder()
    let outcome = try home.run(["connections", "disable", "Kd7Rn2Qx", "--jq", "."], ["PATH": empty.path])
    #expect(outcome.status == 1 && outcome.code == "refused" && outcome.text == "")
    #expect(outcome.errors.contains("jq was not found") && outcome.errors.contains("Install jq"))
    #expect(try status("Kd7Rn2Qx") == "enabled\n")
  }

  @Test(arguments: ["csv", "tsv", "table"]) func otherFormatsAreUsageErrors(format: String) throws {
    for words in [["-o", format, "--jq", "."], ["--jq", ".", "-o", format]] {
      let outcome = try home.run(["version"] + words)
      #expect(outcome.status == 2 && outcome.errors.contains("--jq needs JSON"), "\(outcome.errors)")
    }
  }

  @Test func theFormatOfAVariableIsReplaced() throws {
    let outcome = try run(["version", "--jq", "."], withScript: Self.unchanged)
    #expect(outcome.text.hasPrefix(#"{"name":"ifttt""#), "\(outcome.errors)")
    home.environment["IFTTT_OUTPUT"] = "csv"
    #expect(try run(["version", "--jq", "."], withScript: Self.unchanged).text == outcome.text)
    #expect(try run(["version", "-o", "csv", "--json", "--jq", "."], withScript: Self.unchanged).text == outcome.text)
  }

  @Test func textCannotBeFiltered() throws {
    let outcome = try run(["completion", "bash", "--jq", "."], withScript: Self.unchanged)
    #expect(outcome.status == 2 && outcome.errors.contains("--jq needs JSON"), "\(outcome.errors)")
  }

  @Test func theProgramSeesNoSecrets() throws {
    let file = home.folder["seen"]
    home.environment["IFTTT_USER_TOKEN"] = "a-token-of-some-length"
    home.environment["GITHUB_TOKEN"] = "another-token"
    #expect(try run(["version", "--jq", "."], withScript: "env > '\(file)'").status == 0)
    let seen = try #require(home.folder.text("seen"))
    #expect(seen.contains("PATH=") && !seen.contains("token") && !seen.contains("IFTTT_"), "\(seen)")
  }

  @Test func theExitStatusIsReported() throws {
    let outcome = try run(
      ["version", "--jq", "."], withScript: #"echo '"before"'; echo one >&2; echo two >&2; exit 9"#)
    #expect(outcome.status == 1 && outcome.text == "before\n")
    #expect(outcome.errors.hasPrefix("one\n") && outcome.errors.contains("exit status 9"), "\(outcome.errors)")
    #expect(outcome.errors.contains("two"))
  }

  /// Much output in both directions at once does not block, and results of any length arrive.
  @Test func passesMuchOutput() throws {
    let whole = try home.run("help", "--json").text
    #expect(whole.utf8.count > 200_000)
    #expect(try run(["help", "--json", "--jq", "."], withScript: Self.unchanged).text == whole)
    let folder = TemporaryFolder()
    let script = "#!/bin/sh\nyes '[1,2,3]' | head -100000; sleep 1; exec cat >/dev/null\n"
    _ = folder.write("jq", script, mode: 0o755)
    let many = try home.run(["help", "--json", "--jq", "."], ["PATH": "\(folder.path):/usr/bin:/bin"])
    #expect(many.status == 0 && many.text == String(repeating: "[1,2,3]\n", count: 100_000))
  }
}
