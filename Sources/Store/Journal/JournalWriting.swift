import Time

// The statements that journals of both kinds use.
extension Database {
  func insertRun(
    _ beginning: Journal.Beginning, items: Int, isOverUsers: Bool, at now: Timestamp
  ) throws(StoreError) -> Int64 {
    try makeProfile(beginning.profile)
    try run(
      """
      INSERT INTO journal_run (profile, turn, command, words, is_forced, lock, items, begun_at, state, is_over_users, undoes, shard)
      VALUES (?, (SELECT coalesce(max(turn), 0) + 1 FROM journal_run), ?, ?, ?, ?, ?, ?, 'running', ?, ?, ?)
      """, .text(beginning.profile), .text(beginning.command), .text(beginning.words),
      .integer(beginning.isForced ? 1 : 0), .text(beginning.lock), .integer(Int64(items)),
      .integer(now.milliseconds), .integer(isOverUsers ? 1 : 0), beginning.undoes.map(SQLValue.integer) ?? .null,
      SQLValue(beginning.shard))
    return try integer("SELECT last_insert_rowid()") ?? 0
  }

  func resumeRun(_ number: Int64, at now: Timestamp) throws(StoreError) {
    try run(
      """
      UPDATE journal_run SET state = 'running', begun_at = ?2, ended_at = NULL,
        turn = (SELECT max(turn) + 1 FROM journal_run) WHERE number = ?1
      """, .integer(number), .integer(now.milliseconds))
  }

  func endRun(_ number: Int64, _ state: JournalRun.State, at now: Timestamp) throws(StoreError) {
    try run(
      "UPDATE journal_run SET state = ?, ended_at = ? WHERE number = ?", .text(state.rawValue),
      .integer(now.milliseconds), .integer(number))
  }

  static let insertItem = """
    INSERT INTO journal_item (run, position, id, action, status_before, status_after, state, user_id)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    """
  static let updateItem = """
    UPDATE journal_item SET status_before = ?3, status_after = ?4, state = ?5 WHERE run = ?1 AND position = ?2
    """

  /// Deletes old runs. A run that may be in progress is deleted only after many newer ones.
  func pruneJournal(of profile: String) throws(StoreError) {
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

extension Statement {
  /// Runs ``Database/insertItem``.
  func insert(_ item: JournalItem, at position: Int, of run: Int64) throws(StoreError) {
    try self.run(
      .integer(run), .integer(Int64(position)), .text(item.id), .text(item.action), SQLValue(item.before),
      SQLValue(item.after), .text(item.state.rawValue), SQLValue(item.userID))
  }

  /// Runs ``Database/updateItem``.
  func update(_ item: JournalItem, at position: Int, of run: Int64) throws(StoreError) {
    try self.run(
      .integer(run), .integer(Int64(position)), SQLValue(item.before), SQLValue(item.after),
      .text(item.state.rawValue))
  }
}

extension SQLValue {
  fileprivate init(_ text: String?) { self = text.map(SQLValue.text) ?? .null }
}
