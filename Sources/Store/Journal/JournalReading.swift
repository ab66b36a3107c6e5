import World

// Queries for earlier runs. The newest is the one that was active last.
extension Store {
  /// Returns the incomplete runs of a command, newest first: those that were interrupted or killed, or had items that
  /// failed. One of them may still be in progress. An undo or a redo is incomplete until its end is recorded, because its
  /// run is marked with it.
  /// - Parameter overUsers: whether the runs acted for the users of a file. The journal does not have the users that such
  ///   a run has not reached. Nil for either.
  ///   - shard: the part of the users that such a run was for; nil for all of them.
  package func unfinishedRuns(
    of command: String, overUsers: Bool? = false, shard: String? = nil, profile: String
  ) throws(StoreError) -> [JournalRun] {
    try runs(
      """
      profile = ?1 AND command = ?2 AND state <> 'done'
        AND (?3 IS NULL OR is_over_users = ?3 AND shard IS ?4)
        AND (is_over_users OR undoes IS NOT NULL OR EXISTS (
        SELECT 1 FROM journal_item WHERE run = number AND journal_item.state IN ('planned', 'sent', 'failed')))
      """, .text(profile), .text(command), overUsers.map { .integer($0 ? 1 : 0) } ?? .null,
      shard.map(SQLValue.text) ?? .null)
  }

  /// Returns the items of a run in their order.
  /// - Parameters:
  ///   - start: the position of the first item.
  ///   - limit: the maximum number of items.
  package func journalItems(
    of run: Int64, from start: Int = 0, limit: Int = .max
  ) throws(StoreError) -> [(position: Int, item: JournalItem)] {
    try items(
      "position >= ?2 ORDER BY position LIMIT ?3", .integer(run), .integer(Int64(start)), .integer(Int64(limit)))
  }

  /// Returns the items of a run in their order.
  package func journalItems(of run: Int64) throws(StoreError) -> [JournalItem] {
    try journalItems(of: run, from: 0).map(\.item)
  }

  /// Returns users of a run in their order, each once.
  /// - Parameter user: the user after whom they begin; nil for the beginning.
  package func journalUsers(of run: Int64, after user: String?, limit: Int) throws(StoreError) -> [String] {
    guard let database = try openIfExists() else { return [] }
    let statement = try database.prepare(
      """
      SELECT DISTINCT user_id FROM journal_item WHERE run = ?1 AND user_id > ?2 ORDER BY user_id LIMIT ?3
      """)
    // No user id is empty.
    try statement.bind([.integer(run), .text(user ?? ""), .integer(Int64(limit))])
    var users: [String] = []
    while try statement.step() { users.append(statement.text(0)) }
    return users
  }

  /// Returns the items of one user.
  package func journalItems(of run: Int64, user: String) throws(StoreError) -> [JournalItem] {
    // With ORDER BY, SQLite would read the whole run in its order.
    try items("user_id = ?2", .integer(run), .text(user)).sorted { $0.position < $1.position }.map(\.item)
  }

  /// Returns the number of changes of a run that are still to be made, or whose outcome is unknown.
  func countUnfinishedItems(of run: Int64) throws(StoreError) -> Int {
    let sql = "SELECT count(*) FROM journal_item WHERE run = ? AND state NOT IN ('done', 'refused')"
    return try Int(openIfExists()?.integer(sql, .integer(run)) ?? 0)
  }

  /// Returns a run by its number; nil if it was deleted.
  package func journalRun(_ number: Int64) throws(StoreError) -> JournalRun? {
    try runs("number = ?1", .integer(number)).first
  }

  /// Returns the item of a subject; nil if the run has none.
  package func journalItem(
    of run: Int64, user: String?, provider: String?, id: String
  ) throws(StoreError) -> (position: Int, item: JournalItem)? {
    try items(
      "user_id IS ?2 AND id = ?3 AND provider IS ?4 LIMIT 1", .integer(run), user.map(SQLValue.text) ?? .null,
      .text(id), provider.map(SQLValue.text) ?? .null
    ).first
  }

  private func items(
    _ condition: String, _ values: SQLValue...
  ) throws(StoreError) -> [(position: Int, item: JournalItem)] {
    guard let database = try openIfExists() else { return [] }
    let statement = try database.prepare(
      """
      SELECT position, id, action, status_before, status_after, state, user_id, provider, target, changed, error
      FROM journal_item
      WHERE run = ?1 AND \(condition)
      """)
    try statement.bind(values)
    var items: [(position: Int, item: JournalItem)] = []
    while try statement.step() {
      var item = JournalItem(
        id: statement.text(1), userID: statement.optionalText(6), action: statement.text(2),
        before: statement.optionalText(3), after: statement.optionalText(4),
        // A state that this version does not know means that the outcome is unknown.
        state: JournalItem.State(rawValue: statement.text(5)) ?? .sent, provider: statement.optionalText(7),
        target: statement.optionalText(8))
      item.isChanged =
        statement.isNull(9) ? item.state == .done && item.before != item.after : statement.integer(9) != 0
      item.error = statement.optionalText(10)
      items.append((Int(statement.integer(0)), item))
    }
    return items
  }

  private func runs(_ condition: String, _ values: SQLValue...) throws(StoreError) -> [JournalRun] {
    try runs(condition, values, order: "turn DESC LIMIT \(Journal.runLimit)")
  }

  func runs(_ condition: String, _ values: SQLValue..., order: String) throws(StoreError) -> [JournalRun] {
    try runs(condition, values, order: order)
  }

