extension Migration {
  /// Changes of plugins that survive a kill, and the versions that each origin has offered. `plugin_change` has the state
  /// that the store records once the folders of a plugin are exchanged. `plugin_version` has the content of each version
  /// that was ever installed, and when it was rolled back from. `plugin_index.header` says where the header for requests
  /// to an index comes from: a file or a command, never the value.
  static let pluginChanges = Migration(
    name: "plugin changes",
    sql: """
      CREATE TABLE plugin_change (
        name TEXT NOT NULL PRIMARY KEY,
        outcome TEXT NOT NULL,
        folder TEXT NOT NULL,
        keeps_credentials INTEGER NOT NULL,
        version TEXT NOT NULL,
        kind TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        files TEXT NOT NULL,
        origin TEXT NOT NULL,
        installed_at INTEGER NOT NULL,
        credentials TEXT NOT NULL,
        environment TEXT NOT NULL,
        capabilities TEXT NOT NULL,
        uses_browser INTEGER NOT NULL,
        read_paths TEXT NOT NULL,
        write_paths TEXT NOT NULL,
        provenance TEXT
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE plugin_version (
        name TEXT NOT NULL,
        source TEXT NOT NULL,
        version TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        rolled_back_at INTEGER,
        PRIMARY KEY (name, source, version)
      ) STRICT, WITHOUT ROWID;
      ALTER TABLE plugin_index ADD COLUMN header TEXT;
      """)
}
