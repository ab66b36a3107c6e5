import HTTP
import ProgramDriver
import Session
import Support
import Testing

@testable import Changes

/// A run with more subjects than plans are held in memory, and more records than are read from the journal at once.
@Suite struct LongRunTests {
  private static let ids = (1000..<1000 + ChangeRun.heldLimit + 50).map { "c\($0)" }
  /// Their changes fail, so an undo skips them.
  private static let failed = Set(ids.enumerated().filter { $0.offset % 90 == 7 }.map(\.element))
  private static let changed = ids.filter { !failed.contains($0) }

  /// Answers the requests of a run with `--jobs 1`: first each subject is read, then each is changed. Beyond the limit
  /// of held plans, each subject is read again before its change.
  private func server(_ ids: [String], from old: String, to new: String) -> Server {
    var server = ids.reduce(Server()) { $0.answering(200, Server.connection($1, status: old)) }
    for (index, id) in ids.enumerated() {
      if index >= ChangeRun.heldLimit { server = server.answering(200, Server.connection(id, status: old)) }
      server =
        Self.failed.contains(id)
        ? server.answering(409, Server.error("conflict", "busy")).answering(200, Server.connection(id, status: old))
        : server.answering(200, Server.connection(id, status: new))
    }
    return server
  }

  private func disabled() -> Home {
    let home = Home.tracking(Self.ids)
    let off = home.run(
      "--jobs 1 connections disable --all --yes -q", answers: server(Self.ids, from: "enabled", to: "disabled"))
    #expect(off.exit == .partial)
    return home
  }

  @Test func anUndoRevertsExactlyWhatWasChanged() {
    let home = disabled()
    let server = server(Self.changed, from: "disabled", to: "enabled")
    let undo = home.run("--jobs 1 connections undo -o csv --no-header --fields id,status,changed", answers: server)
    #expect(undo.lines == Self.changed.map { "\($0),enabled,true" })
    #expect(undo.exit == .success)
    #expect(server.hasAnsweredAll)
  }

  @Test func aResumedUndoSkipsWhatWasReverted() {
    let home = disabled()
    let server = server(Self.changed, from: "disabled", to: "enabled")
    let last = Self.changed[Self.changed.count - 30]
    home.prepare = { world in
      server.whileWaiting = {
        if server.requests.last?.url.redacted.hasSuffix("/\(last)/enable") == true { world.interruption.interrupt() }
      }
    }
    let undo = home.run("--jobs 1 connections undo -q", answers: server)
    #expect(undo.exit == .interrupted)
    server.forget()
    home.prepare = { _ in }
    let left = Array(Self.changed.suffix(29))
    let rest = self.server(left, from: "disabled", to: "enabled")
    let resumed = home.run(
      "--jobs 1 connections undo --resume -o csv --no-header --fields id,status,changed", answers: rest)
    #expect(resumed.lines == left.map { "\($0),enabled,true" })
    #expect(resumed.exit == .success)
    #expect(rest.asked.filter { $0.hasSuffix("/enable") }.count == left.count)
  }
}
