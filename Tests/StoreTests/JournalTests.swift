import Store
import Testing

@Suite struct JournalTests {
  let home = TestHome()

  private func journal(
    _ ids: [String], in store: Store, command: String = "connections disable", profile: String = "default"
  ) -> Journal {
    Journal(
      Journal.Beginning(
        profile: profile, command: command, words: "ifttt \(command)", isForced: false, lock: "run-1.lock"),
      items: ids.map { JournalItem(id: $0, action: "disable") }, in: store)
  }

  /// Returns the items as another process reads them.
  private func items(of command: String = "connections disable") throws -> [JournalItem] {
    let store = home.store()
    let run = try #require(try store.unfinishedRuns(of: command, profile: "default").first)
    return try store.journalItems(of: run.number)
  }

  @Test func runIsWrittenBeforeAnythingIsSent() throws {
    let journal = journal(["a", "b"], in: home.store())
    #expect(!journal.isWritten)
    #expect(try home.store().unfinishedRuns(of: "connections disable", profile: "default") == [])
    try journal.note(0, .planned, before: "enabled")
    journal.plan([0, 1])
    try journal.send(0)
    #expect(journal.isWritten)
    #expect(try items().map(\.state) == [.sent, .sent])
    #expect(try items().map(\.before) == ["enabled", nil])
    let run = try #require(try home.store().unfinishedRuns(of: "connections disable", profile: "default").first)
    #expect(run.state == .running)
    #expect(run.endedAt == nil)
    #expect(run.words == "ifttt connections disable")
    #expect(run.lock == "run-1.lock")
    #expect(run.begunAt == home.clock.now())
  }

  @Test func unsentItemsOfAWindowAreResetAtTheEnd() throws {
    let count = Journal.window * 2
    let journal = journal((0..<count).map { "c\($0)" }, in: home.store())
    journal.plan(Array(0..<count))
    for index in 0..<3 { try journal.send(index) }
    #expect(try items().filter { $0.state == .sent }.count == Journal.window)
    try journal.note(0, .done, before: "enabled", after: "disabled")
    try journal.end(.interrupted)
    let states = try items().map(\.state)
    #expect(states.prefix(3) == [.done, .sent, .sent])
    #expect(states.dropFirst(3).allSatisfy { $0 == .planned }, "these items are known to be unsent")
    let run = try #require(try home.store().unfinishedRuns(of: "connections disable", profile: "default").first)
    #expect(run.state == .interrupted)
    #expect(run.endedAt == home.clock.now())
  }

  @Test func nextWindowWritesEarlierOutcomes() throws {
    let count = Journal.window + 1
    let journal = journal((0..<count).map { "c\($0)" }, in: home.store())
    journal.plan(Array(0..<count))
    try journal.send(0)
    try journal.note(0, .done, before: "enabled", after: "disabled")
    #expect(try items()[0].state == .sent)
    for index in 1..<count { try journal.send(index) }
    #expect(try items()[0].state == .done)
  }

  @Test func runWithoutRequestsIsNotWritten() throws {
    let journal = journal(["a"], in: home.store())
    try journal.note(0, .done, before: "disabled", after: "disabled")
    try journal.end(.done)
    #expect(!home.names().contains("ifttt.db"))
  }

  @Test func resumingKeepsCompletedItems() throws {
    let first = journal(["a", "b"], in: home.store())
    first.plan([0, 1])
    try first.send(0)
    try first.note(0, .done, before: "enabled", after: "disabled")
    try first.end(.interrupted)
    let store = home.store()
    let run = try #require(try store.unfinishedRuns(of: "connections disable", profile: "default").first)
    let second = try Journal(
      resuming: run, profile: "default", items: try store.journalItems(of: run.number), in: store)
    #expect(second.isWritten)
    let running = "SELECT count(*) FROM journal_run WHERE number = ? AND state = 'running'"
    #expect(try home.database().integer(running, .integer(run.number)) == 1)
    try second.note(1, .done, before: "enabled", after: "disabled")
    try second.end(.done)
    #expect(try home.store().unfinishedRuns(of: "connections disable", profile: "default") == [])
    #expect(try home.store().journalItems(of: run.number).map(\.state) == [.done, .done])
  }

  @Test func lastChangingRunSkipsRunsWithoutChanges() throws {
    func run(_ id: String, _ after: String, command: String) throws {
      let journal = journal([id], in: home.store(), command: command)
      journal.plan([0])
      try journal.send(0)
      try journal.note(0, .done, before: "enabled", after: after)
      try journal.end(.done)
    }
    let commands = ["connections disable", "connections enable"]
    #expect(try home.store().lastChangingRun(of: commands, profile: "default") == nil)
    try run("a", "disabled", command: "connections disable")
    try run("b", "enabled", command: "connections enable")
    try run("c", "disabled", command: "applets disable")
    // A clock that was set back would make the first run the newest.
    let last = try #require(try home.store().lastChangingRun(of: commands, profile: "default"))
    #expect(try home.store().journalItems(of: last.number).map(\.id) == ["a"], "the second run changed nothing")
    #expect(try home.store().lastChangingRun(of: commands, profile: "other") == nil)
  }

  @Test func oldRunsArePruned() throws {
    let store = home.store()
    for number in 0..<Journal.keptRuns + 20 {
      let journal = journal(["c\(number)"], in: store)
      journal.plan([0])
      try journal.send(0)
      // The first run is still in progress.
      if number > 0 { try journal.end(.interrupted) }
    }
    let runs = try store.unfinishedRuns(of: "connections disable", profile: "default")
    #expect(runs.count == Journal.keptRuns)
    #expect(try home.database().integer("SELECT count(*) FROM journal_run") == Int64(Journal.keptRuns) + 1)
    #expect(try home.database().integer("SELECT count(*) FROM journal_item") == Int64(Journal.keptRuns) + 1)
    #expect(try home.database().integer("SELECT count(*) FROM journal_run WHERE state = 'running'") == 1)
  }

  @Test func journalIsRemovedWithItsProfile() throws {
    let journal = journal(["a"], in: home.store(), profile: "work")
    journal.plan([0])
    try journal.send(0)
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
    let journal = journal(["a"], in: home.store(), profile: "work")
    try journal.write()
    #expect(try home.store().profiles().map(\.name) == ["work"])
    #expect(home.names().contains("ifttt.db.backup-v1"))
  }
}
