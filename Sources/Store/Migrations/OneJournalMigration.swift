extension Migration {
  /// One journal for every change. `provider` is null for a connection of IFTTT, `applets` for an Applet, otherwise the name
  /// of a plugin. `target` is the wanted state, `changed` whether the subject differs from its state before the run, and
  /// `error` the error as in a row. Items of earlier versions have an action that says what their states mean; see
  /// `JournalItem`.
  ///
  /// `undoes` is the run that an undo or a redo is about, and `undone_by` the undo of a run that is undone. Until now, an
  /// undo undid the newest run that had changed something, which could be an undo. `service` is the service of Applets.
  /// `users_file` and `targets` are those of a run over users, which is resumed with them. `is_confirmed` is whether a run
  /// was confirmed, so that it is resumed without a question.
  static let oneJournal = Migration(
    name: "one journal",
    sql: """
      ALTER TABLE journal_run ADD COLUMN undone_by INTEGER;
      ALTER TABLE journal_run ADD COLUMN service TEXT;
      ALTER TABLE journal_run ADD COLUMN users_file TEXT;
      ALTER TABLE journal_run ADD COLUMN targets TEXT;
      ALTER TABLE journal_run ADD COLUMN allows_removal INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE journal_run ADD COLUMN is_confirmed INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE journal_item ADD COLUMN provider TEXT;
      ALTER TABLE journal_item ADD COLUMN target TEXT;
      ALTER TABLE journal_item ADD COLUMN changed INTEGER;
      ALTER TABLE journal_item ADD COLUMN error TEXT;
      UPDATE journal_item SET changed = state = 'done' AND status_before IS NOT status_after;
      UPDATE journal_run SET is_confirmed = is_over_users OR command = 'connections apply';
      UPDATE journal_run SET allows_removal = is_forced WHERE command IN ('connections apply', 'connections undo');
      UPDATE journal_run SET undoes = (
        SELECT number FROM journal_run AS earlier
        WHERE earlier.profile = journal_run.profile AND earlier.turn < journal_run.turn
          AND earlier.command IN (
            'connections enable', 'connections disable', 'connections apply', 'connections undo', 'configure')
          AND EXISTS (
            SELECT 1 FROM journal_item WHERE run = earlier.number AND (state = 'sent' OR changed))
        ORDER BY turn DESC LIMIT 1)
      WHERE command = 'connections undo' AND undoes IS NULL;
      UPDATE journal_run SET undone_by = (
        SELECT max(number) FROM journal_run AS later
        WHERE later.undoes = journal_run.number AND later.command = 'connections undo' AND later.state = 'done');
      """)
}
