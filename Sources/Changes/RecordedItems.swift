import Session
package import Store

/// The items of a run that a later run changes again. They are read from the journal in pages, and only their positions
/// and states are held in memory.
package struct RecordedItems {
  /// The number of items that are read at once.
  private static let pageSize = 256

  private let run: Int64
  private let journal: JournalStore
  private var positions: [Int] = []
  private var states: [JournalItem.State] = []
  private let page = Page()

  private final class Page {
    var items: [(position: Int, item: JournalItem)] = []

    subscript(position: Int) -> JournalItem? { items.first { $0.position == position }?.item }
  }

  /// - Parameter isIncluded: whether to include the item at a position.
  package init(of run: Int64, in store: Store, where isIncluded: (Int, JournalItem) throws -> Bool) throws {
    (self.run, journal) = (run, JournalStore(store))
    try Self.forEach(of: run, in: journal) { position, item in
      guard try isIncluded(position, item) else { return true }
      positions.append(position)
      states.append(item.state)
      return true
    }
  }

  package var count: Int { positions.count }

  /// An item in the state that it had when this value was made. The later run may record another one.
  /// - Throws: `not_found` if the run was deleted since.
  package subscript(_ index: Int) -> (position: Int, item: JournalItem) {
    get throws {
      let position = positions[index]
      if page[position] == nil {
        page.items = try journal.items(of: run, from: position, limit: Self.pageSize)
      }
      guard var item = page[position] else { throw Problem.runDeleted }
      item.state = states[index]
      return (position, item)
    }
  }

  /// Reads the items of a run in their order, until `body` returns false.
  package static func forEach(
    of run: Int64, in journal: JournalStore, _ body: (Int, JournalItem) throws -> Bool
  ) throws {
    var next = 0
    while true {
      let items = try journal.items(of: run, from: next, limit: pageSize)
      for (position, item) in items {
        guard try body(position, item) else { return }
        next = position + 1
      }
      guard items.count == pageSize else { return }
    }
  }
}
