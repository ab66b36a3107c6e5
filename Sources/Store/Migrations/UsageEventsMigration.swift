extension Migration {
  /// Usage events to be sent, while the user has them enabled.
  ///
  /// `sender` is a fingerprint of the anonymous id they were recorded under; events of another id are never sent.
  /// Each event goes to the `base` URL that was in effect when it was recorded. `usage_sending` has one row: the
  /// result of the last attempt and the time of the next.
  static let usageEvents = Migration(
    name: "usage events",
    sql: """
      CREATE TABLE usage_event (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        sender TEXT NOT NULL,
        base TEXT NOT NULL,
        event BLOB NOT NULL
      ) STRICT;
      CREATE TABLE usage_sending (
        number INTEGER PRIMARY KEY CHECK (number = 1),
        not_before INTEGER NOT NULL,
        failures INTEGER NOT NULL,
        tried_at INTEGER,
        problem TEXT
      ) STRICT;
      INSERT INTO usage_sending (number, not_before, failures) VALUES (1, 0, 0);
      """)
}
