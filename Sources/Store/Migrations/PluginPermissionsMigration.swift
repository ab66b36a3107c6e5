extension Migration {
  /// What the user permitted an installed plugin in addition to credentials and variables: the browser, and paths to
  /// read and to write. The lists are JSON. A plugin that was installed earlier has none of these permissions. A linked
  /// plugin runs from its author's folder.
  static let pluginPermissions = Migration(
    name: "plugin permissions",
    sql: """
      ALTER TABLE plugin ADD COLUMN uses_browser INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE plugin ADD COLUMN read_paths TEXT NOT NULL DEFAULT '[]';
      ALTER TABLE plugin ADD COLUMN write_paths TEXT NOT NULL DEFAULT '[]';
      CREATE TABLE plugin_link (
        name TEXT NOT NULL PRIMARY KEY,
        version TEXT NOT NULL,
        folder TEXT NOT NULL,
        kind TEXT NOT NULL,
        linked_at INTEGER NOT NULL,
        credentials TEXT NOT NULL,
        environment TEXT NOT NULL,
        capabilities TEXT NOT NULL,
        uses_browser INTEGER NOT NULL,
        read_paths TEXT NOT NULL,
        write_paths TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      """)
}
