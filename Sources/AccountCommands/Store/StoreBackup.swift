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
        Column("KEY SOURCE", "key_source"), Column("KEY FILE", "key_path", overflow: .keep),
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
      The backup is a consistent snapshot of the database; other commands can run at the same time. Its credentials stay \
      encrypted, and it does not contain the key. They can be decrypted only with the key whose id is shown, so back up the \
      key too, in a different place. To write it to a file, pass --with-key.
      """,
      "The backup does not contain cached connections and Applets; they are fetched again when needed.",
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .toggle("force", into: \.replaces, help: "Replace the file if it exists"),
      .value(
        "with-key", .storeFile, into: \.keyFile,
        help: "Write the key, unencrypted, to this new file; both files together reveal the credentials"),
    ]
  }
  static var positionals: [Positional<Options>] {
    [.required(.storeFile, into: \.path, help: "File to create, readable only by you")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("store backup ifttt-backup.db", "back up the database, without its key"),
      ExampleSchema("store backup ifttt-backup.db --with-key ifttt-backup.key", "write the key to another file"),
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
        .notFound, "there is no store to back up", reason: "\(store.places.data) contains no database",
        hint: "To use another folder, set IFTTT_HOME or XDG_DATA_HOME.")
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
      guard text != "-" else { throw ValueError("'-' is not a file; pass ./- for a file with that name") }
      return text
    }
  }
}
