import World

/// The journal of a run that changes subjects. It records each change before it is sent, so that none is missing however
/// the program ends.
///
/// Nothing may be sent for an item before ``send(_:)`` has returned for it: from then on, the disk records that it may
/// have been sent. Items are declared as sent together with those that follow, and results are written in batches, since
/// each transaction waits for the disk. An item whose result was not yet written is recorded as sent, and reading the
/// subject reveals its result. An item is forgotten once its result is written, so memory does not grow with their number.
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
  private let start: NewJournalRun
  /// Nil until the run is written.
  package private(set) var number: Int64?
  private var nextPosition = 0
  /// The items without a written result.
  private var items = ItemWindow()
  /// The positions of items that were not declared as sent yet, in their order.
  private var waiting: ArraySlice<Int> = []
  private var declared: Set<Int> = []
  private var started: Set<Int> = []
  /// The items that an earlier part of the run may have sent.
  private var sentBefore: Set<Int> = []
  /// Items that are not in the store yet, and those that differ from it.
  private var new: Set<Int> = []
  private var changed: Set<Int> = []
  private var ended: [Int] = []

  /// Creates the journal of a new run. Nothing is written before something is sent.
  package init(_ start: NewJournalRun, in store: Store) { (self.start, self.store) = (start, store) }

  /// Creates the journal of a resumed run.
  package init(resuming run: JournalRun, _ start: NewJournalRun, in store: Store) throws(StoreError) {
    self.start = start
    (self.store, number) = (store, run.number)
    let now = store.world.clock.now()
    let last = try store.write { database throws(StoreError) -> Int64? in
      try database.resumeRun(run.number, isConfirmed: start.isConfirmed, at: now)
      return try database.integer("SELECT max(position) FROM journal_item WHERE run = ?", .integer(run.number))
    }
    nextPosition = last.map { Int($0) + 1 } ?? 0
  }

  /// Whether the run has been written to the store.
  package var isWritten: Bool { number != nil }

  /// Adds an item that will be sent.
  /// - Parameter position: that of its record in the earlier part of a resumed run; nil for a new item.
  /// - Returns: its position.
  package func add(_ item: JournalItem, at position: Int? = nil) -> Int {
    let itemPosition = position ?? nextPosition
    if position == nil {
      nextPosition += 1
      new.insert(itemPosition)
    } else {
      changed.insert(itemPosition)
    }
    items[itemPosition] = item
    if item.state == .sent { sentBefore.insert(itemPosition) }
    waiting.append(itemPosition)
    return itemPosition
  }

  /// Makes sure that the disk has an item as sent.
  /// - Parameter before: the state before the run as known now.
  /// - Returns: the items that were declared as sent by this call, which the caller can mark as stale.
  package func send(_ position: Int, before: String?) throws(StoreError) -> [JournalItem] {
    started.insert(position)
    if items[position]?.before != before {
      items[position]?.before = before
      changed.insert(position)
    }
    var fresh: [JournalItem] = []
    if !declared.contains(position) {
      var batch = [position]
      declared.insert(position)
      while batch.count < Self.window, let next = waiting.popFirst() {
        if declared.insert(next).inserted { batch.append(next) }
      }
      for declaredPosition in batch {
        items[declaredPosition]?.state = .sent
        changed.insert(declaredPosition)
        if let item = items[declaredPosition] { fresh.append(item) }
      }
    }
    if changed.contains(position) || new.contains(position) { try write() }
    return fresh
  }

  /// Records the result of an item.
  package func end(
    _ position: Int, _ state: JournalItem.State, after: String? = nil, isChanged: Bool = false, error: String? = nil
  ) throws(StoreError) {
    items[position]?.state = state
    items[position]?.after = after
    items[position]?.isChanged = isChanged
    items[position]?.error = error
    // It must not be declared as sent any more.
    declared.insert(position)
    started.insert(position)
    changed.insert(position)
    ended.append(position)
    if ended.count >= Self.batch { try write() }
  }

  /// Records items that are done, within the write that saves their credentials.
  /// - Returns: the number of the run, for ``didInsert(_:of:)`` after the commit.
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

  func didInsert(_ count: Int, of run: Int64) {
    number = run
    nextPosition += count
  }

  /// Ends the run. A run that sent nothing leaves no trace.
  /// - Returns: the number of items that are still unfinished, also those that this part of the run did not include.
  @discardableResult
  package func end(_ state: JournalRun.State) throws(StoreError) -> Int {
    // These were declared as sent, but their requests were never started.
    for position in declared.subtracting(started).subtracting(sentBefore) where items[position]?.state == .sent {
      items[position]?.state = .planned
      changed.insert(position)
    }
    guard isWritten else { return 0 }
    try write()
    guard let number else { return 0 }
    let now = store.world.clock.now()
    let left = try store.countUnfinishedItems(of: number)
    let state = state == .done && left > 0 ? .failed : state
    try store.write { database throws(StoreError) in
      try database.endRun(number, state, at: now)
      try database.noteReversal(by: number)
      try database.pruneJournal(of: start.profile)
    }
    return left
  }

  /// Writes the run with the items that were added, before the first of them is sent.
  /// - Parameter evenIfEmpty: whether a run without items is written too.
  package func begin(evenIfEmpty: Bool = false) throws(StoreError) {
    if evenIfEmpty || !new.isEmpty || !changed.isEmpty { try write() }
  }

  private func write() throws(StoreError) {
    let now = store.world.clock.now()
    // Set the number only after the commit: before that, no run exists.
    number = try store.write { database throws(StoreError) in
      let number: Int64
      if let known = self.number { number = known } else { number = try database.insert(start, at: now) }
      let insertion = try database.prepare(Database.insertItem)
      for position in new.sorted() {
        if let item = items[position] { try insertion.insertItem(item, position, number) }
      }
      let update = try database.prepare(Database.updateItem)
      for position in changed.subtracting(new) {
        if let item = items[position] { try update.updateItem(item, position, number) }
      }
      return number
    }
    for position in ended { items[position] = nil }
    (new, changed, ended) = ([], [], [])
  }
}

