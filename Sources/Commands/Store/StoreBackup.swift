import CommandLine
package import Session
package import Store
import Text
import World

extension BackupFacts: OutputRecord {
  package static let fields: Fields = [
    Field("path", "The backup's path", column: "BACKUP") { $0.path },
    Field("size", "The size in bytes", column: "BYTES") { $0.sizeInBytes },
    Field("schema_version", "The version of the database schema") { $0.schemaVersion },
    Field("profiles", "The number of profiles", column: "PROFILES") { $0.profiles },
    Field("credentials", "The number of credentials", column: "CREDENTIALS") { $0.credentials },
    Field("tracked", "The number of tracked connections", column: "TRACKED") { $0.tracked },
    Field("key_id", "The id of the key that encrypts the credentials", column: "KEY") { $0.keyID },
    Field("key_source", "The kind and location of the key's source", column: "KEY SOURCE") { $0.keySource },
    Field("key_path", "The file that the key was written to, if any", column: "KEY FILE") { $0.keyPath },
  ]
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
      The backup is a consistent snapshot of the database; other commands can run at the same time. Its credentials \
      stay encrypted, and it does not contain the key. They can be decrypted only with the key whose id the command \
      prints, so back up the key too, in a different place. To write the key to a file, pass --with-key.
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
  static var shape: OutputSchema? { .one(BackupFacts.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let path = options.path.value
    let store = try session.store
    if session.options.isDryRun { return session.dryRun(change: "Would copy the store to \(path).") }
    let facts = try store.backUp(to: path, replacing: options.replaces, keyPath: options.keyFile)
    guard let facts else {
      throw Problem(
        .notFound, "there is no store to back up", reason: "\(store.directories.data) contains no database",
        hint: "To use another folder, set IFTTT_HOME or XDG_DATA_HOME.")
    }
    return .one(facts)
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
