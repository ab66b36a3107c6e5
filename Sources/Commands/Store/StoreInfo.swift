import CommandLine
import Output
package import Session
package import Store
import Text

extension StoreFacts: OutputRecord {
  package static let fields: Fields = [
    Field("path", "The path of the database", column: "STORE") { $0.path },
    Field("cache_path", "The path of the cache", column: "CACHE", columnNumber: 3) { $0.cachePath },
    Field("exists", "Whether the database exists") { $0.exists },
    Field("schema_version", "The version of the database schema") { $0.schemaVersion },
    Field("sqlite_version", "The version of SQLite", column: "SQLITE", columnNumber: 10) { $0.sqliteVersion },
    Field("journal_mode", "SQLite's journal mode; empty if there is no database") { $0.journalMode },
    Field("size", "The size of the database in bytes", column: "BYTES") { $0.sizeInBytes },
    Field("cache_size", "The size of the cache in bytes", column: "CACHE BYTES") { $0.cacheSizeInBytes },
    Field("key_source", "The kind and location of the key's source", column: "KEY") { $0.keySource },
    Field("key_id", "The id of the key that encrypts the credentials") { $0.keyID },
    Field("profiles", "The number of profiles", column: "PROFILES") { $0.profiles },
    Field("credentials", "The number of credentials", column: "CREDENTIALS") { $0.credentials },
    Field("tracked", "The number of tracked connections", column: "TRACKED") { $0.tracked },
    Field("cached", "The number of cached connections", column: "CACHED") { $0.cached },
  ]
}

enum StoreInfo: Command {
  static let name = "info"
  static let summary = "Show the store's location, size and encryption key"
  static var examples: [ExampleSchema] {
    [ExampleSchema("store info", "show where the store is and how it is encrypted")]
  }
  static var shape: OutputSchema? { .one(StoreFacts.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    .one(try session.store.facts())
  }
}

extension StoreCheckResult: OutputRecord {
  package static let fields: Fields = [
    Field("check", "The subject of the check", column: "CHECK", overflow: .keep) { $0.check },
    Field("passed", "Whether the check passed", column: "PASSED") { $0.passed },
    Field("detail", "What was found", column: "DETAIL") { $0.detail },
  ]
}

enum StoreCheck: Command {
  static let name = "check"
  static let summary = "Check both databases and decrypt every credential"
  static var examples: [ExampleSchema] { [ExampleSchema("store check", "check both databases")] }
  static var shape: OutputSchema? { .many(StoreCheckResult.self).report }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let findings = try session.store.check()
    var output = Output.rows(findings)
    let failed = findings.filter { !$0.passed }
    if let first = failed.first {
      output.verdict = {
        throw Problem(
          .storeDamaged, "\(failed.count) of \(findings.count) checks failed",
          reason: "\(first.check): \(first.detail)",
          hint: "Copy the folder before you change anything.")
      }
    }
    return output
  }
}
