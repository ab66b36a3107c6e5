import Arguments
import CommandContext
import Display
import Hints
import JSON
import Store
import World

extension OutputSchema {
  static var backup: OutputSchema {
    OutputSchema(
      name: "store-backup",
      record: RecordSchema([
        "path": .string, "size": .int, "schema_version": .int, "profiles": .int, "credentials": .int, "tracked": .int,
        "key_id": .optionalString, "key_source": .string, "key_path": .optionalString,
      ]),
      columns: [
        Column("BACKUP", "path", overflow: .keep), Column("BYTES", "size", style: .number),
        Column("PROFILES", "profiles", style: .number), Column("CREDENTIALS", "credentials", style: .number),
        Column("TRACKED", "tracked", style: .number), Column("KEY", "key_id", overflow: .keep),
        Column("KEPT IN", "key_source"), Column("KEY WRITTEN TO", "key_path", overflow: .keep),
      ], form: .one)
  }
}

enum StoreBackup: Command {
  struct Options: Sendable {
    var path = Required<String>()
    var replaces = false
    var keyFile: String?
  }

  static let name = "backup"
  static let summary = "Copy the database to a file"
  static var discussion: [String] {
    [
      """
      The copy is the database as it is at one moment; other commands may go on meanwhile. Credentials stay sealed in it, \
      and it does not hold the key: without the key that is shown they cannot be opened. Keep the key too, apart from the \
      backup, or have it written to a file of its own with --with-key.
      """,
      "What was last seen of connections and Applets is not in it: that is fetched again.",
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .toggle("force", into: \.replaces, help: "Replace the file if it is there"),
      .value(
        "with-key", .storeFile, into: \.keyFile,
        help: "Write the key, in the clear, to this new file; who has both files has the credentials"),
    ]
  }
  static var positionals: [Positional<Options>] {
    [.required(.storeFile, into: \.path, help: "The new file, readable by you alone")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("store backup ifttt-backup.db", "sealed, and of use with the key alone"),
      ExampleSchema("store backup ifttt-backup.db --with-key ifttt-backup.key", "the key for another safe place"),
    ]
  }
  static var shape: OutputSchema? { .backup }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let path = options.path.value
    let store = try session.store
    if session.options.isDryRun { return session.dryRun(change: "Would copy the store to \(path).") }
    let facts = try store.backUp(to: path, replacing: options.replaces, keyPath: options.keyFile)
    guard let facts else {
      throw Problem(
        .notFound, "there is no store to back up", reason: "\(store.places.data) holds no database",
        hint: "IFTTT_HOME or XDG_DATA_HOME names another folder.")
    }
    let row: JSONValue = [
      "path": JSONValue(facts.path), "size": JSONValue(facts.sizeInBytes),
      "schema_version": JSONValue(facts.schemaVersion), "profiles": JSONValue(facts.profiles),
      "credentials": JSONValue(facts.credentials), "tracked": JSONValue(facts.tracked),
      "key_id": JSONValue(facts.keyID), "key_source": JSONValue(facts.keySource), "key_path": JSONValue(facts.keyPath),
    ]
    return .one(row.bytes, as: .backup)
  }
}

extension ValueKind<String> {
  /// The name of a regular file; `-` is rejected.
  static var storeFile: ValueKind {
    ValueKind(ValueSchema(placeholder: "FILE", completion: .file)) { (text: String) throws(ValueError) in
      guard !text.isEmpty else { throw ValueError("it is empty") }
      guard text != "-" else { throw ValueError("'-' is not a file; write ./- for a file with that name") }
      return text
    }
  }
}
