extension Migration {
  /// IFTTT's responses, compressed with the documents that were made from them, so that the cache is hardly larger than
  /// the responses. They are in a table of their own, because a listing seldom needs them; its rows are numbered in the
  /// order of their insertion, which fills its pages.
  ///
  /// A response of `size` bytes is not compressed. This is how those of before are kept.
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
}
