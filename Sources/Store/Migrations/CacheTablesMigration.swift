extension Migration {
  /// Connections as last fetched, IFTTT's responses, and lists of Applets.
  ///
  /// A status is valid for one user only, so `mirror` records the identity of its fetches; it is empty before the
  /// first. `connection` is clustered in listing order, by name and then id, so that a listing reads the file
  /// sequentially. It has a row for every tracked connection; one that was never fetched has no document and
  /// `fetched_at` 0. IFTTT's responses are in a separate table, because a listing seldom needs them.
  static let cacheBeginnings = Migration(
    name: "connections and applets",
    sql: """
      CREATE TABLE mirror (
        number INTEGER PRIMARY KEY,
        profile TEXT NOT NULL UNIQUE,
        generation INTEGER NOT NULL,
        asked_as TEXT NOT NULL DEFAULT ''
      ) STRICT;
      CREATE TABLE connection (
        mirror INTEGER NOT NULL REFERENCES mirror (number) ON DELETE CASCADE,
        name TEXT NOT NULL COLLATE NOCASE,
        id TEXT NOT NULL,
        status TEXT NOT NULL,
        fetched_at INTEGER NOT NULL,
        document BLOB,
        PRIMARY KEY (mirror, name, id)
      ) STRICT, WITHOUT ROWID;
      CREATE UNIQUE INDEX connection_by_id ON connection (mirror, id);
      CREATE INDEX connection_by_age ON connection (mirror, fetched_at);
      CREATE TABLE answer (
        mirror INTEGER NOT NULL,
        id TEXT NOT NULL,
        raw BLOB NOT NULL,
        PRIMARY KEY (mirror, id),
        FOREIGN KEY (mirror, id) REFERENCES connection (mirror, id) ON DELETE CASCADE
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE applet_list (
        number INTEGER PRIMARY KEY,
        profile TEXT NOT NULL,
        service TEXT NOT NULL,
        user_id TEXT NOT NULL,
        fetched_at INTEGER NOT NULL,
        UNIQUE (profile, service, user_id)
      ) STRICT;
      CREATE TABLE applet (
        list INTEGER NOT NULL REFERENCES applet_list (number) ON DELETE CASCADE,
        place INTEGER NOT NULL,
        id TEXT NOT NULL,
        fetched_at INTEGER NOT NULL,
        document BLOB NOT NULL,
        raw BLOB NOT NULL,
        PRIMARY KEY (list, place)
      ) STRICT, WITHOUT ROWID;
      """)
}
