import ProgramDriver
import Support
import Testing

@testable import Session

/// Undoing the changes of the last batch, and nothing else.
@Suite struct UndoTests {
  private static let rows = "-o csv --no-header --fields id,status,previous_status,changed"

  @Test func onlyChangedConnectionsAreReverted() {
    let home = Home()
    home.sandbox("connections list")
    let off = home.sandbox("connections disable Fq3Lw8Zt Xe2Gf9Ln Kd7Rn2Qx nope -q")
    #expect(off.exit == .partial)
    let fields = "id,before.status,after.status,requests.0.method,requests.0.url"
    let plan = home.sandbox("connections undo --dry-run --exit-code -o csv --no-header --fields \(fields)")
    #expect(
      plan.lines == [
        "Fq3Lw8Zt,disabled,enabled,POST,https://connect.ifttt.com/v2/connections/Fq3Lw8Zt/enable",
        "Kd7Rn2Qx,disabled,enabled,POST,https://connect.ifttt.com/v2/connections/Kd7Rn2Qx/enable",
      ])
    #expect(plan.exit == .notYet)
    let table = home.sandbox("connections undo --dry-run")
    #expect(table.exit == .success)
    #expect(table.notes.first?.hasPrefix("Fq3Lw8Zt  ") == true)
    #expect(table.notes.filter { $0 == "  ~ status: disabled → enabled" }.count == 2, "\(table.errors)")
    let undo = home.sandbox("connections undo \(Self.rows)")
    #expect(undo.output == "Fq3Lw8Zt,enabled,disabled,true\nKd7Rn2Qx,enabled,disabled,true\n")
    #expect(undo.errors == "")
    #expect(home.sandbox("connections undo").exit == .notFound)
    let redo = home.sandbox("connections redo \(Self.rows)")
    #expect(redo.output == "Fq3Lw8Zt,disabled,enabled,true\nKd7Rn2Qx,disabled,enabled,true\n")
    #expect(home.sandbox("connections list --status disabled --json --fields id").lines.count == 6)
    #expect(home.sandbox("connections redo").exit == .notFound)
    let again = home.sandbox("connections undo \(Self.rows)")
    #expect(again.output == undo.output)
  }

  /// A pending connection cannot be enabled again, so an undo cannot be completed. The next one goes further back.
  @Test func whatCannotBeRevertedDoesNotBlockOlderRuns() {
    let home = Home()
    home.sandbox("connections list")
    #expect(home.sandbox("connections disable Kd7Rn2Qx").exit == .success)
    #expect(home.sandbox("connections disable Fq3Lw8Zt Yb8Cz3Ve --yes").exit == .success)
    let undo = home.sandbox("connections undo \(Self.rows)")
    #expect(undo.output == "Fq3Lw8Zt,enabled,disabled,true\nYb8Cz3Ve,disabled,disabled,false\n")
    #expect(undo.exit == .partial)
    let older = home.sandbox("connections undo \(Self.rows)")
    #expect(older.output == "Kd7Rn2Qx,enabled,disabled,true\n" && older.exit == .success)
    let history = home.sandbox("connections history -o csv --no-header --fields outcome")
    #expect(history.lines.suffix(2) == ["undone", "undone"])
    let redo = home.sandbox("connections redo \(Self.rows)")
    #expect(redo.output == "Kd7Rn2Qx,disabled,enabled,true\n")
  }

  @Test func aBatchWithoutChangesCannotBeUndone() {
    let home = Home()
    for line in ["connections list", "connections disable Xe2Gf9Ln", "connections enable Ud6Jn1Gs"] {
      home.sandbox(line)
    }
    let undo = home.sandbox("connections undo --json")
    #expect(undo.exit == .notFound)
    #expect(undo.output == "")
    #expect(undo.errors.contains(#""code":"not_found","message":"nothing to undo"#))
  }

  /// A reverted connection is a success without a request, and one that others have changed is a failure.
  @Test func revertedAndExternallyChangedConnectionsAreSkipped() {
    let home = Home.tracking("aa", "bb", "cc")
    func off(_ id: String) -> String { Server.connection(id, status: "disabled") }
    let server = ["aa", "bb", "cc"].reduce(Server()) { $0.answering(200, Server.connection($1)) }
    for id in ["aa", "bb", "cc"] { _ = server.answering(200, off(id)) }
    #expect(home.run("connections disable aa bb cc", answers: server).exit == .success)
    func world() -> Server {
      Server().answering(200, Server.connection("aa")).answering(200, off("bb")).answering(
        200, Server.connection("cc", status: "hibernating"))
    }
    let undo = home.run("connections undo \(Self.rows)", answers: world().answering(200, Server.connection("bb")))
    #expect(undo.output == "aa,enabled,enabled,false\nbb,enabled,disabled,true\ncc,unknown,unknown,false\n")
    #expect(undo.notes.first == "ifttt: 1 of 3 failed")
    #expect(undo.errors.contains("  - cc: the status of connection 'cc' is unknown"), "\(undo.errors)")
    #expect(undo.exit == .partial)
  }

  @Test func forceRevertsExternallyChangedConnections() {
    let home = Home.tracking("aa")
    let off = Server.connection("aa", status: "disabled")
    let server = Server().answering(200, Server.connection("aa")).answering(200, off)
    #expect(home.run("connections disable aa", answers: server).exit == .success)
    let odd = Server().answering(200, Server.connection("aa", status: "hibernating")).answering(
      200, Server.connection("aa"))
    #expect(home.run("connections undo --force \(Self.rows)", answers: odd).output == "aa,enabled,unknown,true\n")
  }

  @Test func aFailedUndoIsResumed() {
    let home = Home.tracking("aa", "bb")
    func off(_ id: String) -> String { Server.connection(id, status: "disabled") }
    let server = Server().answering(200, Server.connection("aa")).answering(200, Server.connection("bb"))
      .answering(200, off("aa")).answering(200, off("bb"))
    #expect(home.run("connections disable aa bb", answers: server).exit == .success)
    let half = Server().answering(200, off("aa")).answering(200, off("bb")).answering(
      200, Server.connection("aa")
    ).answering(409, Server.error("conflict", "busy"))
    let undo = home.run("connections undo", answers: half)
    #expect(undo.exit == .partial)
    #expect(undo.errors.contains("Resume with 'ifttt connections undo --resume'"))
    let rest = Server().answering(200, off("bb")).answering(200, Server.connection("bb"))
    let resumed = home.run("connections undo --resume \(Self.rows)", answers: rest)
    #expect(resumed.output == "bb,enabled,disabled,true\n")
    #expect(resumed.exit == .success)
  }

  @Test func aTerminalShowsWhatIsUndone() {
    let home = Home()
    home.sandbox("connections disable Kd7Rn2Qx")
    home.terminal = .interactive()
    let undo = home.sandbox("connections undo")
    #expect(
      undo.notes.first == "Undoing 'ifttt connections disable --profile sandbox' from 2026-09-21T14:13:20Z.",
      "\(undo.errors)")
  }
}
