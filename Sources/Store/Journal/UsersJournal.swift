import Time
import World

/// The journal of a run over users. Items are added when their requests are about to be sent and forgotten when
/// their results are written, so memory does not grow with the number of users.
///
/// Nothing may be sent for an item before ``send(_:)`` has returned for it: from then on, the disk records that it may
/// have been sent.
package final class UsersJournal {
  /// The maximum number of results that wait to be written.
  static let batch = 1024

  private let store: Store
  private let beginning: Journal.Beginning
  private var number: Int64?
  private let isResumed: Bool
  private var nextPosition = 0
  /// The items without a written result.
  private var items: [Int: JournalItem] = [:]
  /// Items that are not in the store yet, and those that differ from it.
  private var new: [Int] = []
  private var changed: Set<Int> = []
  private var ended: [Int] = []

  /// Creates the journal of a new run. Nothing is written before something is sent.
  package init(_ beginning: Journal.Beginning, in store: Store) {
    (self.beginning, self.store, isResumed) = (beginning, store, false)
  }

  /// Creates the journal of a resumed run.
  package init(resuming run: JournalRun, profile: String, in store: Store) throws(StoreError) {
    beginning = Journal.Beginning(
      profile: profile, command: run.command, words: run.words, isForced: run.isForced, lock: run.lock)
    (self.store, number, isResumed) = (store, run.number, true)
    let now = store.world.clock.now()
    let last = try store.write { database throws(StoreError) -> Int64? in
      try database.resumeRun(run.number, at: now)
      return try database.integer("SELECT max(position) FROM journal_item WHERE run = ?", .integer(run.number))
    }
    nextPosition = last.map { Int($0) + 1 } ?? 0
  }

  /// Whether the run has been written to the store.
  package var isWritten: Bool { number != nil }

  /// The item of a user's connection in the earlier part of a resumed run.
  package func earlier(_ user: String, _ id: String) throws(StoreError) -> JournalItem? {
    guard isResumed, let number else { return nil }
    return try store.journalItem(of: number, user: user, id: id)?.item
  }

  /// Adds an item whose request is about to be sent. In a resumed run, an item that was added earlier keeps its state
  /// before the run.
  /// - Returns: its position.
  package func add(_ item: JournalItem) throws(StoreError) -> Int {
    var item = item
    item.state = .sent
    if isResumed, let number, let user = item.userID,
      let earlier = try store.journalItem(of: number, user: user, id: item.id)
    {
      item.before = earlier.item.before ?? item.before
      items[earlier.position] = item
      changed.insert(earlier.position)
      return earlier.position
    }
    defer { nextPosition += 1 }
    items[nextPosition] = item
    new.append(nextPosition)
    return nextPosition
  }

  /// Makes sure that the disk has an item as sent, with its present state before the run.
  package func send(_ position: Int) throws(StoreError) {
    if changed.contains(position) || new.contains(position) { try write() }
  }

  /// Corrects the state before the run, which must be written before the next request.
  package func correct(_ position: Int, before: String) {
    items[position]?.before = before
    changed.insert(position)
  }

  /// Records the result of an item.
  package func end(
    _ position: Int, _ state: JournalItem.State, after: String? = nil
  ) throws(StoreError) {
    items[position]?.state = state
    if let after { items[position]?.after = after }
    changed.insert(position)
    ended.append(position)
    if ended.count >= Self.batch { try write() }
  }

  /// Records items that are done, within the write that makes their changes.
  /// - Returns: the number of the run, for ``didInsert(_:of:)`` after the commit.
  func insert(savedCredentialsOf users: [String], in database: Database) throws(StoreError) -> Int64 {
    let number: Int64
    if let known = self.number {
      number = known
    } else {
      number = try database.insertRun(beginning, items: 0, isOverUsers: true, at: store.world.clock.now())
    }
    let insertion = try database.prepare(Database.insertItem)
    for (offset, user) in users.enumerated() {
      let item = JournalItem(id: "", userID: user, action: JournalItem.exchange, state: .done)
      try insertion.insert(item, at: nextPosition + offset, of: number)
    }
    return number
  }

  func didInsert(_ count: Int, of run: Int64) {
    number = run
    nextPosition += count
  }

  /// Ends the run. A run that sent nothing leaves no trace.
  package func end(_ state: JournalRun.State) throws(StoreError) {
    if !new.isEmpty || !changed.isEmpty { try write() }
    guard let number else { return }
    let now = store.world.clock.now()
    try store.write { database throws(StoreError) in
      try database.run(
        "UPDATE journal_run SET items = (SELECT count(*) FROM journal_item WHERE run = ?1) WHERE number = ?1",
        .integer(number))
      try database.endRun(number, state, at: now)
      try database.pruneJournal(of: beginning.profile)
    }
  }

  /// Ends a resumed run in which nothing failed.
  /// - Returns: The number of changes of the earlier part that are still unfinished, because this part did not include
  ///   them. If there are any, the run can be resumed again.
  package func endResumed() throws(StoreError) -> Int {
    try end(.done)
    guard let number else { return 0 }
    let left = try store.countUnfinishedItems(of: number)
    if left > 0 { try end(.failed) }
    return left
  }

  private func write() throws(StoreError) {
    let now = store.world.clock.now()
    number = try store.write { database throws(StoreError) in
      let number: Int64
      if let known = self.number {
        number = known
      } else {
        number = try database.insertRun(beginning, items: 0, isOverUsers: true, at: now)
      }
      let insertion = try database.prepare(Database.insertItem)
      for position in new { if let item = items[position] { try insertion.insert(item, at: position, of: number) } }
      let update = try database.prepare(Database.updateItem)
      for position in changed.subtracting(new) {
        if let item = items[position] { try update.update(item, at: position, of: number) }
      }
      return number
    }
    for position in ended { items[position] = nil }
    (new, changed, ended) = ([], [], [])
  }
}
