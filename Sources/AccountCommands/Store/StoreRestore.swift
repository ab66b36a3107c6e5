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
        Column("THE OLD ONE", "kept", overflow: .keep), Column("PROFILES", "profiles", style: .number),
        Column("TRACKED", "tracked", style: .number), Column("CREDENTIALS", "credentials", style: .number),
        Column("OPENED", "opened", style: .number), Column("KEY", "key_id", overflow: .keep),
        Column("KEPT IN", "key_source"), Column("FINDING", "finding", overflow: .keep),
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
  static let summary = "Put a backup in the place of the database"
  static var discussion: [String] {
    [
      """
      The backup is checked before anything is replaced: its header, its version, every page and reference, its tables, \
      and whether its credentials open with the key at hand. The database that was there stays beside the new one, under \
      the name that is shown. A backup whose credentials do not all open takes its place only with --force.
      """,
      """
      It works where the present database is damaged and where there is none. While other commands run it is one \
      transaction among theirs; a damaged database is replaced only when no other process has it open.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .value(
        "key-file", .storeFile, into: \.keyFile,
        help: "Take the key from this file, as --with-key wrote it, and keep it as the store's own"),
      .toggle("force", into: \.isForced, help: "Restore a backup whose credentials do not all open"),
    ]
  }
  static var positionals: [Positional<Options>] {
    [.required(.storeFile, into: \.source, help: "A backup, or a copy of a database")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("store restore before.db --yes", "without being asked"),
      ExampleSchema("store restore before.db --key-file before.key --yes", "on another machine, with its key"),
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
      if store.isThere { try session.confirm("Replace the store by \(sentence(plan.facts))?") }
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
        .refused, "not all credentials of the backup open", reason: finding,
        hint: "Give its key with --key-file FILE, or restore it anyway with --force. The store was not changed.")
    }
    session.note("Not all of its credentials open: \(finding).")
  }

  private static func sentence(_ facts: RestoreFacts) -> String {
    func phrase(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }
    return "\(facts.source) (\(phrase(facts.profiles, "profile")), \(phrase(facts.tracked, "tracked connection")), "
      + "\(phrase(facts.credentials, "credential")) of which \(facts.opened) can be opened)"
  }
}
