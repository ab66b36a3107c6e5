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
  struct Options: CommandOptions {
    var path = Required<String>()
    var replacesFile = false
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
      .toggle("force", into: \.replacesFile, help: "Replace the file if it exists"),
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

  static func run(_ options: Options, in session: Session) throws -> Output {
    let path = options.path.value
    let store = try session.store
    if session.options.isDryRun { return session.dryRun(change: "Would copy the store to \(path).") }
    let facts = try store.backUp(to: path, replacing: options.replacesFile, keyPath: options.keyFile)
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

extension RestoreFacts: OutputRecord {
  package static let fields: Fields = [
    Field("path", "The path of the database", column: "STORE") { $0.path },
    Field("source", "The backup", column: "FROM") { $0.source },
    Field("kept", "The new path of the previous database; null if there was none", column: "OLD STORE") {
      $0.previousPath
    },
    Field("schema_version", "The version of the database schema") { $0.schemaVersion },
    Field("profiles", "The number of profiles", column: "PROFILES") { $0.profiles },
    Field("tracked", "The number of tracked connections", column: "TRACKED") { $0.tracked },
    Field("credentials", "The number of credentials", column: "CREDENTIALS") { $0.credentials },
    Field("opened", "The number of credentials that can be decrypted", column: "DECRYPTED") { $0.opened },
    Field("key_id", "The id of the key that encrypts the credentials", column: "KEY") { $0.keyID },
    Field("key_source", "The kind and location of the key's source", column: "KEY SOURCE") { $0.keySource },
    Field("finding", "Why the others cannot be decrypted; null if all can", column: "FINDING") { $0.finding },
  ]
}

enum StoreRestore: Command {
  struct Options: CommandOptions {
    var source = Required<String>()
    var keyFile: String?
    var isForced = false
  }

  static let name = "restore"
  static let summary = "Restore the database from a backup"
  static var discussion: [String] {
    [
      """
      The backup is checked before the database is replaced: its header, version, pages, references and tables, and \
      whether the available key decrypts its credentials. The previous database is saved next to the new one, under \
      the name that the command prints. If some credentials cannot be decrypted, an existing database is replaced only \
      with --force.
      """,
      """
      The command also works if the current database is damaged or missing. The restore is one transaction, so other \
      commands can run at the same time. A damaged database is replaced only if no other process has it open.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .value(
        "key-file", .storeFile, into: \.keyFile,
        help: "Read the key from this file, written by --with-key, and make it the store's own"),
      .toggle("force", into: \.isForced, help: "Restore the backup even if some credentials cannot be decrypted"),
    ]
  }
  static var positionals: [Positional<Options>] {
    [.required(.storeFile, into: \.source, help: "A backup, or a copy of a database")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("store restore before.db --yes", "restore without confirmation"),
      ExampleSchema("store restore before.db --key-file before.key --yes", "restore on another machine, with the key"),
    ]
  }
  static var shape: OutputSchema? { .one(RestoreFacts.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let store = try session.store
    let plan = try store.planRestore(of: options.source.value, keyPath: options.keyFile)
    do {
      if let finding = plan.facts.finding { try accept(finding, in: session, options, replacesStore: store.exists) }
      if session.options.isDryRun {
        store.abandon(plan)
        return session.dryRun(change: "Would restore \(description(plan.facts)).")
      }
      if store.exists { try session.console.confirm("Replace the store with \(description(plan.facts))?") }
    } catch {
      store.abandon(plan)
      throw error
    }
    return .one(try store.restore(plan))
  }

  /// Notes that some credentials of the backup cannot be decrypted. Throws if the backup would replace an existing
  /// store, unless `--force` is passed.
  private static func accept(
    _ finding: String, in session: Session, _ options: Options, replacesStore: Bool
  ) throws {
    guard options.isForced || !replacesStore else {
      throw Problem(
        .refused, "some credentials of the backup cannot be decrypted", reason: finding,
        hint: "Pass its key with --key-file FILE, or restore it anyway with --force. The store was not changed.")
    }
    session.console.note("Some credentials of the backup cannot be decrypted: \(finding).")
  }

  private static func description(_ facts: RestoreFacts) -> String {
    "\(facts.source) (\(facts.profiles.counted("profile")), \(facts.tracked.counted("tracked connection")), "
      + "\(facts.credentials.counted("credential")) of which \(facts.opened) can be decrypted)"
  }
}
