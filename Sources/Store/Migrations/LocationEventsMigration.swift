extension Migration {
  /// The queue of location events, the remembered inside/outside states of regions, and the choice of location
  /// reporting per connection.
  ///
  /// `location_event` holds the events that IFTTT has not accepted yet, oldest first by `number`; a rejected one waits
  /// for the user. `location_side` holds the last known inside/outside state of each region for a profile's user.
  static let locationEvents = Migration(
    name: "location events",
    sql: """
      CREATE TABLE location_event (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        profile TEXT NOT NULL REFERENCES profile (name) ON DELETE CASCADE,
        record_id TEXT NOT NULL UNIQUE,
        region TEXT NOT NULL,
        connection TEXT,
        kind TEXT NOT NULL CHECK (kind IN ('entry', 'exit')),
        occurred_at INTEGER NOT NULL,
        recorded_at INTEGER NOT NULL,
        tries INTEGER NOT NULL DEFAULT 0,
        tried_at INTEGER,
        problem TEXT,
        is_refused INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      CREATE INDEX location_event_order ON location_event (profile, is_refused, number);
      CREATE TABLE location_side (
        profile TEXT NOT NULL REFERENCES profile (name) ON DELETE CASCADE,
        region TEXT NOT NULL,
        latitude REAL NOT NULL,
        longitude REAL NOT NULL,
        radius REAL NOT NULL,
        side TEXT NOT NULL,
        seen_at INTEGER,
        PRIMARY KEY (profile, region)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE location_choice (
        profile TEXT NOT NULL REFERENCES profile (name) ON DELETE CASCADE,
        connection TEXT NOT NULL,
        is_on INTEGER NOT NULL,
        since INTEGER NOT NULL,
        PRIMARY KEY (profile, connection)
      ) STRICT, WITHOUT ROWID;
      """)
}
