import Store
import Testing

/// The journal of runs over users.
@Suite struct UsersJournalTests {
  let home = TestHome()
  private static let command = "connections disable"

  private func journal(in store: Store) -> UsersJournal {
    UsersJournal(
      Journal.Beginning(
        profile: "default", command: Self.command, words: "ifttt \(Self.command)", isForced: false,
        lock: "run-1.lock"), in: store)
  }

  private func item(_ user: String, _ id: String = "aa") -> JournalItem {
    JournalItem(id: id, userID: user, action: "apply", before: "enabled", after: "wanted")
  }

  private func run() throws -> JournalRun? {
    try home.store().unfinishedRuns(of: Self.command, overUsers: true, profile: "default").first
  }

  private func items() throws -> [JournalItem] {
    try home.store().journalItems(of: try #require(try run()).number)
  }

  @Test func anItemIsWrittenBeforeItsRequest() throws {
    let journal = journal(in: home.store())
    let first = try journal.add(item("u1"))
    let second = try journal.add(item("u2"))
    #expect(try run() == nil && !journal.isWritten)
    try journal.send(first)
    #expect(
      try items()
        == [item("u1"), item("u2")].map {
          var item = $0; item.state = .sent; return item
        })
    try journal.end(first, .done, after: "disabled")
    try journal.send(second)
    #expect(try items()[0].state == .sent, "results are written later")
    let third = try journal.add(item("u3"))
    try journal.send(third)
    #expect(try items().map(\.state) == [.done, .sent, .sent])
    journal.correct(third, before: "more")
    try journal.send(third)
    #expect(try items()[2].before == "more")
    #expect(try run()?.isOverUsers == true && run()?.state == .running)
  }

  @Test func aRunThatSentNothingLeavesNoTrace() throws {
    try journal(in: home.store()).end(.failed)
    #expect(!home.names().contains("ifttt.db"))
  }

  @Test func aResumedRunKnowsWhatIsDone() throws {
    let first = journal(in: home.store())
    let positions = try ["u1", "u2"].map { try first.add(item($0)) }
    for position in positions { try first.send(position) }
    try first.end(positions[0], .done, after: "disabled")
    try first.end(.interrupted)
    let store = home.store()
    let second = try UsersJournal(resuming: try #require(try run()), profile: "default", in: store)
    #expect(try second.earlier("u1", "aa")?.state == .done)
    #expect(try second.earlier("u2", "aa")?.state == .sent)
    #expect(try second.earlier("u2", "bb") == nil && second.earlier("u3", "aa") == nil)
    var again = item("u2")
    again.before = "other"
    let position = try second.add(again)
    #expect(position == positions[1])
    try second.send(position)
    #expect(try items()[1].before == "enabled", "the state before the whole run is kept")
    let new = try second.add(item("u3"))
    try second.send(new)
    try second.end(position, .done, after: "disabled")
    try second.end(new, .done, after: "disabled")
    try second.end(.done)
    #expect(try run() == nil)
    let last = try #require(try home.store().lastChangingRun(of: [Self.command], profile: "default"))
    #expect(try home.store().journalItems(of: last.number).map(\.userID) == ["u1", "u2", "u3"])
    #expect(try home.store().journalItems(of: last.number, from: 1, limit: 1).map(\.position) == [1])
  }

  @Test func runsOverUsersAreNotThoseOfTheProfile() throws {
    let over = journal(in: home.store())
    try over.send(try over.add(item("u1")))
    try over.end(.interrupted)
    #expect(try home.store().unfinishedRuns(of: Self.command, profile: "default") == [])
  }

  /// The results of many users are written in batches, and the run can be read while it continues.
  @Test func manyItemsAreWrittenInBatches() throws {
    let journal = journal(in: home.store())
    for number in 0..<3000 {
      let position = try journal.add(item("u\(number)"))
      if number % 16 == 0 { try journal.send(position) }
      try journal.end(position, .done, after: "disabled")
    }
    try journal.end(.failed)
    #expect(try items().count { $0.state == .done } == 3000)
  }
}
