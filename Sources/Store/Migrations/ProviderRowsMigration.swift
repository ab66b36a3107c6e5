extension Migration {
  /// The connections of provider plugins, by profile and provider. One statement then reads the lists of all providers,
  /// without a lookup for each.
  static let providedRows = Migration(
    name: "connections of providers by profile",
    sql: """
      PRAGMA secure_delete = ON;
      CREATE TABLE provided_list (
        profile TEXT NOT NULL,
        provider TEXT NOT NULL,
        fetched_at INTEGER NOT NULL,
        PRIMARY KEY (profile, provider)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE provided_connection (
        profile TEXT NOT NULL,
        provider TEXT NOT NULL,
        name TEXT NOT NULL COLLATE NOCASE,
        id TEXT NOT NULL,
        status TEXT NOT NULL,
        document BLOB NOT NULL,
        PRIMARY KEY (profile, provider, name, id),
        FOREIGN KEY (profile, provider) REFERENCES provided_list ON DELETE CASCADE
      ) STRICT, WITHOUT ROWID;
      INSERT INTO provided_list SELECT profile, provider, fetched_at FROM provider_list;
      INSERT INTO provided_connection
        SELECT profile, provider, name, id, status, document
        FROM provider_list JOIN provider_connection ON list = number;
      DROP TABLE provider_connection;
      DROP TABLE provider_list;
      """)
}
