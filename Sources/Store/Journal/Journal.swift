import World

/// The journal of a run that changes subjects. It records each change before it is sent, so that no change is missing
/// even if the program is killed.
///
/// Nothing may be sent for an item before ``send(_:before:)`` has returned for it: from then on, the disk records that
/// it may have been sent. Items are declared as sent together with those that follow, and results are written in
/// batches, since each transaction waits for the disk. An item whose result was not yet written is recorded as sent,
/// and reading the subject reveals its result. An item is forgotten once its result is written, so memory does not grow
/// with the number of items.
package final class Journal {
  /// The number of items that are declared as sent in one transaction. A larger window means fewer waits for the disk; a
  /// smaller one means fewer items to check after a crash that were never sent.
  package static let window = 64
  /// The maximum number of results that wait to be written.
  static let batch = 1024
  /// The maximum number of runs per profile, not counting runs in progress.
  package static let runLimit = 100
  /// The maximum number of items in all runs of a profile. The latest run is never deleted.
  package static let itemLimit = 1_000_000

  private let store: Store
  private let start: JournalRun
  /// Nil until the run is written.
  package private(set) var number: Int64?
  private var nextPosition = 0
  /// The items without a written result, by position.
  private var entries: [Int: Entry] = [:]
  /// The positions of items that were not declared as sent yet, in their order.
  private var waiting: ArraySlice<Int> = []
  /// The positions of the items that differ from the store.
  private var unwritten: Set<Int> = []
  /// The number of results in ``unwritten``.
  private var unwrittenResults = 0

  /// An item of the run, and its progress. It is a class, so that the dictionary of a long run copies only references
  /// while it grows.
  private final class Entry {
    var item: JournalItem
    var isInStore: Bool
    /// Whether an earlier part of the run may have sent it.
    let wasSentBefore: Bool
    /// Whether it is declared as sent, or has ended and must not be declared any more.
    var isDeclared = false
    var hasStarted = false
    var hasEnded = false

    init(_ item: JournalItem, isInStore: Bool) {
      (self.item, self.isInStore, wasSentBefore) = (item, isInStore, item.state == .sent)
    }
  }

  /// Creates the journal of a new run. Nothing is written before something is sent.
  package init(_ start: JournalRun, in store: Store) { (self.start, self.store) = (start, store) }

  /// Creates the journal of a resumed run.
  package init(resuming run: JournalRun, _ start: JournalRun, in store: Store) throws(StoreError) {
    self.start = start
    (self.store, number) = (store, run.number)
    let now = store.world.clock.now()
    let last = try store.write { database throws(StoreError) -> Int64? in
      try database.resumeRun(run.number, isConfirmed: start.isConfirmed, at: now)
      return try database.integer("SELECT max(position) FROM journal_item WHERE run = :run", [":run": run.number])
    }
    nextPosition = last.map { Int($0) + 1 } ?? 0
  }

  /// Whether the run has been written to the store.
  package var isWritten: Bool { number != nil }

  /// Adds an item that will be sent.
  /// - Parameter position: The position of its record in the earlier part of a resumed run; nil for a new item.
  /// - Returns: The position of the item.
  package func add(_ item: JournalItem, at position: Int? = nil) -> Int {
    let itemPosition = position ?? nextPosition
    if position == nil { nextPosition += 1 }
    entries[itemPosition] = Entry(item, isInStore: position != nil)
    unwritten.insert(itemPosition)
    waiting.append(itemPosition)
    return itemPosition
  }

  /// Ensures that the disk records an item as sent.
  /// - Parameter before: The state before the run as known now.
  /// - Returns: The items that this call declared as sent. The caller can mark them as stale.
  package func send(_ position: Int, before: String?) throws(StoreError) -> [JournalItem] {
    entries[position]?.hasStarted = true
    if entries[position]?.item.before != before {
      entries[position]?.item.before = before
      unwritten.insert(position)
    }
    var declared: [JournalItem] = []
    if let item = declare(position) {
      declared.append(item)
      while declared.count < Self.window, let next = waiting.popFirst() {
        if let item = declare(next) { declared.append(item) }
      }
    }
    if unwritten.contains(position) { try write() }
    return declared
  }

  /// Declares an item as sent.
  /// - Returns: The item; nil if it was declared before.
  private func declare(_ position: Int) -> JournalItem? {
    guard let entry = entries[position], !entry.isDeclared else { return nil }
    entry.isDeclared = true
    entry.item.state = .sent
    unwritten.insert(position)
    return entry.item
  }

  /// Records the result of an item.
  package func end(
    _ position: Int, _ state: JournalItem.State, after: String? = nil, isChanged: Bool = false, error: String? = nil
  ) throws(StoreError) {
    guard let entry = entries[position] else { return }
    entry.item.state = state
    entry.item.after = after
    entry.item.isChanged = isChanged
    entry.item.error = error
    (entry.isDeclared, entry.hasStarted) = (true, true)
    if !entry.hasEnded { unwrittenResults += 1 }
    entry.hasEnded = true
    unwritten.insert(position)
    if unwrittenResults >= Self.batch { try write() }
  }

  /// Records items that are done, within the write that saves their credentials.
  /// - Returns: The number of the run, to pass to ``didInsert(_:of:)`` after the commit.
  func insert(savedCredentialsOf users: [String], in database: Database) throws(StoreError) -> Int64 {
    let number: Int64
    if let known = self.number {
      number = known
    } else {
      number = try database.insert(start, at: store.world.clock.now())
    }
    let insertion = try database.prepare(Database.insertItem)
    for (offset, user) in users.enumerated() {
      let item = JournalItem(id: "", userID: user, action: JournalItem.exchange, state: .done)
      try insertion.insertItem(item, nextPosition + offset, number)
    }
    return number
  }

  /// Updates this journal after the commit of ``insert(savedCredentialsOf:in:)``.
  func didInsert(_ count: Int, of run: Int64) {
    number = run
    nextPosition += count
  }

  /// Ends the run. A run that was never written leaves no trace.
  /// - Returns: The number of items that are still unfinished, including items that this part of the run did not reach.
  @discardableResult
  package func end(_ state: JournalRun.State) throws(StoreError) -> Int {
    // These were declared as sent, but their requests were never started.
    let unsent = entries.filter { _, entry in
      entry.item.state == .sent && entry.isDeclared && !entry.hasStarted && !entry.wasSentBefore
    }
    for (position, entry) in unsent {
      entry.item.state = .planned
      unwritten.insert(position)
    }
    guard isWritten else { return 0 }
    try write()
    guard let number else { return 0 }
    let now = store.world.clock.now()
    let unfinished = try JournalStore(store).countUnfinishedItems(of: number)
    let state = state == .done && unfinished > 0 ? .failed : state
    try store.write { database throws(StoreError) in
      try database.endRun(number, state, at: now)
      try database.noteReversal(by: number)
      try database.pruneJournal(of: start.profile)
    }
    return unfinished
  }

  /// Writes the run with the items that were added, before the first of them is sent.
  /// - Parameter evenIfEmpty: whether a run without items is written too.
  package func begin(evenIfEmpty: Bool = false) throws(StoreError) {
    if evenIfEmpty || !unwritten.isEmpty { try write() }
  }

  private func write() throws(StoreError) {
    let now = store.world.clock.now()
    // Set the number only after the commit: before that, no run exists.
    number = try store.write { database throws(StoreError) in
      let number: Int64
      if let known = self.number { number = known } else { number = try database.insert(start, at: now) }
      let insertion = try database.prepare(Database.insertItem)
      let update = try database.prepare(Database.updateItem)
      for position in unwritten.sorted() {
        guard let entry = entries[position] else { continue }
        if entry.isInStore {
          try update.updateItem(entry.item, position, number)
        } else {
          try insertion.insertItem(entry.item, position, number)
        }
      }
      return number
    }
    for position in unwritten {
      entries[position]?.isInStore = true
      if entries[position]?.hasEnded == true { entries[position] = nil }
    }
    (unwritten, unwrittenResults) = ([], 0)
  }
}

