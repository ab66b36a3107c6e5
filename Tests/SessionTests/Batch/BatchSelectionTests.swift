import JSON
import ProgramDriver
import Support
import Testing

@testable import Session

/// The connections that a batch acts on, and the errors for an invalid selection.
@Suite struct BatchSelectionTests {
  @Test func acceptsAPrintedList() {
    for format in [
      "jsonl", "json", "table", "csv", "tsv", "csv --fields id", "tsv --fields id,name", "table --fields id",
    ] {
      let home = Home()
      let list = home.sandbox("connections list --status enabled -o \(format)")
      let words = "connections disable --stdin -o csv --no-header --fields id"
      // The list has a pending connection, whose step needs a confirmation.
      let refused = home.sandbox(words, input: .text(list.output))
      #expect(refused.exit == .failure)
      #expect(refused.output == "")
      #expect(refused.errors.contains("Yb8Cz3Ve cannot be enabled again until the user activates it in a browser."))
      let off = home.sandbox("\(words) --yes", input: .text(list.output))
      #expect(off.exit == .success)
      #expect(off.lines == ["Fq3Lw8Zt", "Kd7Rn2Qx", "Yb8Cz3Ve", "Wd5Po8Rk", "Rw9Ky4Hc"])
      #expect(
        off.notes == ["Once disabled, Yb8Cz3Ve cannot be enabled again until the user activates it in a browser."])
    }
  }

  @Test func invalidLinesAreReportedAndTheBatchContinues() {
    let home = Home.tracking("aa", "bb")
    let input = "aa\na b\naa\n{\"id\":null}\nbb\n../x\n"
    let server = Server().answering(200, Server.connection("aa")).answering(200, Server.connection("bb"))
      .answering(200, Server.connection("aa", status: "disabled"))
      .answering(200, Server.connection("bb", status: "disabled"))
    let run = home.run(
      "connections disable --stdin -o csv --no-header --fields id,changed", input: .text(input), answers: server)
    #expect(run.output == "aa,true\nbb,true\n")
    #expect(
      run.errors == """
        ifttt: 3 of 5 failed
          - line 2: expected one id per line
          - line 4: it has no "id" string
          - line 6: it is not a connection's id
          Pass one id per line, JSON Lines, a JSON array of ids or of objects with an "id", or a list that ifttt printed.

        """)
    #expect(run.exit == .partial)
  }

  @Test func inputWithoutValidLinesIsAUsageError() {
    let run = Home().sandbox("connections enable --stdin", input: .text("a b\n\u{1}\n"))
    #expect(run.exit == .usage)
    #expect(run.notes.first == "ifttt: stdin contains no valid id")
    #expect(run.errors.contains("  - line 1: expected one id per line\n"))
    #expect(run.output == "")
  }

  @Test(arguments: ["enable", "disable", "show", "add", "remove"]) func emptyInputHasNoEffect(_ verb: String) {
    let run = Home().sandbox("connections \(verb) --stdin --json", input: .text("# none today\n"))
    #expect(run.output == "[]\n")
    #expect(run.errors == "")
    #expect(run.exit == .success)
  }

  @Test func endlessInvalidInputIsBounded() {
    let home = Home()
    let input = String(repeating: "a b\n", count: 3000) + "Kd7Rn2Qx\n"
    let run = home.sandbox("connections disable --stdin --json --fields id", input: .text(input))
    #expect(run.output == "[\n{\"id\":\"Kd7Rn2Qx\"}\n]\n")
    #expect(run.exit == .partial)
    #expect(run.errors.contains(#""message":"3000 of 3001 failed""#))
    #expect(run.errors.contains(#"{"parameter":null,"message":"and 2900 more"}"#))
  }

  @Test func allRequiresConfirmation() {
    let home = Home.tracking("aa", "bb")
    func reading() -> Server {
      Server().answering(200, Server.connection("aa")).answering(200, Server.connection("bb"))
    }
    func changing() -> Server {
      reading().answering(200, Server.connection("aa", status: "disabled")).answering(
        200, Server.connection("bb", status: "disabled"))
    }
    let refused = home.run("connections disable --all", answers: reading())
    #expect(refused.exit == .failure)
    #expect(refused.output == "")
    #expect(refused.errors.contains("Disable 2 connections?"))
    #expect(refused.notes.last == "  Run 'ifttt connections disable --all --yes'.")
    let coded = home.run("connections disable --all --json", answers: reading())
    #expect(coded.errors.contains(#""code":"confirmation_required""#))
    home.terminal = .interactive()
    let no = home.run("connections disable --all", input: .typed(lines: ["n"]), answers: reading())
    #expect(no.exit == .failure)
    #expect(no.output == "")
    #expect(no.errors.contains("Disable 2 connections? [y/N] "))
    #expect(home.run("connections disable --all", input: .typed(lines: ["y"]), answers: changing()).exit == .success)
    home.terminal = .none
    #expect(home.run("connections remove --all").exit == .failure)
    #expect(home.last?.errors.text.contains("Stop tracking all 2 connections?") == true)
    #expect(home.run("connections remove --all --yes -o csv --no-header --fields id").output == "aa\nbb\n")
  }

  @Test func aDryRunSendsNoRequests() throws {
    let home = Home()
    let plan = home.sandbox("connections disable --all --dry-run --json")
    #expect(plan.exit == .success)
    let rows = try #require(try JSONValue(parsing: Array(plan.output.utf8)).array)
    #expect(rows.count == 9)
    let due = rows.filter { $0["requests"]?.array?.isEmpty == false }
    #expect(due.count == 5, "the others are not enabled: \(plan.output)")
    for row in due {
      let id = row["id"]?.string ?? ""
      #expect(row["before"]?["status"] == "enabled" && row["after"]?["status"] == "disabled")
      #expect(row["requests"]?.array?.count == 1)
      let request = row["requests"]?.array?.first
      #expect(request?["method"] == "POST")
      #expect(request?["url"]?.string?.hasSuffix("/v2/connections/\(id)/disable") == true, "\(row)")
    }
    let present = rows.first { $0["id"] == "Xe2Gf9Ln" }
    #expect(present?["before"]?["status"] == "disabled" && present?["after"]?["status"] == "disabled")
    let table = home.sandbox("connections disable --all --dry-run")
    #expect(table.notes.filter { $0 == "  ~ status: enabled → disabled" }.count == 5)
    #expect(table.notes.contains { $0.hasPrefix("Would ask: ") && $0.hasSuffix("Disable 5 connections?") })
    #expect(home.sandbox("connections list --status enabled --json --fields id").lines.count == 7)
  }

  @Test func staleStatusesAreFetchedFirst() {
    let home = Home.tracking("aa", "bb", "cc")
    home.wait(.seconds(100))
    let server = Server().answering(200, Server.connection("aa", status: "disabled")).answering(
      404, Server.error("not_found", "gone")
    ).answering(200, Server.connection("cc", status: "never_enabled")).answering(200, Server.connection("aa"))
    let run = home.run(
      "connections enable --status disabled,unknown -o csv --no-header --fields id,status", answers: server)
    #expect(run.output == "aa,enabled\n")
    #expect(run.exit == .partial)
    #expect(run.errors.contains("  - bb: no connection 'bb'"))
    #expect(server.asked.last == "POST connect.ifttt.com/v2/connections/aa/enable")
  }

  @Test func severalStatusesAreCombined() {
    let home = Home()
    home.sandbox("connections list")
    for words in ["--status disabled --status never_enabled", "--status disabled,never_enabled"] {
      let shown = home.sandbox("connections show \(words) -o csv --no-header --fields id")
      #expect(shown.lines == ["Xe2Gf9Ln", "Mh4Ts7Aq", "Ud6Jn1Gs", "pT5vXb2M"])
    }
    let one = home.sandbox("connections show --stdin --json --fields id", input: .text("Kd7Rn2Qx"))
    #expect(one.output == "[\n{\"id\":\"Kd7Rn2Qx\"}\n]\n", "one of a selection is still a list")
    #expect(home.sandbox("connections remove --status never_enabled -o tsv --no-header").exit == .success)
    #expect(home.sandbox("connections list --status never_enabled --json").output == "[]\n")
  }

  @Test(arguments: [
    ("disable", 28, "pass ids, or select connections with --all, --status, --stdin or --resume"),
    ("show aa --all", 28, "pass either ids or one of --all, --status or --stdin"),
    ("show --status enabled --all", 42, "pass either ids or one of --all, --status or --stdin"),
    ("add", 24, "pass ids, or select connections with --stdin"),
    ("disable --resume aa", 28, "pass either ids or one of --all, --status, --stdin or --resume"),
    ("enable --resume --force", 36, "--resume uses the options of the original run: omit --force"),
    ("show --all --raw", 31, "--raw accepts exactly one id"),
    ("list --report junit=x", 34, "--report needs --refresh"),
  ])
  func conflictingOptionsAreMarkedInTheCommandLine(words: String, column: Int, message: String) {
    let run = Home().run("connections \(words)")
    #expect(run.exit == .usage)
    #expect(run.notes.first == "ifttt: \(message)")
    let caret = run.notes.dropFirst(2).first?.prefix { $0 == " " }.count
    #expect(caret == column, "\(run.errors)")
  }

  @Test func onlyOneOptionMayReadStdin() {
    let run = Home().run("connections disable --stdin --user-token-file -", input: .text("token-of-the-tests\n"))
    #expect(run.exit == .usage)
    #expect(run.notes.first == "ifttt: --user-token-file: stdin is already read by another option")
  }

  @Test func ctrlCEndsReading() {
    let run = Home().sandbox("connections disable --stdin", input: .interrupted)
    #expect(run.exit == .interrupted)
    #expect(run.errors == "ifttt: interrupted\n")
  }
}
