import Arguments
import CommandContext
import Display
import Hints
import JSON
import Store

extension OutputSchema {
  static var restore: OutputSchema {
    OutputSchema(
      name: "store-restore",
      record: RecordSchema([
        "path": .string, "source": .string, "kept": .optionalString, "schema_version": .int, "profiles": .int,
        "tracked": .int, "credentials": .int, "opened": .int, "key_id": .optionalString, "key_source": .string,
        "finding": .optionalString,
      ]),
      columns: [
        Column("STORE", "path", overflow: .keep), Column("FROM", "source", overflow: .keep),
        Column("OLD STORE", "kept", overflow: .keep), Column("PROFILES", "profiles", style: .number),
        Column("TRACKED", "tracked", style: .number), Column("CREDENTIALS", "credentials", style: .number),
        Column("DECRYPTED", "opened", style: .number), Column("KEY", "key_id", overflow: .keep),
        Column("KEY SOURCE", "key_source"), Column("FINDING", "finding", overflow: .keep),
      ], form: .one)
  }
}

enum StoreRestore: Command {
  struct Options: Sendable {
    var source = Required<String>()
    var keyFile: String?
    var isForced = false
  }

  static let name = "restore"
  static let summary = "Restore the database from a backup"
  static var discussion: [String] {
    [
      """
      The backup is checked before the database is replaced: its header, version, pages, references and tables, and whether \
      the available key decrypts its credentials. The previous database is saved beside the new one, under the name that \
      is shown. If some credentials cannot be decrypted, an existing database is replaced only with --force.
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
  static var shape: OutputSchema? { .restore }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let store = try session.store
    let plan = try store.planRestore(of: options.source.value, keyPath: options.keyFile)
    do {
      if let finding = plan.facts.finding { try accept(finding, in: session, options, replaces: store.isThere) }
      if session.options.isDryRun {
        store.abandon(plan)
        return session.dryRun(change: "Would restore \(sentence(plan.facts)).")
      }
      if store.isThere { try session.console.confirm("Replace the store with \(sentence(plan.facts))?") }
    } catch {
      store.abandon(plan)
      throw error
    }
    let facts = try store.restore(plan)
    let row: JSONValue = [
      "path": JSONValue(facts.path), "source": JSONValue(facts.source), "kept": JSONValue(facts.keptPath),
      "schema_version": JSONValue(facts.schemaVersion), "profiles": JSONValue(facts.profiles),
      "tracked": JSONValue(facts.tracked), "credentials": JSONValue(facts.credentials),
      "opened": JSONValue(facts.opened), "key_id": JSONValue(facts.keyID), "key_source": JSONValue(facts.keySource),
      "finding": JSONValue(facts.finding),
    ]
    return .one(row.bytes, as: .restore)
  }

  /// Notes that some credentials of the backup cannot be decrypted. Throws if the backup would replace an existing
  /// store, unless `--force` is passed.
  private static func accept(
    _ finding: String, in session: Session, _ options: Options, replaces: Bool
  ) throws {
    guard options.isForced || !replaces else {
      throw Problem(
        .refused, "some credentials of the backup cannot be decrypted", reason: finding,
        hint: "Pass its key with --key-file FILE, or restore it anyway with --force. The store was not changed.")
    }
    session.console.note("Some credentials of the backup cannot be decrypted: \(finding).")
  }

  private static func sentence(_ facts: RestoreFacts) -> String {
    func phrase(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }
    return "\(facts.source) (\(phrase(facts.profiles, "profile")), \(phrase(facts.tracked, "tracked connection")), "
      + "\(phrase(facts.credentials, "credential")) of which \(facts.opened) can be decrypted)"
  }
}
