import Time
import World

/// Writes down what a run over many changes, so that no change is missing from it however the program ends.
///
/// Nothing may be sent before ``send(_:)`` returned for it: the disk then knows that it may have been. Outcomes are
/// written in batches, so one that was not written yet is known as sent, and a read tells what became of it.
package final class Journal {
  /// What identifies a run that begins.
  package struct Beginning: Sendable {
    package var profile: String
    package var command: String
    package var words: String
    package var isForced: Bool
    package var lock: String
    package init(profile: String, command: String, words: String, isForced: Bool, lock: String) {
      (self.profile, self.command, self.words) = (profile, command, words)
      (self.isForced, self.lock) = (isForced, lock)
    }
  }

  /// How many items are declared sent in one transaction: a disk is then seldom waited for, and after a crash few have
  /// to be read that were never sent.
  package static let window = 64
  /// How many outcomes wait at most to be written.
  static let batch = 1024
  /// Of each profile; a run that is under way is kept besides.
  package static let keptRuns = 100
  /// Of all runs of a profile, but for the last.
  package static let keptItems = 1_000_000

  package private(set) var items: [JournalItem]
  private let store: Store
  private let beginning: Beginning
  private var number: Int64?
  /// Places of items that differ from what is written.
  private var unwritten: [Int] = []
  /// Places in the order in which they are to be sent, how many of them are declared, and how many were sent.
  private var queue: [Int] = []
  private var declared = 0
  private var sent = 0

  /// A run that begins. Nothing is written before it has to be.
  package init(_ beginning: Beginning, items: [JournalItem], in store: Store) {
    (self.beginning, self.items, self.store) = (beginning, items, store)
  }

  /// A run that is gone on with.
  package convenience init(
    goingOnWith run: JournalRun, profile: String, items: [JournalItem], in store: Store
  ) throws(StoreError) {
    self.init(
      Beginning(
        profile: profile, command: run.command, words: run.words, isForced: run.isForced, lock: run.lock),
      items: items, in: store)
    let now = store.world.clock.now().milliseconds
    _ = try store.write { database throws(StoreError) in
      try database.run(
        """
        UPDATE journal_run SET state = 'running', begun_at = ?2, ended_at = NULL,
          turn = (SELECT max(turn) + 1 FROM journal_run) WHERE number = ?1
        """, .integer(run.number), .integer(now))
    }
    number = run.number
  }

  /// Whether anything is written down.
  package var isWritten: Bool { number != nil }

  /// Notes what is known of one item now; it is written with the next batch.
  package func note(
    _ place: Int, _ state: JournalItem.State, before: String? = nil, after: String? = nil
  ) throws(StoreError) {
    items[place].state = state
    if let before { items[place].before = before }
    if let after { items[place].after = after }
    guard isWritten else { return }
    unwritten.append(place)
    if unwritten.count >= Self.batch { try write() }
  }

  /// Says which items are to be sent, in this order.
  package func plan(_ places: [Int]) { (queue, declared, sent) = (places, 0, 0) }

  /// Called before the request of the item at this place of the plan goes out.
  package func send(_ index: Int) throws(StoreError) {
    sent = index + 1
    guard index >= declared else { return }
    let end = min(queue.count, index + Self.window)
    for place in queue[declared..<end] { items[place].state = .sent }
    unwritten += queue[declared..<end]
    declared = end
    try write()
  }

  /// Writes everything that is known so far; the run itself first.
  package func write() throws(StoreError) {
    // Only once the transaction is kept is there a run to refer to.
    number = try store.write { database throws(StoreError) in
      guard let number else { return try insert(into: database) }
      try update(number, in: database)
      return number
    }
    unwritten = []
  }

  /// The end of the run. One that came to nothing before it was written leaves no trace.
  package func end(_ state: JournalRun.State) throws(StoreError) {
    guard let number else { return }
    // Declared, and never begun.
    for place in queue[sent..<max(sent, declared)] { items[place].state = .planned }
    unwritten += queue[sent..<max(sent, declared)]
    let now = store.world.clock.now().milliseconds
    try store.write { database throws(StoreError) in
      try update(number, in: database)
      try database.run(
        "UPDATE journal_run SET state = ?, ended_at = ? WHERE number = ?", .text(state.rawValue), .integer(now),
        .integer(number))
    }
    unwritten = []
  }

  private func insert(into database: Database) throws(StoreError) -> Int64 {
    try database.makeProfile(beginning.profile)
    try database.run(
      """
      INSERT INTO journal_run (profile, turn, command, words, is_forced, lock, items, begun_at, state)
      VALUES (?, (SELECT coalesce(max(turn), 0) + 1 FROM journal_run), ?, ?, ?, ?, ?, ?, 'running')
      """, .text(beginning.profile), .text(beginning.command), .text(beginning.words),
      .integer(beginning.isForced ? 1 : 0), .text(beginning.lock), .integer(Int64(items.count)),
      .integer(store.world.clock.now().milliseconds))
    let number = try database.integer("SELECT last_insert_rowid()") ?? 0
    let statement = try database.prepare("INSERT INTO journal_item VALUES (?, ?, ?, ?, ?, ?, ?)")
    for (place, item) in items.enumerated() {
      try statement.run(
        .integer(number), .integer(Int64(place)), .text(item.id), .text(item.action), SQLValue(item.before),
        SQLValue(item.after), .text(item.state.rawValue))
    }
    try database.pruneJournal(of: beginning.profile)
    return number
  }

  private func update(_ number: Int64, in database: Database) throws(StoreError) {
    let statement = try database.prepare(
      """
      UPDATE journal_item SET status_before = ?3, status_after = ?4, state = ?5 WHERE run = ?1 AND position = ?2
      """)
    for place in unwritten {
      let item = items[place]
      try statement.run(
        .integer(number), .integer(Int64(place)), SQLValue(item.before), SQLValue(item.after),
        .text(item.state.rawValue))
    }
  }
}

extension SQLValue {
  fileprivate init(_ text: String?) { self = text.map(SQLValue.text) ?? .null }
}

extension Database {
  /// Forgets old runs; one that may be under way only where very many came after it.
  fileprivate func pruneJournal(of profile: String) throws(StoreError) {
    try run(
      """
      DELETE FROM journal_run WHERE number IN (
        SELECT number FROM (
          SELECT number, state, row_number() OVER latest AS place, sum(items) OVER latest AS total
          FROM journal_run WHERE profile = ?1 WINDOW latest AS (ORDER BY turn DESC))
        WHERE place > 1 AND (place > ?2 OR total > ?3) AND (state <> 'running' OR place > 10 * ?2))
      """, .text(profile), .integer(Int64(Journal.keptRuns)), .integer(Int64(Journal.keptItems)))
  }
}
