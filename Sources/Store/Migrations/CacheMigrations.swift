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

  /// The options of a connection's fields, with one response per step. The options depend on the user, hence
  /// `asked_as`.
  static let cacheOptions = Migration(
    name: "field options",
    sql: """
      CREATE TABLE field_options (
        profile TEXT NOT NULL,
        connection TEXT NOT NULL,
        step TEXT NOT NULL,
        asked_as TEXT NOT NULL,
        fetched_at INTEGER NOT NULL,
        answer BLOB NOT NULL,
        PRIMARY KEY (profile, connection, step)
      ) STRICT, WITHOUT ROWID;
      """)

  /// Usage events to be sent, while the user has them enabled.
  ///
  /// `sender` is a fingerprint of the anonymous id they were recorded under; events of another id are never sent.
  /// Each event goes to the `base` URL that was in effect when it was recorded. `usage_sending` has one row: the
  /// result of the last attempt and the time of the next.
  static let usageEvents = Migration(
    name: "usage events",
    sql: """
      CREATE TABLE usage_event (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        sender TEXT NOT NULL,
        base TEXT NOT NULL,
        event BLOB NOT NULL
      ) STRICT;
      CREATE TABLE usage_sending (
        number INTEGER PRIMARY KEY CHECK (number = 1),
        not_before INTEGER NOT NULL,
        failures INTEGER NOT NULL,
        tried_at INTEGER,
        problem TEXT
      ) STRICT;
      INSERT INTO usage_sending (number, not_before, failures) VALUES (1, 0, 0);
      """)

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

  /// IFTTT's responses, compressed with the documents that were made from them, so that the cache is hardly larger than
  /// the responses. They are in a separate table, because a listing seldom needs them. Its rows are numbered in the
  /// order of their insertion, which fills its pages.
  ///
  /// A response of `size` bytes is not compressed. Responses that were cached before this migration are stored that
  /// way.
  static let compressedResponses = Migration(
    name: "compressed responses",
    sql: """
      CREATE TABLE response (
        number INTEGER PRIMARY KEY,
        size INTEGER NOT NULL,
        bytes BLOB NOT NULL
      ) STRICT;
      INSERT INTO response SELECT row_number() OVER (ORDER BY mirror, id), length(raw), raw FROM answer;
      CREATE TABLE connection_with_response (
        mirror INTEGER NOT NULL REFERENCES mirror (number) ON DELETE CASCADE,
        name TEXT NOT NULL COLLATE NOCASE,
        id TEXT NOT NULL,
        status TEXT NOT NULL,
        fetched_at INTEGER NOT NULL,
        response INTEGER,
        document BLOB,
        PRIMARY KEY (mirror, name, id)
      ) STRICT, WITHOUT ROWID;
      INSERT INTO connection_with_response
        SELECT mirror, name, id, status, fetched_at, number, document FROM connection LEFT JOIN (
          SELECT mirror, id, row_number() OVER (ORDER BY mirror, id) AS number FROM answer
        ) USING (mirror, id);
      DROP TABLE answer;
      DROP TABLE connection;
      ALTER TABLE connection_with_response RENAME TO connection;
      CREATE UNIQUE INDEX connection_by_id ON connection (mirror, id);
      CREATE INDEX connection_by_age ON connection (mirror, fetched_at);
      CREATE TRIGGER response_of_deleted_connection AFTER DELETE ON connection WHEN OLD.response IS NOT NULL BEGIN
        DELETE FROM response WHERE number = OLD.response;
      END;
      """)

  /// A hash of each connection's state, to compare it with a file without reading its response. It is null for
  /// connections that were fetched before this migration.
  static let stateDigests = Migration(
    name: "state digests",
    sql: """
      ALTER TABLE connection ADD COLUMN state BLOB;
      """)

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

  /// The time of the last refresh of all of a profile's connections.
  static let refreshTimes = Migration(
    name: "refresh times",
    sql: """
      ALTER TABLE mirror ADD COLUMN refreshed_at INTEGER NOT NULL DEFAULT 0;
      """)

  /// What a table shows of a connection beside its id, name and status. The columns are null for connections that were
  /// fetched before this migration.
  static let listColumns = Migration(
    name: "columns of a list",
    sql: """
      ALTER TABLE connection ADD COLUMN pending INTEGER;
      ALTER TABLE connection ADD COLUMN services BLOB;
      """)
}
