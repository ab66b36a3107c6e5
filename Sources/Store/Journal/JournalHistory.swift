import World

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
    let counts = try existing()?.prepare(
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
    let counts = try existing()?.prepare(
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
