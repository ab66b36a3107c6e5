import ProgramDriver
import Support
import Testing
import World

@testable import Session

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Formats, fields, headings and colors, and the handling of output that cannot be written.
@Suite struct PrinterTests {
  @Test func fieldsAreCheckedBeforeAnythingIsSent() {
    for line in [
      "connections show aa", "connections list", "connections disable aa", "connections add aa", "token verify",
      "applets fetch --service s", "token exchange",
    ] {
      let home = Home()
      let refused = home.run("\(line) --fields id,nmae")
      #expect(refused.exit == .usage)
      #expect(refused.output == "")
      // Not every one of these results has an id.
      #expect(refused.notes.first?.hasSuffix(" for '--fields': no such field") == true)
      #expect(refused.notes.contains { $0.hasPrefix("Accepted values: ") })
      #expect(home.folder.names == [])
    }
    let nearest = Home().run("connections show aa --fields nmae --json")
    #expect(
      nearest.errors.hasPrefix(
        #"{"error":{"code":"usage","message":"invalid value 'nmae' for '--fields': no such field","#
          + #""hint":"Did you mean 'name'? Accepted values: id, name, "#))
    let change = Home().sandbox("connections disable Kd7Rn2Qx --fields nope")
    #expect(change.exit == .usage)
  }

  @Test func fieldsSelectNestedMembersInTheRequestedOrder() {
    let home = Home()
    let line = "connections show Kd7Rn2Qx --fields services.id,status,id"
    #expect(
      home.sandbox("\(line) --json").output
        == #"{"services.id":["lampost","tidebook","location"],"status":"enabled","id":"Kd7Rn2Qx"}"# + "\n")
    #expect(
      home.sandbox("\(line) -o tsv --no-header").output == "lampost,tidebook,location\tenabled\tKd7Rn2Qx\n"
        || home.sandbox("\(line) -o tsv --no-header").output.hasSuffix("\tenabled\tKd7Rn2Qx\n"))
  }

