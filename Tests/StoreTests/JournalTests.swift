import Store
import Testing

/// The journal of runs that change subjects.
@Suite struct JournalTests {
  let home = TestHome()
  private static let command = "connections disable"

  private func beginning(command: String = command, profile: String = "default") -> JournalRun {
    JournalRun(profile: profile, command: command, commandLine: "ifttt \(command)", lock: "run-1.lock")
  }

  private func journal(in store: Store, command: String = command, profile: String = "default") -> Journal {
    Journal(beginning(command: command, profile: profile), in: store)
  }

  private func item(_ id: String, user: String? = nil) -> JournalItem {
    JournalItem(id: id, userID: user, target: #"{"status":"disabled","configuration":null}"#)
  }

  private func unfinished(_ command: String = command) throws -> JournalRun? {
    try JournalStore(home.store()).unfinishedRuns(of: command, overUsers: nil, profile: "default").first
  }

  /// The items as another process reads them.
  private func items() throws -> [JournalItem] {
    try JournalStore(home.store()).items(of: try #require(try unfinished()).number)
  }

  /// A run that changed something.
  @discardableResult
  private func run(_ ids: [String], command: String = command, changes: Bool = true, undoes: Int64? = nil) throws
    -> Int64
  {
    var beginning = beginning(command: command)
    beginning.undoes = undoes
    let journal = Journal(beginning, in: home.store())
    for id in ids {
      let position = journal.add(item(id))
      _ = try journal.send(position, before: "b")
      try journal.end(position, .done, after: "a", isChanged: changes)
    }
    try journal.end(.done)
    return try #require(journal.number)
  }

  @Test func aRunIsWrittenBeforeAnythingIsSent() throws {
    let journal = journal(in: home.store())
    let positions = ["a", "b"].map { journal.add(item($0)) }
    #expect(try !journal.isWritten && unfinished() == nil)
    let declared = try journal.send(positions[0], before: "enabled")
    #expect(declared.map(\.id) == ["a", "b"], "the next ones are declared with it")
    #expect(try items().map(\.state) == [.sent, .sent] && items().map(\.before) == ["enabled", nil])
    let run = try #require(try unfinished())
    #expect(run.state == .running && run.endedAt == nil && run.commandLine == "ifttt connections disable")
    #expect(run.lock == "run-1.lock" && run.begunAt == home.clock.now())
  }

  @Test func unsentItemsOfAWindowAreResetAtTheEnd() throws {
    let journal = journal(in: home.store())
    let positions = (0..<Journal.window * 2).map { journal.add(item("c\($0)")) }
    for position in positions.prefix(3) { _ = try journal.send(position, before: nil) }
    #expect(try items().count { $0.state == .sent } == Journal.window)
    try journal.end(positions[0], .done, after: "disabled", isChanged: true)
    #expect(try journal.end(.interrupted) == positions.count - 1)
    let states = try items().map(\.state)
    #expect(states.prefix(3) == [.done, .sent, .sent])
    #expect(states.dropFirst(3).allSatisfy { $0 == .planned }, "these items are known to be unsent")
    #expect(try unfinished()?.state == .interrupted && unfinished()?.endedAt == home.clock.now())
  }

  @Test func theStateBeforeTheRunIsWrittenBeforeTheRequest() throws {
    let journal = journal(in: home.store())
    let position = journal.add(item("a"))
    _ = try journal.send(position, before: "status")
    #expect(try journal.send(position, before: "settings").isEmpty)
    #expect(try items()[0].before == "settings")
  }

  @Test func aRunWithoutRequestsLeavesNoTrace() throws {
    let journal = journal(in: home.store())
    let position = journal.add(item("a"))
    try journal.end(position, .done)
    #expect(try journal.end(.done) == 0)
    #expect(!home.names().contains("ifttt.db"))
  }

  @Test func aResumedRunContinues() throws {
    let first = journal(in: home.store())
    let positions = ["u1", "u2"].map { first.add(item("aa", user: $0)) }
    for position in positions { _ = try first.send(position, before: "enabled") }
    try first.end(positions[0], .done, after: "disabled", isChanged: true)
    try first.end(.interrupted)
    let store = home.store()
    let run = try #require(try unfinished())
    let second = try Journal(
      resuming: run,
      JournalRun(profile: "default", command: run.command, commandLine: run.commandLine, lock: run.lock),
      in: store)
    #expect(try second.isWritten && unfinished()?.state == .running)
    let known = try #require(try JournalStore(store).item(of: run.number, user: "u2", provider: nil, id: "aa"))
    #expect(known.position == positions[1] && known.item.state == .sent)
    #expect(try JournalStore(store).item(of: run.number, user: "u3", provider: nil, id: "aa") == nil)
    #expect(try JournalStore(store).item(of: run.number, user: "u2", provider: "lamps", id: "aa") == nil)
    let position = second.add(known.item, at: known.position)
    _ = try second.send(position, before: known.item.before)
    let new = second.add(item("aa", user: "u3"))
    _ = try second.send(new, before: nil)
    for position in [position, new] { try second.end(position, .done, after: "disabled", isChanged: true) }
    #expect(try second.end(.done) == 0)
    #expect(try unfinished() == nil)
    #expect(try JournalStore(home.store()).items(of: run.number).map(\.userID) == ["u1", "u2", "u3"])
    #expect(try JournalStore(home.store()).items(of: run.number, from: 1, limit: 1).map(\.position) == [1])
    #expect(try JournalStore(home.store()).users(of: run.number, after: "u1", limit: 1) == ["u2"])
  }

  /// A part of a run that did not include all items is not the end of it.
  @Test func aRunEndsWithItsLastItem() throws {
    let first = journal(in: home.store())
    for id in ["a", "b"] { _ = try first.send(first.add(item(id)), before: nil) }
    try first.end(.interrupted)
    let run = try #require(try unfinished())
    let second = try Journal(
      resuming: run,
      JournalRun(profile: "default", command: run.command, commandLine: run.commandLine, lock: run.lock),
      in: home.store())
    let known = try JournalStore(home.store()).items(of: run.number, from: 0)[0]
    let position = second.add(known.item, at: known.position)
    try second.end(position, .done, after: "x")
    #expect(try second.end(.done) == 1)
    #expect(try unfinished()?.state == .failed)
  }

  @Test func resultsOfManyItemsAreWrittenInBatches() throws {
    let journal = journal(in: home.store())
    for number in 0..<3000 {
      let position = journal.add(item("aa", user: "u\(number)"))
      if number % 16 == 0 { _ = try journal.send(position, before: nil) }
      try journal.end(position, .failed, after: "disabled", error: "{}")
    }
    try journal.end(.failed)
    #expect(try items().count { $0.state == .failed && $0.error == "{}" } == 3000)
  }

  // MARK: History

  @Test func theNewestRunIsUndoneAndRedone() throws {
    let store = home.store()
    #expect(try JournalStore(store).newestUndoable(profile: "default") == nil)
    let first = try run(["a"])
    try run(["b"], changes: false)
    let second = try run(["c"])
    #expect(try JournalStore(store).newestUndoable(profile: "default")?.number == second)
    #expect(try JournalStore(store).newestUndoable(profile: "other") == nil)
    try run(["c"], command: "connections undo", undoes: second)
    #expect(try JournalStore(store).newestUndoable(profile: "default")?.number == first)
    #expect(try JournalStore(store).newestRedoable(profile: "default")?.number == second)
    try run(["a"], command: "connections undo", undoes: first)
    #expect(try JournalStore(store).newestUndoable(profile: "default") == nil)
    #expect(try JournalStore(store).newestRedoable(profile: "default")?.number == first)
    try run(["a"], command: "connections redo", undoes: first)
    #expect(try JournalStore(store).newestUndoable(profile: "default")?.number == first, "it has its old position")
    #expect(try JournalStore(store).newestRedoable(profile: "default")?.number == second)
    try run(["d"])
    #expect(try JournalStore(store).newestRedoable(profile: "default") == nil, "there is a newer change")
    #expect(try JournalStore(store).history(profile: "default").map(\.changed) == [1, 1, 1, 1, 1, 0, 1])
  }

  @Test func aNewerRunOfTheSameSubjectIsFound() throws {
    let store = home.store()
    let first = try run(["a", "b"])
    try run(["c"])
    let run = try #require(try JournalStore(store).run(first))
    #expect(try JournalStore(store).newerRun(than: run, profile: "default") == nil)
    let other = try self.run(["x", "b"])
    #expect(try JournalStore(store).newerRun(than: run, profile: "default")?.number == other)
    try self.run(["x", "b"], command: "connections undo", undoes: other)
    #expect(try JournalStore(store).newerRun(than: run, profile: "default") == nil)
  }

  @Test func oldRunsArePruned() throws {
    let store = home.store()
    for number in 0..<Journal.runLimit + 20 {
      let journal = journal(in: store)
      _ = try journal.send(journal.add(item("c\(number)")), before: nil)
      // The first run is still in progress.
      if number > 0 { try journal.end(.interrupted) }
    }
    #expect(
      try JournalStore(store).unfinishedRuns(of: Self.command, overUsers: nil, profile: "default").count
        == Journal.runLimit)
    #expect(try home.database().integer("SELECT count(*) FROM journal_run") == Int64(Journal.runLimit) + 1)
    #expect(try home.database().integer("SELECT count(*) FROM journal_item") == Int64(Journal.runLimit) + 1)
    #expect(try home.database().integer("SELECT count(*) FROM journal_run WHERE state = 'running'") == 1)
  }

  @Test func aJournalIsRemovedWithItsProfile() throws {
    let journal = journal(in: home.store(), profile: "work")
    _ = try journal.send(journal.add(item("a")), before: nil)
    _ = try home.store().removeProfile("work")
    #expect(try home.database().integer("SELECT count(*) FROM journal_item") == 0)
    // Ending the run of a removed profile is harmless.
    try journal.end(.done)
  }

  @Test func storeOfTheFirstVersionIsMigrated() throws {
    let old = DatabaseFile(
      folder: home.path,
      schema: Schema(
        fileName: "ifttt.db", applicationID: Schema.store.applicationID,
        migrations: Array(Schema.store.migrations.prefix(1)), pageSize: 4096, isCache: false))
    try old.make(home.world)
    let database = try #require(try old.open(home.world))
    try database.write(in: home.world) { database throws(StoreError) in
      try database.execute("INSERT INTO profile (name) VALUES ('work')")
    }
    let journal = journal(in: home.store(), profile: "work")
    _ = try journal.send(journal.add(item("a")), before: nil)
    #expect(try home.store().profiles().map(\.name) == ["work"])
    #expect(home.names().contains("ifttt.db.backup-v1"))
  }
}