/// The users and targets that a run over users is resumed with.
package struct JournaledUsers: Sendable {
  /// The path of the users file; nil for stdin.
  package var file: String?
  /// The targets as JSON.
  package var targets: String

  package init(file: String?, targets: String) { (self.file, self.targets) = (file, targets) }
}

extension Database {
  fileprivate func resumeRun(_ number: Int64, isConfirmed: Bool, at now: Timestamp) throws(StoreError) {
    try run(
      """
      UPDATE journal_run SET state = 'running', begun_at = :now, ended_at = NULL,
        is_confirmed = is_confirmed OR :is_confirmed, turn = (SELECT max(turn) + 1 FROM journal_run)
      WHERE number = :run
      """, [":run": number, ":now": now, ":is_confirmed": isConfirmed])
  }

  fileprivate func endRun(_ number: Int64, _ state: JournalRun.State, at now: Timestamp) throws(StoreError) {
    try run(
      """
      UPDATE journal_run SET state = :state, ended_at = :now,
        items = (SELECT count(*) FROM journal_item WHERE run = :run)
      WHERE number = :run
      """, [":run": number, ":state": state.rawValue, ":now": now])
  }

  /// Deletes old runs. A run that may be in progress is deleted only after many newer ones.
  fileprivate func pruneJournal(of profile: String) throws(StoreError) {
    try run(
      """
      DELETE FROM journal_run WHERE number IN (
        SELECT number FROM (
          SELECT number, state, row_number() OVER latest AS rank, sum(items) OVER latest AS total
          FROM journal_run WHERE profile = :profile WINDOW latest AS (ORDER BY turn DESC))
        WHERE rank > 1 AND (rank > :runs OR total > :items) AND (state <> 'running' OR rank > 10 * :runs))
      """, [":profile": profile, ":runs": Journal.runLimit, ":items": Journal.itemLimit])
  }

