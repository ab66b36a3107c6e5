import Arguments
import Display
import JSON
import Store

extension Shape {
  static var storeFacts: Shape {
    Shape(
      name: "store-info",
      record: RecordSchema([
        "path": .string, "cache_path": .string, "exists": .bool, "schema_version": .int, "sqlite_version": .string,
        "journal_mode": .string, "size": .int, "cache_size": .int, "key_source": .string, "profiles": .int,
        "credentials": .int, "tracked": .int, "cached": .int,
      ]),
      columns: [Column("PATH", "path", overflow: .keep), Column("KEY", "key_source")], isSingle: true)
  }
}

enum StoreInfo: Command {
  struct Options: Sendable {}

  static let name = "info"
  static let summary = "Show where the store is, its size, and which key seals it"
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let facts = try session.store.facts()
    let row: JSONValue = [
      "path": .string(facts.path), "cache_path": .string(facts.cachePath), "exists": .bool(facts.exists),
      "schema_version": .number(JSONNumber(facts.schemaVersion)), "sqlite_version": .string(facts.sqliteVersion),
      "journal_mode": .string(facts.journalMode), "size": .number(JSONNumber(facts.sizeInBytes)),
      "cache_size": .number(JSONNumber(facts.cacheSizeInBytes)), "key_source": .string(facts.keySource),
      "profiles": .number(JSONNumber(facts.profiles)), "credentials": .number(JSONNumber(facts.credentials)),
      "tracked": .number(JSONNumber(facts.tracked)), "cached": .number(JSONNumber(facts.cached)),
    ]
    return .one(row.bytes, as: .storeFacts)
  }
}
