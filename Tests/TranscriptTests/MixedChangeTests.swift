import Foundation
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// One run that changes connections of IFTTT and of a provider.
@Suite struct MixedChangeTests {
  private let changes: ChangesHome
  private let entry: ChangeEntry

  init() throws {
    changes = try ChangesHome()
    entry = try #require(ChangeEntry.all.first { $0.description == "disable of both" })
  }

  private func expectUndo(to first: [ChangesServer.Subject: ChangesServer.State]) throws {
    let undo = try changes.run(["connections", "undo"])
    #expect(undo.outcome.status == 0, "\(undo.outcome.errors)")
    let report = try changes.report()
    #expect(report.changes.sorted() == entry.reverted.sorted())
    #expect(report.states == first)
  }

  /// The states before any change, once all subjects were read.
  private func first() throws -> [ChangesServer.Subject: ChangesServer.State] {
    #expect(try changes.run(entry.words, "--dry-run").outcome.status == 0)
    return try changes.report().states
  }

  @Test func aMixedRunIsUndone() throws {
    let first = try first()
    let (outcome, rows) = try changes.run(entry.words)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(Set(rows.compactMap(\.subject)) == entry.subjects)
    #expect(rows.allSatisfy { $0.text("status") == "disabled" && $0.isChanged })
    let report = try changes.report()
    #expect(report.changes.sorted() == entry.changes.sorted())
    #expect(!report.states.keys.contains { $0.user != LampsPlugin.name && LampsPlugin.ids.contains($0.id) })
    try expectUndo(to: first)
  }

  /// Ctrl-C while IFTTT or the plugin has a request that it does not answer.
  @Test(arguments: [
    ChangesHome.Point.request(3, "before"), .request(3, "after"), .plugin(4, "before"), .plugin(4, "after"),
  ])
  func anInterruptedMixedRunIsResumedAndUndone(_ point: ChangesHome.Point) throws {
    let first = try first()
    let attempt = try changes.run(entry.words, killedAt: point, by: SIGINT)
    #expect(attempt.status == 130, "\(attempt.errors)")
    #expect(attempt.rows.contains { $0.text("status") == "unknown" && $0.hasFailed }, "what was in flight is unknown")
    let resumed = try changes.run(entry.resume)
    #expect(resumed.outcome.status == 0, "\(resumed.outcome.errors)")
    #expect(resumed.rows.allSatisfy { $0.text("status") == "disabled" && $0.isChanged })
    let report = try changes.report()
    #expect(report.states == entry.applied(to: first))
    #expect(report.changes.sorted() == entry.changes.sorted(), "each is made once")
    try expectUndo(to: first)
  }

  /// A plugin that ends while it has a request is started again, to read what became of the request.
  @Test(arguments: ["die", "die-after"]) func aPluginThatDiesIsReadAgain(_ moment: String) throws {
    let first = try first()
    // The first two requests read both connections.
    changes.lamps.hold(4, moment)
    let (outcome, rows) = try changes.run(entry.words)
    let isChanged = moment == "die-after"
    #expect(outcome.status == (isChanged ? 0 : 6), "\(outcome.errors)")
    let row = try #require(rows.first { $0.text("id") == "lamps:l1" })
    #expect(row.text("status") == (isChanged ? "disabled" : "enabled"))
    #expect(row.isChanged == isChanged && row.hasFailed == !isChanged, "\(row.description)")
    #expect(rows.filter { $0.text("status") == "disabled" }.count == (isChanged ? 4 : 3))
    let made = try changes.report().changes
    if !isChanged {
      #expect(made.count == 3)
      let resumed = try changes.run(entry.resume)
      #expect(resumed.outcome.status == 0, "\(resumed.outcome.errors)")
      #expect(resumed.rows.map { $0.text("id") } == ["lamps:l1"])
    }
    let report = try changes.report()
    #expect((made + report.changes).sorted() == entry.changes.sorted(), "each is made once")
    #expect(report.states == entry.applied(to: first))
    try expectUndo(to: first)
  }
}