/// What a run over users is resumed with.
package struct JournaledUsers: Sendable {
  /// The path of the file; nil for stdin.
  package var file: String?
  /// The targets as JSON.
  package var targets: String

  package init(file: String?, targets: String) { (self.file, self.targets) = (file, targets) }
}

/// What identifies a new run.
package struct NewJournalRun: Sendable {
  package var profile: String
  package var command: String
  package var commandLine: String
  package var lock: String
  /// Whether requests are sent even if nothing would change.
  package var isForced = false
  package var allowsRemoval = false
  /// Whether the run, or the part of it that begins, was confirmed.
  package var isConfirmed = false
  /// The number of the run that an undo or a redo is about.
  package var undoes: Int64?
  /// The part of the subjects, such as `2/4`; nil for all of them.
  package var shard: String?
  /// The service of Applets.
  package var service: String?
  /// Nil for a run that is not over users.
  package var users: JournaledUsers?

  package init(profile: String, command: String, commandLine: String, lock: String) {
    (self.profile, self.command, self.commandLine, self.lock) = (profile, command, commandLine, lock)
  }
}

extension Database {
  fileprivate func resumeRun(_ number: Int64, isConfirmed: Bool, at now: Timestamp) throws(StoreError) {
    try run(
      """
      UPDATE journal_run SET state = 'running', begun_at = ?2, ended_at = NULL, is_confirmed = is_confirmed OR ?3,
        turn = (SELECT max(turn) + 1 FROM journal_run) WHERE number = ?1
      """, .integer(number), .integer(now.milliseconds), .integer(isConfirmed ? 1 : 0))
  }

  fileprivate func endRun(_ number: Int64, _ state: JournalRun.State, at now: Timestamp) throws(StoreError) {
    try run(
      """
      UPDATE journal_run SET state = ?2, ended_at = ?3, items = (SELECT count(*) FROM journal_item WHERE run = ?1)
      WHERE number = ?1
      """, .integer(number), .text(state.rawValue), .integer(now.milliseconds))
  }

  /// Deletes old runs. A run that may be in progress is deleted only after many newer ones.
  fileprivate func pruneJournal(of profile: String) throws(StoreError) {
    try run(
      """
      DELETE FROM journal_run WHERE number IN (
        SELECT number FROM (
          SELECT number, state, row_number() OVER latest AS rank, sum(items) OVER latest AS total
          FROM journal_run WHERE profile = ?1 WINDOW latest AS (ORDER BY turn DESC))
        WHERE rank > 1 AND (rank > ?2 OR total > ?3) AND (state <> 'running' OR rank > 10 * ?2))
      """, .text(profile), .integer(Int64(Journal.runLimit)), .integer(Int64(Journal.itemLimit)))
  }

