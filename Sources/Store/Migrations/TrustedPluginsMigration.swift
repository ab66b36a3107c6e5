extension Migration {
  /// The installed plugins: the trusted content and the permissions of each. `files` is the state of its files when
  /// their content was last verified. The lists are JSON.
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
