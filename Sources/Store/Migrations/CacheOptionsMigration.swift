extension Migration {
  /// The options of a connection's fields, with one response per step. The options depend on the user, hence
  /// `asked_as`.
  static let cacheOptions = Migration(
    name: "field options",
    sql: """
      CREATE TABLE field_options (
        profile TEXT NOT NULL,
        connection TEXT NOT NULL,
        step TEXT NOT NULL,
        asked_as TEXT NOT NULL,
        fetched_at INTEGER NOT NULL,
        answer BLOB NOT NULL,
        PRIMARY KEY (profile, connection, step)
      ) STRICT, WITHOUT ROWID;
      """)
}