  fileprivate func insert(_ run: NewJournalRun, at now: Timestamp) throws(StoreError) -> Int64 {
    try makeProfile(run.profile)
    try self.run(
      """
      INSERT INTO journal_run (profile, turn, command, words, is_forced, allows_removal, is_confirmed, lock, items,
        begun_at, state, is_over_users, undoes, shard, service, users_file, targets)
      VALUES (?, (SELECT coalesce(max(turn), 0) + 1 FROM journal_run), ?, ?, ?, ?, ?, ?, 0, ?, 'running', ?, ?, ?, ?, ?, ?)
      """, .text(run.profile), .text(run.command), .text(run.commandLine), .integer(run.isForced ? 1 : 0),
      .integer(run.allowsRemoval ? 1 : 0), .integer(run.isConfirmed ? 1 : 0), .text(run.lock),
      .integer(now.milliseconds), .integer(run.users == nil ? 0 : 1), run.undoes.map(SQLValue.integer) ?? .null,
      SQLValue(run.shard),
      SQLValue(run.service), SQLValue(run.users?.file), SQLValue(run.users?.targets))
    return try integer("SELECT last_insert_rowid()") ?? 0
  }

  /// Marks the run that a complete undo has undone, or that a complete redo has restored. A subject that can never be
  /// reverted does not count: every later undo would begin with it.
  fileprivate func noteReversal(by number: Int64) throws(StoreError) {
    try run(
      """
      UPDATE journal_run SET undone_by = CASE (SELECT command FROM journal_run WHERE number = ?1)
          WHEN 'connections redo' THEN NULL ELSE ?1 END
      WHERE number = (SELECT undoes FROM journal_run WHERE number = ?1 AND state = 'done')
        AND NOT EXISTS (
          SELECT 1 FROM journal_item WHERE run = ?1 AND state <> 'done'
            AND NOT (state = 'refused' AND (error LIKE '{"code":"pending"%' OR error LIKE '{"code":"never_enabled"%')))
      """, .integer(number))
  }

  fileprivate static let insertItem = """
    INSERT INTO journal_item (run, position, id, action, provider, user_id, status_before, status_after, target, state,
      changed, error)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """
  fileprivate static let updateItem = """
    UPDATE journal_item SET action = 'change', status_before = ?3, status_after = ?4, target = ?5, state = ?6,
      changed = ?7, error = ?8
    WHERE run = ?1 AND position = ?2
    """
}

extension Statement {
  fileprivate func insertItem(_ item: JournalItem, _ position: Int, _ run: Int64) throws(StoreError) {
    try self.run(
      .integer(run), .integer(Int64(position)), .text(item.id), .text(item.action), SQLValue(item.provider),
      SQLValue(item.userID),
      SQLValue(item.before), SQLValue(item.after), SQLValue(item.target), .text(item.state.rawValue),
      .integer(item.isChanged ? 1 : 0), SQLValue(item.error))
  }

  fileprivate func updateItem(_ item: JournalItem, _ position: Int, _ run: Int64) throws(StoreError) {
    try self.run(
      .integer(run), .integer(Int64(position)), SQLValue(item.before), SQLValue(item.after), SQLValue(item.target),
      .text(item.state.rawValue), .integer(item.isChanged ? 1 : 0), SQLValue(item.error))
  }
}

extension SQLValue {
  fileprivate init(_ text: String?) { self = text.map(SQLValue.text) ?? .null }
}

/// The items of a run that are in progress, by position. A dictionary would take three times the memory.
struct ItemWindow {
  private var elements: [JournalItem?] = []
  /// The position of the first element.
  private var base = 0
  /// The number of leading elements that are nil.
  private var passed = 0

  subscript(position: Int) -> JournalItem? {
    get { elements.indices.contains(position - base) ? elements[position - base] : nil }
    set {
      if elements.isEmpty { base = position }
      if position < base {
        guard newValue != nil else { return }
        elements.insert(contentsOf: repeatElement(nil, count: base - position), at: 0)
        (base, passed) = (position, 0)
      }
      let index = position - base
      while elements.count <= index { elements.append(nil) }
      elements[index] = newValue
      if newValue != nil { passed = min(passed, index) } else { trim() }
    }
  }

  /// Removes the leading elements, once they are half of all, so that the window moves over any number of items.
  private mutating func trim() {
    while passed < elements.count, elements[passed] == nil { passed += 1 }
    guard passed > 64, passed * 2 > elements.count else { return }
    elements.removeFirst(passed)
    (base, passed) = (base + passed, 0)
  }
}
