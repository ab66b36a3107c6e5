import Time
import World

// Queries for earlier runs. The newest is the one that was active last.
extension Store {
  /// Returns the incomplete runs of a command, newest first: those that were interrupted or killed, or had items that
  /// failed. One of them may still be in progress.
  package func unfinishedRuns(of command: String, profile: String) throws(StoreError) -> [JournalRun] {
    try runs(
      """
      profile = ?1 AND command = ?2 AND state <> 'done' AND EXISTS (
        SELECT 1 FROM journal_item WHERE run = number AND journal_item.state IN ('planned', 'sent', 'failed'))
      """, .text(profile), .text(command))
  }

  /// Returns the latest run of any of these commands that changed something or may have.
  package func lastChangingRun(of commands: [String], profile: String) throws(StoreError) -> JournalRun? {
    let places = commands.indices.map { "?\($0 + 2)" }.joined(separator: ", ")
    return try runs(
      """
      profile = ?1 AND command IN (\(places)) AND EXISTS (
        SELECT 1 FROM journal_item WHERE run = number AND (journal_item.state = 'sent'
          OR journal_item.state = 'done' AND status_before IS NOT status_after))
      """, [.text(profile)] + commands.map(SQLValue.text), limit: 1
    ).first
  }

  /// Returns the items of a run in their order.
  package func journalItems(of run: Int64) throws(StoreError) -> [JournalItem] {
    guard let database = try existing() else { return [] }
    let statement = try database.prepare(
      "SELECT id, action, status_before, status_after, state FROM journal_item WHERE run = ? ORDER BY position")
    try statement.bind([.integer(run)])
    var items: [JournalItem] = []
    while try statement.step() {
      items.append(
        JournalItem(
          id: statement.text(0), action: statement.text(1), before: statement.isNull(2) ? nil : statement.text(2),
          after: statement.isNull(3) ? nil : statement.text(3),
          // A state that this version does not know means that the outcome is unknown.
          state: JournalItem.State(rawValue: statement.text(4)) ?? .sent))
    }
    return items
  }

  private func runs(_ condition: String, _ values: SQLValue...) throws(StoreError) -> [JournalRun] {
    try runs(condition, values, limit: Journal.keptRuns)
  }

  private func runs(_ condition: String, _ values: [SQLValue], limit: Int) throws(StoreError) -> [JournalRun] {
    guard let database = try existing() else { return [] }
    let statement = try database.prepare(
      """
      SELECT number, command, words, is_forced, lock, begun_at, ended_at, state FROM journal_run
      WHERE \(condition) ORDER BY turn DESC LIMIT \(limit)
      """)
    try statement.bind(values)
    var runs: [JournalRun] = []
    while try statement.step() {
      runs.append(
        JournalRun(
          number: statement.integer(0), command: statement.text(1), words: statement.text(2),
          isForced: statement.integer(3) != 0, lock: statement.text(4),
          begunAt: Timestamp(milliseconds: statement.integer(5)),
          endedAt: statement.isNull(6) ? nil : Timestamp(milliseconds: statement.integer(6)),
          state: JournalRun.State(rawValue: statement.text(7)) ?? .interrupted))
    }
    return runs
  }
}
