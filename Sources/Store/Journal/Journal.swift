import Time
import World

/// The journal of one batch. It records each change before it is sent, so that none is missing however the program
/// ends.
///
/// Nothing may be sent before ``send(_:)`` has returned for it: from then on, the disk records that it may have been
/// sent. Outcomes are written in batches. An item whose outcome was not yet written is recorded as sent, and fetching
/// the connection again reveals its outcome.
package final class Journal {
  /// The identity of a new batch run.
  package struct Beginning: Sendable {
    package var profile: String
    package var command: String
    package var words: String
    package var isForced: Bool
    package var lock: String
    /// The number of the run over users that it undoes.
    package var undoes: Int64?
    /// The part of the users, such as `2/4`; nil for all of them.
    package var shard: String?
    package init(profile: String, command: String, words: String, isForced: Bool, lock: String) {
      (self.profile, self.command, self.words) = (profile, command, words)
      (self.isForced, self.lock) = (isForced, lock)
    }
  }

  /// The number of items that are declared as sent in one transaction. A larger window means fewer waits for the
  /// disk; a smaller one means fewer items to check after a crash that were never sent.
  package static let window = 64
  /// The maximum number of outcomes that wait to be written.
  static let batch = 1024
  /// The maximum number of runs kept per profile, not counting runs in progress.
  package static let keptRuns = 100
  /// The maximum number of items in all kept runs of a profile. The latest run is always kept.
  package static let keptItems = 1_000_000

  package private(set) var items: [JournalItem]
  private let store: Store
  private let beginning: Beginning
  private var number: Int64?
  /// The indices of items that differ from what is written.
  private var unwritten: [Int] = []
  /// The indices of items in sending order, with the number of those declared and the number of those sent.
  private var queue: [Int] = []
  private var declared = 0
  private var sent = 0

  /// Creates the journal of a new run. Nothing is written before it has to be.
  package init(_ beginning: Beginning, items: [JournalItem], in store: Store) {
    (self.beginning, self.items, self.store) = (beginning, items, store)
  }

  /// Creates the journal of a resumed run.
  package convenience init(
    resuming run: JournalRun, profile: String, items: [JournalItem], in store: Store
  ) throws(StoreError) {
    self.init(
      Beginning(
        profile: profile, command: run.command, words: run.words, isForced: run.isForced, lock: run.lock),
      items: items, in: store)
    let now = store.world.clock.now()
    _ = try store.write { database throws(StoreError) in try database.resumeRun(run.number, at: now) }
    number = run.number
  }

  /// Whether the run has been written to the store.
  package var isWritten: Bool { number != nil }

  /// Updates the state of an item. It is written with the next batch.
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

  /// Sets the items to send, in this order.
  package func plan(_ places: [Int]) { (queue, declared, sent) = (places, 0, 0) }

  /// Declares an item as sent. Call it before sending the request for this index of the plan.
  package func send(_ index: Int) throws(StoreError) {
    sent = index + 1
    guard index >= declared else { return }
    let end = min(queue.count, index + Self.window)
    for place in queue[declared..<end] { items[place].state = .sent }
    unwritten += queue[declared..<end]
    declared = end
    try write()
  }

  /// Declares items as sent, in one transaction; for runs that do not send in the order of a plan. Call it before the
  /// first request of any of them.
  package func declare(_ places: [Int]) throws(StoreError) {
    for place in places { items[place].state = .sent }
    unwritten += places
    try write()
  }

  /// Writes all pending states, starting with the run itself.
  package func write() throws(StoreError) {
    // Set the number only after the commit: before that, there is no run to refer to.
    number = try store.write { database throws(StoreError) in
      guard let number else { return try insert(into: database) }
      try update(number, in: database)
      return number
    }
    unwritten = []
  }

  /// Ends the run. A run that was never written leaves no trace.
  package func end(_ state: JournalRun.State) throws(StoreError) {
    guard let number else { return }
    // These items were declared as sent, but their requests were never started.
    for place in queue[sent..<max(sent, declared)] { items[place].state = .planned }
    unwritten += queue[sent..<max(sent, declared)]
    let now = store.world.clock.now()
    try store.write { database throws(StoreError) in
      try update(number, in: database)
      try database.endRun(number, state, at: now)
    }
    unwritten = []
  }

  private func insert(into database: Database) throws(StoreError) -> Int64 {
    let now = store.world.clock.now()
    let number = try database.insertRun(beginning, items: items.count, isOverUsers: false, at: now)
    let statement = try database.prepare(Database.insertItem)
    for (place, item) in items.enumerated() { try statement.insert(item, at: place, of: number) }
    try database.pruneJournal(of: beginning.profile)
    return number
  }

  private func update(_ number: Int64, in database: Database) throws(StoreError) {
    let statement = try database.prepare(Database.updateItem)
    for place in unwritten { try statement.update(items[place], at: place, of: number) }
  }
}
