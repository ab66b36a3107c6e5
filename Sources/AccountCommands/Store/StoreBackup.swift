import Arguments
package import CommandContext
import Hints
package import Store
import World

extension BackupFacts: OutputRecord {
  package static let fields: Fields = [
    Field("path", "The backup's path", column: "BACKUP") { $0.path },
    Field("size", "The size in bytes", column: "BYTES") { $0.sizeInBytes },
    Field("schema_version", "The version of the database schema") { $0.schemaVersion },
    Field("profiles", "The number of profiles", column: "PROFILES") { $0.profiles },
    Field("credentials", "The number of credentials", column: "CREDENTIALS") { $0.credentials },
    Field("tracked", "The number of tracked connections", column: "TRACKED") { $0.tracked },
    Field("key_id", "The ID of the key that encrypts the credentials", column: "KEY") { $0.keyID },
    Field("key_source", "The kind and location of the key's source", column: "KEPT IN") { $0.keySource },
    Field("key_path", "The file that the key was written to, if any", column: "KEY WRITTEN TO") { $0.keyPath },
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
  static var shape: OutputSchema? { .one(BackupFacts.self) }
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
    return .one(facts)
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