  fileprivate func insert(_ run: JournalRun, at now: Timestamp) throws(StoreError) -> Int64 {
    try makeProfile(run.profile)
    return try integer(
      """
      INSERT INTO journal_run (profile, turn, command, words, is_forced, allows_removal, is_confirmed, lock, items,
        begun_at, state, is_over_users, undoes, shard, service, users_file, targets)
      VALUES (:profile, (SELECT coalesce(max(turn), 0) + 1 FROM journal_run), :command, :words, :is_forced,
        :allows_removal, :is_confirmed, :lock, 0, :now, 'running', :is_over_users, :undoes, :shard, :service,
        :users_file, :targets)
      RETURNING number
      """,
      [
        ":profile": run.profile, ":command": run.command, ":words": run.commandLine, ":is_forced": run.isForced,
        ":allows_removal": run.allowsRemoval, ":is_confirmed": run.isConfirmed, ":lock": run.lock, ":now": now,
        ":is_over_users": run.isOverUsers, ":undoes": run.undoes, ":shard": run.shard, ":service": run.service,
        ":users_file": run.usersFile, ":targets": run.targets,
      ]) ?? 0
  }

  /// Marks the run that a complete undo has undone, or that a complete redo has restored. A subject that can never be
  /// reverted does not count: every later undo would begin with it.
  fileprivate func noteReversal(by number: Int64) throws(StoreError) {
    try run(
      """
      UPDATE journal_run SET undone_by = CASE (SELECT command FROM journal_run WHERE number = :run)
          WHEN 'connections redo' THEN NULL ELSE :run END
      WHERE number = (SELECT undoes FROM journal_run WHERE number = :run AND state = 'done')
        AND NOT EXISTS (
          SELECT 1 FROM journal_item WHERE run = :run AND state <> 'done'
            AND NOT (state = 'refused' AND (error LIKE '{"code":"pending"%' OR error LIKE '{"code":"never_enabled"%')))
      """, [":run": number])
  }

  fileprivate static let insertItem = """
    INSERT INTO journal_item (run, position, id, action, provider, user_id, status_before, status_after, target, state,
      changed, error)
    VALUES (:run, :position, :id, :action, :provider, :user_id, :before, :after, :target, :state, :changed, :error)
    """
  fileprivate static let updateItem = """
    UPDATE journal_item SET action = 'change', status_before = :before, status_after = :after, target = :target,
      state = :state, changed = :changed, error = :error
    WHERE run = :run AND position = :position
    """
}

extension Statement {
  fileprivate func insertItem(_ item: JournalItem, _ position: Int, _ run: Int64) throws(StoreError) {
    try self.run(
      item.values(at: position, of: run) + [
        ":id": item.id, ":action": item.action, ":provider": item.provider, ":user_id": item.userID,
      ])
  }

  fileprivate func updateItem(_ item: JournalItem, _ position: Int, _ run: Int64) throws(StoreError) {
    try self.run(item.values(at: position, of: run))
  }
}

extension JournalItem {
  /// The values that a run changes.
  fileprivate func values(at position: Int, of run: Int64) -> SQLParameters {
    [
      ":run": run, ":position": position, ":before": before, ":after": after, ":target": target,
      ":state": state.rawValue, ":changed": isChanged, ":error": error,
    ]
  }
}
