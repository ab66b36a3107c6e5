extension Migration {
  /// The plugins that the user installed: what was trusted, and what it may see. `files` says how its files looked when
  /// they were last found to be what was trusted; the lists are JSON.
  static let trustedPlugins = Migration(
    name: "trusted plugins",
    sql: """
      CREATE TABLE plugin (
        name TEXT NOT NULL PRIMARY KEY,
        version TEXT NOT NULL,
        kind TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        files TEXT NOT NULL,
        origin TEXT NOT NULL,
        installed_at INTEGER NOT NULL,
        credentials TEXT NOT NULL,
        environment TEXT NOT NULL,
        capabilities TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      """)
}
