import Foundation
import Support
import Testing

/// The program with restricted resources: a file size limit, few descriptors, and closed streams.
@Suite struct LimitTests {
  private let home = Home(nil, ["IFTTT_PROFILE": "sandbox"])

  private struct Outcome {
    var status: Int32
    var output: String
    var errors: String
  }

  /// - Parameter set: A shell command to run before the program replaces the shell.
  private func run(_ set: String, _ words: [String], redirected: String = "") throws -> Outcome {
    let script = "\(set); exec \"$@\" \(redirected)"
    let running = try Running(["/bin/sh", "-c", script, "sh", Home.program] + words, environment: home.environment)
    running.endInput()
    let output = running.readToEnd()
    let errors = running.readToEnd(running.errors)
    return Outcome(status: running.wait(), output: output, errors: errors)
  }

  @Test(
    .disabled(
      if: Sanitizer.active == .thread, "skipped: the thread sanitizer writes a file of its own at every start"))
  func aFileSizeLimitIsReportedAsAFullDisk() throws {
    let list = ["connections", "list", "--refresh", "--json"]
    #expect(try home.run(list).status == 0)
    let outcome = try run("ulimit -f 0", ["profile", "create", "work"])
    #expect(outcome.status == 7, "\(outcome.errors)")
    #expect(!outcome.errors.isEmpty)
    #expect(try run("ulimit -f 0", list, redirected: "> '\(home.folder["out"])'").status != 0)
    #expect(try home.isIntact())
  }

  @Test(arguments: 4...12) func reportsTooFewDescriptors(_ count: Int) throws {
    #expect(try home.run("connections", "list").status == 0)
    let outcome = try run("ulimit -n \(count)", ["connections", "list"])
    if outcome.status == 0 {
      #expect(!outcome.output.isEmpty)
    } else {
      #expect(outcome.status == 7, "\(outcome.errors)")
      #expect(
        outcome.errors.contains("Too many open files") || outcome.errors.contains("ulimit -n"), "\(outcome.errors)")
    }
  }

  @Test(
    arguments: [
      ("<&-", ["token", "set", "--user-token-file", "-"], 1), (">&-", ["connections", "list"], 1),
      ("2>&-", ["connections", "show", "nope"], 3), ("<&- >&- 2>&-", ["connections", "list"], 1),
      ("< /", ["token", "set", "--user-token-file", "-"], 1), ("1</dev/null", ["connections", "list"], 1),
      ("2>/dev/full", ["connections", "show", "nope"], 3),
    ] as [(String, [String], Int32)])
  func unusableStreamsDoNotCrash(_ redirection: String, _ words: [String], _ status: Int32) throws {
    #expect(try run(":", words, redirected: redirection).status == status)
  }

  @Test func aDeletedWorkingFolderIsIgnored() throws {
    let outcome = try run("cd \"$(mktemp -d)\" && rmdir \"$PWD\"", ["connections", "list"])
    #expect(outcome.status == 0)
  }

  @Test(arguments: ["unset HOME", "export HOME=", "export HOME= XDG_DATA_HOME=relative"])
  func aMissingHomeNamesTheVariableToSet(_ set: String) throws {
    let outcome = try run("unset IFTTT_HOME; \(set)", ["connections", "list"])
    #expect(outcome.status == 7)
    #expect(outcome.errors.contains("IFTTT_HOME"))
  }
}