  @Test func printsEveryFormat() {
    let home = Home()
    let line = "connections show Kd7Rn2Qx Xe2Gf9Ln --fields id,status"
    #expect(
      home.sandbox("\(line) --json").output
        == "[\n{\"id\":\"Kd7Rn2Qx\",\"status\":\"enabled\"},\n{\"id\":\"Xe2Gf9Ln\",\"status\":\"disabled\"}\n]\n")
    #expect(
      home.sandbox("\(line) -o jsonl").output
        == "{\"id\":\"Kd7Rn2Qx\",\"status\":\"enabled\"}\n{\"id\":\"Xe2Gf9Ln\",\"status\":\"disabled\"}\n")
    #expect(home.sandbox("\(line) -o csv").output == "id,status\nKd7Rn2Qx,enabled\nXe2Gf9Ln,disabled\n")
    #expect(home.sandbox("\(line) -o tsv").output == "id\tstatus\nKd7Rn2Qx\tenabled\nXe2Gf9Ln\tdisabled\n")
    #expect(home.sandbox("\(line) -o table").output == "ID        STATUS\nKd7Rn2Qx  enabled\nXe2Gf9Ln  disabled\n")
    for format in ["csv", "tsv", "table"] {
      #expect(home.sandbox("\(line) -o \(format) --no-header").lines.count == 2)
    }
    home.environment["IFTTT_OUTPUT"] = "csv"
    #expect(home.sandbox(line).output.hasPrefix("id,status\n"))
    #expect(home.sandbox("\(line) -o jsonl").output.hasPrefix("{"), "the option overrides the variable")
  }

  @Test(
    arguments: [
      ([:], "auto", true, true), ([:], "auto", false, false), ([:], "never", true, false), ([:], "always", false, true),
      (["NO_COLOR": "1"], "auto", true, false), (["TERM": "dumb"], "auto", true, false),
      (["CLICOLOR_FORCE": "1"], "auto", false, true),
    ] as [([String: String], String, Bool, Bool)])
  func colorDependsOnOptionTerminalAndEnvironment(
    _ environment: [String: String], _ choice: String, _ isTerminal: Bool, _ isColoured: Bool
  ) {
    let home = Home()
    home.environment = environment
    home.terminal = isTerminal ? .interactive(columns: 120) : .none
    let shown = home.sandbox("--color \(choice) connections show Kd7Rn2Qx Xe2Gf9Ln --fields id,status")
    #expect(shown.output.utf8.contains(0x1b) == isColoured)
    let failed = home.sandbox("--color \(choice) connections show nope")
    #expect(failed.errors.utf8.contains(0x1b) == isColoured)
  }

  @Test func outputThatCannotBeWrittenIsAFailure() {
    let home = Home()
    home.prepare = { $0.output.failure = (after: 10, error: SystemError(number: ENOSPC, call: "write")) }
    for line in [
      "connections list --json", "connections list", "version", "--help", "completion bash", "api GET /v2/me",
    ] {
      let failed = home.sandbox(line)
      #expect(failed.exit == .failure)
      #expect(failed.errors.contains("cannot write the output"))
    }
    #expect(home.sandbox("connections list --json").errors.hasPrefix(#"{"error":{"code":"output_failed","#))
  }

  @Test func aClosedPipeIsNotAFailure() {
    let home = Home()
    home.prepare = { $0.output.failure = (after: 10, error: SystemError(number: EPIPE, call: "write")) }
    for line in [
      "connections list -o jsonl", "connections list", "--version", "help", "connections show nope Kd7Rn2Qx",
    ] {
      let ended = home.sandbox(line)
      #expect(ended.exit == .success)
      #expect(ended.errors == "")
    }
  }

  /// A run that changes something finishes, and its exit code gives the result.
  @Test(arguments: ["jsonl", "csv", "json"]) func aRunThatChangesFinishesWithoutAReader(_ format: String) {
    let home = Home()
    home.sandbox("connections list")
    home.prepare = { $0.output.failure = (after: 10, error: SystemError(number: EPIPE, call: "write")) }
    let ended = home.sandbox("connections disable --all --yes --jobs 1 -o \(format)")
    #expect(ended.output.utf8.count == 10)
    #expect(ended.exit == .success)
    #expect(
      ended.errors == "Once disabled, Yb8Cz3Ve cannot be enabled again until the user activates it in a browser.\n")
    let failed = home.sandbox("connections enable --all --yes --jobs 1 -o \(format)")
    #expect(failed.exit == .partial, "one of them was never enabled")
    #expect(failed.errors.contains("failed"))
    home.prepare = { _ in }
    let on = home.sandbox("connections list --refresh --status enabled -o tsv --no-header --fields id")
    #expect(on.lines.count > 3, "all are enabled again, though only the first was printed")
  }

  @Test func aSlowRequestIsNotedOnATerminal() {
    let server = {
      Server().answering(503, headers: [Server.field("Retry-After", "3")]).answering(200, Server.connection("aa"))
    }
    let home = Home()
    home.terminal = .interactive()
    let shown = home.run("connections show aa --track --fields id --no-header", answers: server())
    let line = "\r\u{1b}[KWaiting for connect.ifttt.com"
    #expect(shown.errors == "\(line)\(line), 1 s\(line), 2 s\(line), 3 s\r\u{1b}[K")
    #expect(shown.output.contains("aa"))
    for options in ["-q", "--quiet"] {
      #expect(home.run("\(options) connections show aa --track --fields id", answers: server()).errors == "")
    }
    home.environment["TERM"] = "dumb"
    #expect(home.run("connections show aa --track --fields id", answers: server()).errors == "")
    home.environment = ["CI": "true"]
    #expect(home.run("connections show aa --track --fields id", answers: server()).errors == "")
    home.environment = [:]
    home.terminal = Terminal(inputIsTerminal: true, outputIsTerminal: true, errorIsTerminal: false, columns: 80)
    #expect(home.run("connections show aa --track --fields id", answers: server()).errors == "")
  }

  @Test func verboseShowsProvenanceAndRequests() {
    let home = Home()
    home.environment["IFTTT_PROFILE"] = "sandbox"
    home.environment["IFTTT_OUTPUT"] = "csv"
    let shown = home.run("-v --no-header connections show Kd7Rn2Qx --fields id")
    #expect(shown.output == "Kd7Rn2Qx\n")
    #expect(shown.notes.contains { $0.contains("IFTTT_PROFILE") && $0.contains("--profile") })
    #expect(shown.notes.contains { $0.contains("IFTTT_OUTPUT") && $0.contains("--output") })
    #expect(shown.errors.contains("> GET https://connect.ifttt.com/v2/connections/Kd7Rn2Qx\n"))
    #expect(shown.errors.contains("> Authorization: Bearer Zq8v…VwBk\n"))
    #expect(shown.errors.contains("< 200 application/json"))
  }

  @Test func aProgressBarIsDrawnOnlyOnATerminal() {
    let home = Home.tracking("aa", "bb")
    let server = { Server().answering(200, Server.connection("aa")).answering(200, Server.connection("bb")) }
    home.terminal = .interactive()
    let seen = home.run("connections list --refresh --fields id --no-header", answers: server())
    #expect(seen.output == "aa\nbb\n")
    #expect(seen.errors.hasPrefix("\rSending requests"))
    #expect(seen.errors.hasSuffix("\r\u{1b}[K"))
    #expect(home.run("-q connections list --refresh --fields id", answers: server()).errors == "")
    home.terminal = Terminal(inputIsTerminal: true, outputIsTerminal: true, errorIsTerminal: false, columns: 80)
    #expect(home.run("connections list --refresh --fields id", answers: server()).errors == "")
  }
}
