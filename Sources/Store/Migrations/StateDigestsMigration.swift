extension Migration {
  /// A hash of each connection's state, to compare it with a file without reading its response. Connections that were
  /// fetched before have none.
  static let stateDigests = Migration(
    name: "state digests",
    sql: """
      ALTER TABLE connection ADD COLUMN state BLOB;
      """)
}
