import Text
import World

/// Queries for earlier runs. The newest is the one that was active last.
package struct JournalStore {
  private let store: Store

  package init(_ store: Store) { self.store = store }

  /// Returns the incomplete runs of a command, newest first: those that were interrupted or killed, or had items that
  /// failed. One of them may still be in progress. An undo or a redo is incomplete until its end is recorded, because its
  /// run is marked with it.
  /// - Parameters:
  ///   - overUsers: Whether the runs acted for the users of a file. The journal does not have the users that such a run
  ///     has not reached. Nil for either.
  ///   - shard: The part of the users that such a run was for; nil for all of them.
  package func unfinishedRuns(
    of command: String, overUsers: Bool? = false, shard: String? = nil, profile: String
  ) throws(StoreError) -> [JournalRun] {
    try runs(
      """
      profile = :profile AND command = :command AND state <> 'done'
        AND (:over_users IS NULL OR is_over_users = :over_users AND shard IS :shard)
        AND (is_over_users OR undoes IS NOT NULL OR EXISTS (
        SELECT 1 FROM journal_item WHERE run = number AND journal_item.state IN ('planned', 'sent', 'failed')))
      """, [":profile": profile, ":command": command, ":over_users": overUsers, ":shard": shard])
  }

  /// Returns the items of a run in their order.
  /// - Parameters:
  ///   - start: the position of the first item.
  ///   - limit: the maximum number of items.
  package func items(
    of run: Int64, from start: Int, limit: Int = .max
  ) throws(StoreError) -> [(position: Int, item: JournalItem)] {
    try items(of: run, "position >= :start ORDER BY position LIMIT :limit", [":start": start, ":limit": limit])
  }

  /// Returns the items of a run in their order.
  package func items(of run: Int64) throws(StoreError) -> [JournalItem] { try items(of: run, from: 0).map(\.item) }

  /// Returns the users of a run, sorted by id.
  /// - Parameter user: The last user of the previous page; nil for the first page.
  package func users(of run: Int64, after user: String?, limit: Int) throws(StoreError) -> [String] {
    // No user id is empty.
    try store.openIfExists()?.texts(
      """
      SELECT DISTINCT user_id FROM journal_item WHERE run = :run AND user_id > :after ORDER BY user_id LIMIT :limit
      """, [":run": run, ":after": user ?? "", ":limit": limit]) ?? []
  }

  /// Returns the items of one user.
  package func items(of run: Int64, user: String) throws(StoreError) -> [JournalItem] {
    // With ORDER BY, SQLite would read the whole run in its order.
    try items(of: run, "user_id = :user", [":user": user]).sorted(by: \.position).map(\.item)
  }

  /// Returns the number of changes of a run that are still to be made, or whose outcome is unknown.
  func countUnfinishedItems(of run: Int64) throws(StoreError) -> Int {
    let sql = "SELECT count(*) FROM journal_item WHERE run = :run AND state NOT IN ('done', 'refused')"
    return try Int(store.openIfExists()?.integer(sql, [":run": run]) ?? 0)
  }

  /// Returns a run by its number; nil if it was deleted.
  package func run(_ number: Int64) throws(StoreError) -> JournalRun? {
    try runs("number = :number", [":number": number]).first
  }

  /// Returns the item of a subject; nil if the run has none.
  package func item(
    of run: Int64, user: String?, provider: String?, id: String
  ) throws(StoreError) -> (position: Int, item: JournalItem)? {
    try items(
      of: run, "user_id IS :user AND id = :id AND provider IS :provider LIMIT 1",
      [":user": user, ":id": id, ":provider": provider]
    ).first
  }

  private func items(
    of run: Int64, _ condition: String, _ parameters: SQLParameters
  ) throws(StoreError) -> [(position: Int, item: JournalItem)] {
    try store.openIfExists()?.rows(
      """
      SELECT position, id, action, status_before, status_after, state, user_id, provider, target, changed, error
      FROM journal_item WHERE run = :run AND \(condition)
      """, [":run": run] + parameters
    ) { row in
      var item = JournalItem(
        id: row["id"], userID: row["user_id"], action: row["action"], before: row["status_before"],
        after: row["status_after"],
        // A state that this version does not know means that the outcome is unknown.
        state: JournalItem.State(rawValue: row["state"]) ?? .sent, provider: row["provider"], target: row["target"])
      item.isChanged = row["changed"]
      item.error = row["error"]
      return (row["position"], item)
    } ?? []
  }

  private func runs(
    _ condition: String, _ parameters: SQLParameters, order: String = "turn DESC LIMIT \(Journal.runLimit)"
  ) throws(StoreError) -> [JournalRun] {
    try store.openIfExists()?.rows(
      """
      SELECT number, profile, command, words, is_forced, lock, begun_at, ended_at, state, is_over_users, undoes,
        undone_by, allows_removal, is_confirmed, service, users_file, targets, shard
      FROM journal_run WHERE \(condition) ORDER BY \(order)
      """, parameters
    ) { row in
      var run = JournalRun(
        profile: row["profile"], command: row["command"], commandLine: row["words"], lock: row["lock"])
      run.number = row["number"]
      run.isForced = row["is_forced"]
      run.begunAt = row["begun_at"]
      run.endedAt = row["ended_at"]
      run.state = JournalRun.State(rawValue: row["state"]) ?? .interrupted
      run.isOverUsers = row["is_over_users"]
      run.undoes = row["undoes"]
      run.undoneBy = row["undone_by"]
      run.allowsRemoval = row["allows_removal"]
      run.isConfirmed = row["is_confirmed"]
      run.service = row["service"]
      run.usersFile = row["users_file"]
      run.targets = row["targets"]
      run.shard = row["shard"]
      return run
    } ?? []
  }
}

