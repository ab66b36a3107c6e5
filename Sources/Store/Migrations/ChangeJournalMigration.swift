extension Migration {
  /// The journal of changes: what each run was to change at IFTTT, and how far it got.
  ///
  /// `turn` increases whenever a run starts or is resumed, so that the highest one is the run that was active last,
  /// whatever the clock says. `lock` names the file that an active run holds a lock on. An item is `sent` from just
  /// before its request may be sent until its outcome is known.
  static let changeJournal = Migration(
    name: "journal of changes",
    sql: """
      CREATE TABLE journal_run (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        profile TEXT NOT NULL REFERENCES profile (name) ON DELETE CASCADE,
        turn INTEGER NOT NULL UNIQUE,
        command TEXT NOT NULL,
        words TEXT NOT NULL,
        is_forced INTEGER NOT NULL,
        lock TEXT NOT NULL,
        items INTEGER NOT NULL,
        begun_at INTEGER NOT NULL,
        ended_at INTEGER,
        state TEXT NOT NULL
      ) STRICT;
      CREATE INDEX journal_run_by_turn ON journal_run (profile, turn);
      CREATE TABLE journal_item (
        run INTEGER NOT NULL REFERENCES journal_run (number) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        id TEXT NOT NULL,
        action TEXT NOT NULL,
        status_before TEXT,
        status_after TEXT,
        state TEXT NOT NULL,
        PRIMARY KEY (run, position)
      ) STRICT, WITHOUT ROWID;
      """)
}
