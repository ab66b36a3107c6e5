extension Migration {
  /// Where plugins come from. `plugin.provenance` is JSON: the URL, the commit, the signer. `previous_plugin` has the
  /// trust record of the version that each plugin replaced, and the folder with its files. `plugin_index` has the
  /// indexes as last fetched, `plugin_signer` the keys whose signatures are trusted. `plugin_by_kind` has what each list of
  /// connections needs: the rows are large, so reading 100 of them would take a tenth of the time of a list.
  static let pluginOrigins = Migration(
    name: "plugin origins",
    sql: """
      ALTER TABLE plugin ADD COLUMN provenance TEXT;
      CREATE INDEX plugin_by_kind ON plugin (kind, name, capabilities, credentials);
      CREATE TABLE previous_plugin (
        name TEXT NOT NULL PRIMARY KEY,
        folder TEXT NOT NULL,
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
      CREATE TABLE plugin_index (
        name TEXT NOT NULL PRIMARY KEY,
        location TEXT NOT NULL,
        updated_at INTEGER NOT NULL,
        document BLOB NOT NULL
      ) STRICT;
      CREATE TABLE plugin_signer (
        label TEXT NOT NULL PRIMARY KEY,
        key TEXT NOT NULL,
        fingerprint TEXT NOT NULL,
        valid_before INTEGER,
        added_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      """)
}
