extension Migration {
  /// Profiles, encrypted credentials and tracked connections.
  ///
  /// `profile.generation` changes whenever the set of tracked connections does, so that the cache can detect whether
  /// it still mirrors that set. `data_key` records the id and the source of the key that encrypts the credentials.
  static let storeBeginnings = Migration(
    name: "profiles, credentials and tracked connections",
    sql: """
      CREATE TABLE profile (
        name TEXT NOT NULL PRIMARY KEY,
        generation INTEGER NOT NULL DEFAULT 0
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE profile_setting (
        profile TEXT NOT NULL REFERENCES profile (name) ON DELETE CASCADE,
        name TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (profile, name)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE choice (
        name TEXT NOT NULL PRIMARY KEY,
        value TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE data_key (
        number INTEGER NOT NULL PRIMARY KEY CHECK (number = 1),
        id TEXT NOT NULL,
        source TEXT NOT NULL,
        salt BLOB NOT NULL,
        made_at INTEGER NOT NULL
      ) STRICT;
      CREATE TABLE credential (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        profile TEXT NOT NULL REFERENCES profile (name) ON DELETE CASCADE,
        kind TEXT NOT NULL,
        user_id TEXT NOT NULL,
        key_id TEXT NOT NULL,
        sealed BLOB NOT NULL,
        saved_at INTEGER NOT NULL,
        UNIQUE (profile, kind, user_id)
      ) STRICT;
      CREATE TABLE tracked (
        profile TEXT NOT NULL REFERENCES profile (name) ON DELETE CASCADE,
        id TEXT NOT NULL,
        tracked_at INTEGER NOT NULL,
        PRIMARY KEY (profile, id)
      ) STRICT, WITHOUT ROWID;
      """)
}
