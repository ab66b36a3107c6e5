extension Migration {
  /// What the fields of a connection's steps accept, one answer a step. It is a user's own, hence `asked_as`.
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
