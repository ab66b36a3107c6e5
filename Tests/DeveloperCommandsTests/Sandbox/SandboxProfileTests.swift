import Foundation
import JSON
import ProgramDriver
import Session
import Support
import Testing

/// The sandbox profile: its reset, its removal, and the note about where its requests go.
@Suite struct SandboxProfileTests {
  let home = Home()

  private func status(_ id: String = "Kd7Rn2Qx") -> String {
    home.run("--profile sandbox connections show \(id) --max-age 0 --fields status -o csv --no-header").output
  }

  private func change() {
    #expect(status() == "enabled\n")
    _ = home.run("--profile sandbox connections disable Kd7Rn2Qx --yes")
    _ = home.run("--profile sandbox connections remove Fq3Lw8Zt --yes")
    #expect(status() == "disabled\n")
  }

  private func expectBeginning() {
    #expect(status() == "enabled\n")
    #expect(home.run("--profile sandbox connections list -o csv --fields id --no-header").output.contains("Fq3Lw8Zt\n"))
  }

  @Test func resetRestoresTheBuiltInSandbox() {
    change()
    #expect(home.run("--profile sandbox sandbox reset --json").output == #"{"url":null,"reset":true}"# + "\n")
    expectBeginning()
  }

  @Test func resetKeepsTheDefaultProfile() {
    home.run("profile use sandbox")
    change()
    #expect(home.run("sandbox reset").exit == .success)
    #expect(home.run("profile list -o csv --no-header --fields name,current").lines.contains("sandbox,true"))
    expectBeginning()
  }

  @Test func aDryRunResetsNothing() {
    change()
    #expect(home.run("--profile sandbox sandbox reset --dry-run").errors == "Would reset the sandbox profile.\n")
    #expect(home.run("profile remove sandbox --dry-run").errors.contains("the profile itself always exists"))
    #expect(status() == "disabled\n")
  }

  @Test func damagedStateIsReset() {
    change()
    home.folder.write("sandbox.json", "damaged")
    #expect(home.run("--profile sandbox connections show Kd7Rn2Qx --max-age 0").exit != .success)
    #expect(home.run("--profile sandbox sandbox reset").exit == .success)
    expectBeginning()
  }

  @Test func removingTheProfileNotesThatItIsReset() {
    change()
    let run = home.run("profile remove sandbox --yes")
    #expect(run.exit == .success && run.errors == "Reset profile 'sandbox'. The profile itself always exists.\n")
    expectBeginning()
  }

  @Test func aURLSelectsAServer() {
    #expect(home.run("--profile sandbox sandbox reset --url http://127.0.0.1:9").exit == .notFound)
    #expect(home.run("sandbox reset").exit == .notFound, "in other profiles it needs a running server")
  }

  // MARK: Notes

  private static let note = "Profile 'sandbox': the built-in emulator responds, and nothing leaves this machine."

  @Test func verboseNotesThatNothingLeavesTheMachine() {
    let run = home.run("-v --profile sandbox connections show Kd7Rn2Qx --max-age 0")
    let indices = run.notes.indices.filter { run.notes[$0].hasSuffix(Self.note) }
    #expect(indices.count == 1)
    #expect(run.notes.dropFirst((indices.first ?? 0) + 1).contains { $0.contains("> GET https://connect.ifttt.com") })
  }

  @Test func aDryRunNotesThatNothingWouldLeaveTheMachine() {
    let line = "--profile sandbox connections disable Kd7Rn2Qx --dry-run --yes"
    #expect(!home.run(line).errors.contains(Self.note), "scripts do not get the note")
    home.terminal = .interactive()
    let run = home.run(line)
    #expect(run.exit == .success && run.output.contains("disabled"))
    // The note is wrapped on a terminal.
    let words = run.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.components(separatedBy: Self.note).count == 2, "\(run.errors)")
    #expect(
      !home.run("--profile sandbox sandbox reset --dry-run").errors.contains(Self.note), "there are no requests to show"
    )
  }

  // MARK: The seed

  @Test func theSeedIsIndentedInAPipeToo() throws {
    let run = home.run("sandbox seed", reveals: true)
    let lines = run.lines
    #expect(lines.first == "{" && lines.last == "}" && lines.count > 500)
    #expect(lines.allSatisfy { $0.utf8.count < 2000 })
    let compact = try JSONValue(parsing: Array(run.output.utf8))
    #expect(compact["format"] == 1)
    home.terminal = .interactive()
    let shown = home.run("sandbox seed", reveals: true).output
    #expect(try JSONValue(parsing: Array(shown.utf8)) == compact)
    #expect(!shown.unicodeScalars.contains("\u{202e}"), "escaped for a terminal")
  }
}
