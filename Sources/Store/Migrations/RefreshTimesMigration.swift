extension Migration {
  /// The time of the last refresh of all of a profile's connections.
  static let refreshTimes = Migration(
    name: "refresh times",
    sql: """
      ALTER TABLE mirror ADD COLUMN refreshed_at INTEGER NOT NULL DEFAULT 0;
      """)
}