/// A run with the number of its subjects, as `connections history` shows it.
package struct HistoryEntry: Sendable {
  package let run: JournalRun
  package let subjects: Int
  package let changed: Int
  package let failed: Int
  /// The number of subjects that a resumed run would continue with.
  package let left: Int
}

// The runs for history, undo and redo. Here the newest run is the one with the highest number.
extension JournalStore {
  private static let reversals = "('connections undo', 'connections redo')"
  /// Whether a run changed an item or may have.
  private static let mayHaveChanged = "action <> 'exchange' AND (journal_item.state = 'sent' OR changed = 1)"
  /// Whether a run changed something or may have.
  private static let changesSomething =
    "EXISTS (SELECT 1 FROM journal_item WHERE run = number AND \(mayHaveChanged))"

  /// Returns the runs that changed subjects or were about to.
  package func history(profile: String) throws(StoreError) -> [HistoryEntry] {
    let runs = try runs(
      "profile = :profile AND command <> 'token exchange'", [":profile": profile], order: "number DESC")
    return try runs.map { run throws(StoreError) in try entry(of: run) }
  }

  package func entry(of run: JournalRun) throws(StoreError) -> HistoryEntry {
    try store.openIfExists()?.first(
      """
      SELECT count(*) AS subjects,
        count(*) FILTER (WHERE changed = 1) AS changed,
        count(*) FILTER (WHERE error IS NOT NULL OR state IN ('failed', 'refused')) AS failed,
        count(*) FILTER (WHERE state NOT IN ('done', 'refused')) AS unfinished
      FROM journal_item WHERE run = :run
      """, [":run": run.number]
    ) { row in
      HistoryEntry(
        run: run, subjects: row["subjects"], changed: row["changed"], failed: row["failed"], left: row["unfinished"])
    } ?? HistoryEntry(run: run, subjects: 0, changed: 0, failed: 0, left: 0)
  }

  /// Returns the numbers of users and of subjects that a run changed or may have.
  package func countChanged(of run: Int64) throws(StoreError) -> (users: Int, subjects: Int) {
    try store.openIfExists()?.first(
      """
      SELECT count(DISTINCT user_id) AS users, count(*) AS subjects FROM journal_item
      WHERE run = :run AND \(Self.mayHaveChanged)
      """, [":run": run]
    ) { ($0["users"], $0["subjects"]) } ?? (0, 0)
  }

  /// Returns the newest run that changed something, is not itself an undo or a redo, and is not undone.
  package func newestUndoable(profile: String) throws(StoreError) -> JournalRun? {
    try runs(
      "profile = :profile AND command NOT IN \(Self.reversals) AND undone_by IS NULL AND \(Self.changesSomething)",
      [":profile": profile], order: "number DESC LIMIT 1"
    ).first
  }

  /// Returns the run that was undone last; nil if something was changed since.
  package func newestRedoable(profile: String) throws(StoreError) -> JournalRun? {
    let undone = try runs(
      "profile = :profile AND command NOT IN \(Self.reversals) AND undone_by IS NOT NULL", [":profile": profile],
      order: "undone_by DESC LIMIT 1"
    ).first
    guard let undone, let undo = undone.undoneBy else { return nil }
    let newer = try runs(
      "profile = :profile AND command NOT IN \(Self.reversals) AND number > :undo AND \(Self.changesSomething)",
      [":profile": profile, ":undo": undo], order: "number LIMIT 1")
    return newer.isEmpty ? undone : nil
  }

  /// Returns the newest run after this one that is not undone and changed one of its subjects.
  package func newerRun(than run: JournalRun, profile: String) throws(StoreError) -> JournalRun? {
    try runs(
      """
      profile = :profile AND command NOT IN \(Self.reversals) AND number > :run AND undone_by IS NULL
        AND EXISTS (
          SELECT 1 FROM journal_item AS later JOIN journal_item AS earlier
            ON earlier.run = :run AND earlier.id = later.id AND earlier.user_id IS later.user_id
              AND earlier.provider IS later.provider
          WHERE later.run = number AND (later.state = 'sent' OR later.changed = 1))
      """, [":profile": profile, ":run": run.number], order: "number DESC LIMIT 1"
    ).first
  }
}
