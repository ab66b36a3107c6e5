import Session
import Support
import Testing
import World

@testable import Changes
@testable import Store

/// The items of a run of 300, of which every third was changed.
@Suite struct RecordedItemsTests {
  private let folder = TemporaryFolder()
  private let store: Store
  private let items: RecordedItems

  init() throws {
    store = Store(directories: AppDirectories(all: folder.path), world: .live())
    let run = JournalRun(profile: "default", command: "connections disable", commandLine: "ifttt", lock: "run.lock")
    let journal = Journal(run, in: store)
    let positions = (0..<300).map { journal.add(JournalItem(id: "c\($0)")) }
    try journal.begin()
    for position in positions { try journal.end(position, .done, isChanged: position % 3 == 0) }
    try journal.end(.done)
    items = try RecordedItems(of: #require(journal.number), in: store) { _, item in item.isChanged }
  }

  @Test func itemsAreReadInAnyOrder() throws {
    #expect(items.count == 100)
    for index in [0, 1, 99, 50, 0] { #expect(try items[index].item.id == "c\(3 * index)") }
  }

  /// The run that changes them again may be the same one, which records new states.
  @Test func itemsHaveTheirFirstState() throws {
    try store.run("UPDATE journal_item SET state = 'sent'", [:])
    #expect(try items[99].item.state == .done)
  }

  @Test func aDeletedRunIsAnError() throws {
    #expect(try items[0].position == 0)
    try store.run("DELETE FROM journal_run", [:])
    let problem = #expect(throws: Problem.self) { try items[99] }
    #expect(problem?.code == .notFound)
    #expect(problem?.message == "the original run was deleted from the journal")
  }
}