  private func runs(_ condition: String, _ values: [SQLValue], order: String) throws(StoreError) -> [JournalRun] {
    guard let database = try openIfExists() else { return [] }
    let statement = try database.prepare(
      """
      SELECT number, command, words, is_forced, lock, begun_at, ended_at, state, is_over_users, undoes, undone_by,
        allows_removal, service, users_file, targets, shard, profile,
        is_confirmed
      FROM journal_run
      WHERE \(condition) ORDER BY \(order)
      """)
    try statement.bind(values)
    var runs: [JournalRun] = []
    while try statement.step() {
      runs.append(
        JournalRun(
          number: statement.integer(0), profile: statement.text(16), command: statement.text(1),
          commandLine: statement.text(2),
          isForced: statement.integer(3) != 0, lock: statement.text(4),
          begunAt: Timestamp(milliseconds: statement.integer(5)),
          endedAt: statement.isNull(6) ? nil : Timestamp(milliseconds: statement.integer(6)),
          state: JournalRun.State(rawValue: statement.text(7)) ?? .interrupted,
          isOverUsers: statement.integer(8) != 0,
          undoes: statement.isNull(9) ? nil : statement.integer(9),
          undoneBy: statement.isNull(10) ? nil : statement.integer(10), allowsRemoval: statement.integer(11) != 0,
          isConfirmed: statement.integer(17) != 0,
          service: statement.optionalText(12), usersFile: statement.optionalText(13),
          targets: statement.optionalText(14), shard: statement.optionalText(15)))
    }
    return runs
  }
}

/// A run with the number of its subjects, as `connections history` shows it.
package struct HistoryEntry: Sendable {
  package let run: JournalRun
  package let subjects: Int
  package let changed: Int
  package let failed: Int
  /// The number of those that a resumed run would continue with.
  package let left: Int
}

// The runs that a user can look at, undo and redo, newest first: the one with the highest number.
extension Store {
  private static let reversals = "('connections undo', 'connections redo')"
  /// Whether a run changed an item or may have.
  private static let mayHaveChanged = """
    action <> 'exchange' AND (journal_item.state = 'sent' OR changed = 1
      OR changed IS NULL AND journal_item.state = 'done' AND status_before IS NOT status_after)
    """
  /// Whether a run changed something or may have.
  private static let changesSomething =
    "EXISTS (SELECT 1 FROM journal_item WHERE run = number AND \(mayHaveChanged))"

  /// Returns the runs that changed subjects or were about to.
  package func history(profile: String) throws(StoreError) -> [HistoryEntry] {
    var entries: [HistoryEntry] = []
    for run in try runs("profile = ?1 AND command <> 'token exchange'", .text(profile), order: "number DESC") {
      entries.append(try entry(of: run))
    }
    return entries
  }

  package func entry(of run: JournalRun) throws(StoreError) -> HistoryEntry {
    let counts = try openIfExists()?.prepare(
      """
      SELECT count(*), count(*) FILTER (WHERE changed = 1 OR changed IS NULL AND state = 'done'
          AND status_before IS NOT status_after),
        count(*) FILTER (WHERE error IS NOT NULL OR state IN ('failed', 'refused')),
        count(*) FILTER (WHERE state NOT IN ('done', 'refused'))
      FROM journal_item WHERE run = ?
      """)
    guard let counts else { return HistoryEntry(run: run, subjects: 0, changed: 0, failed: 0, left: 0) }
    try counts.bind([.integer(run.number)])
    _ = try counts.step()
    return HistoryEntry(
      run: run, subjects: Int(counts.integer(0)), changed: Int(counts.integer(1)), failed: Int(counts.integer(2)),
      left: Int(counts.integer(3)))
  }

  /// Returns the numbers of users and of subjects that a run changed or may have.
  package func countChanged(of run: Int64) throws(StoreError) -> (users: Int, subjects: Int) {
    let counts = try openIfExists()?.prepare(
      "SELECT count(DISTINCT user_id), count(*) FROM journal_item WHERE run = ? AND \(Self.mayHaveChanged)")
    guard let counts else { return (0, 0) }
    try counts.bind([.integer(run)])
    _ = try counts.step()
    return (Int(counts.integer(0)), Int(counts.integer(1)))
  }

  /// Returns the newest run that changed something, is not itself an undo or a redo, and is not undone.
  package func newestUndoable(profile: String) throws(StoreError) -> JournalRun? {
    try runs(
      "profile = ?1 AND command NOT IN \(Self.reversals) AND undone_by IS NULL AND \(Self.changesSomething)",
      .text(profile), order: "number DESC LIMIT 1"
    ).first
  }

  /// Returns the run that was undone last; nil if something was changed since.
  package func newestRedoable(profile: String) throws(StoreError) -> JournalRun? {
    let undone = try runs(
      "profile = ?1 AND command NOT IN \(Self.reversals) AND undone_by IS NOT NULL", .text(profile),
      order: "undone_by DESC LIMIT 1"
    ).first
    guard let undone, let undo = undone.undoneBy else { return nil }
    let newer = try runs(
      "profile = ?1 AND command NOT IN \(Self.reversals) AND number > ?2 AND \(Self.changesSomething)",
      .text(profile), .integer(undo), order: "number LIMIT 1")
    return newer.isEmpty ? undone : nil
  }

  /// Returns the newest run after this one that is not undone and changed one of its subjects.
  package func newerRun(than run: JournalRun, profile: String) throws(StoreError) -> JournalRun? {
    try runs(
      """
      profile = ?1 AND command NOT IN \(Self.reversals) AND number > ?2 AND undone_by IS NULL
        AND EXISTS (
          SELECT 1 FROM journal_item AS later JOIN journal_item AS earlier
            ON earlier.run = ?2 AND earlier.id = later.id AND earlier.user_id IS later.user_id
              AND earlier.provider IS later.provider
          WHERE later.run = number AND (later.state = 'sent' OR later.changed = 1))
      """, .text(profile), .integer(run.number), order: "number DESC LIMIT 1"
    ).first
  }
}
