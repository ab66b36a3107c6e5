extension Migration {
  /// Connections activated with their configuration screen skipped and not configured since. IFTTT does not
  /// distinguish them from others.
  static let pendingConnections = Migration(
    name: "pending connections",
    sql: """
      CREATE TABLE pending_connection (
        profile TEXT NOT NULL REFERENCES profile (name) ON DELETE CASCADE,
        id TEXT NOT NULL,
        since INTEGER NOT NULL,
        PRIMARY KEY (profile, id)
      ) STRICT, WITHOUT ROWID;
      """)
}
