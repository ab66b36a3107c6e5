import Arguments
import CommandContext
import Display
import JSON
import Store

extension OutputSchema {
  static var storeFacts: OutputSchema {
    OutputSchema(
      name: "store-info",
      record: RecordSchema([
        "path": .string, "cache_path": .string, "exists": .bool, "schema_version": .int, "sqlite_version": .string,
        "journal_mode": .string, "size": .int, "cache_size": .int, "key_source": .string, "key_id": .optionalString,
        "profiles": .int,
        "credentials": .int, "tracked": .int, "cached": .int,
      ]),
      columns: [
        Column("STORE", "path", overflow: .keep), Column("BYTES", "size", style: .number),
        Column("CACHE", "cache_path", overflow: .keep), Column("CACHE BYTES", "cache_size", style: .number),
        Column("KEY", "key_source"), Column("PROFILES", "profiles", style: .number),
        Column("CREDENTIALS", "credentials", style: .number), Column("TRACKED", "tracked", style: .number),
        Column("CACHED", "cached", style: .number), Column("SQLITE", "sqlite_version"),
      ], form: .one)
  }
}

enum StoreInfo: Command {
  struct Options: Sendable {}

  static let name = "info"
  static let summary = "Show the store's location, size and encryption key"
  static var shape: OutputSchema? { .storeFacts }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let facts = try session.store.facts()
    let row: JSONValue = [
      "path": JSONValue(facts.path), "cache_path": JSONValue(facts.cachePath), "exists": JSONValue(facts.exists),
      "schema_version": JSONValue(facts.schemaVersion), "sqlite_version": JSONValue(facts.sqliteVersion),
      "journal_mode": JSONValue(facts.journalMode), "size": JSONValue(facts.sizeInBytes),
      "cache_size": JSONValue(facts.cacheSizeInBytes), "key_source": JSONValue(facts.keySource),
      "key_id": JSONValue(facts.keyID),
      "profiles": JSONValue(facts.profiles), "credentials": JSONValue(facts.credentials),
      "tracked": JSONValue(facts.tracked), "cached": JSONValue(facts.cached),
    ]
    return .one(row.bytes, as: .storeFacts)
  }
}
