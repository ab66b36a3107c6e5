extension Migration {
  /// Connections of provider plugins as last listed. Each list is replaced as a whole.
  static let providedConnections = Migration(
    name: "connections of providers",
    sql: """
      CREATE TABLE provider_list (
        number INTEGER PRIMARY KEY,
        profile TEXT NOT NULL,
        provider TEXT NOT NULL,
        fetched_at INTEGER NOT NULL,
        UNIQUE (profile, provider)
      ) STRICT;
      CREATE TABLE provider_connection (
        list INTEGER NOT NULL REFERENCES provider_list (number) ON DELETE CASCADE,
        name TEXT NOT NULL COLLATE NOCASE,
        id TEXT NOT NULL,
        status TEXT NOT NULL,
        document BLOB NOT NULL,
        PRIMARY KEY (list, name, id)
      ) STRICT, WITHOUT ROWID;
      """)
}
