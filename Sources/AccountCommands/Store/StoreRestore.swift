import Arguments
package import CommandContext
import Hints
package import Store

extension RestoreFacts: OutputRecord {
  package static let fields: Fields = [
    Field("path", "The path of the database", column: "STORE") { $0.path },
    Field("source", "The backup", column: "FROM") { $0.source },
    Field("kept", "The new path of the previous database; null if there was none", column: "THE OLD ONE") {
      $0.keptPath
    },
    Field("schema_version", "The version of the database schema") { $0.schemaVersion },
    Field("profiles", "The number of profiles", column: "PROFILES") { $0.profiles },
    Field("tracked", "The number of tracked connections", column: "TRACKED") { $0.tracked },
    Field("credentials", "The number of credentials", column: "CREDENTIALS") { $0.credentials },
    Field("opened", "The number of credentials that can be decrypted", column: "OPENED") { $0.opened },
    Field("key_id", "The ID of the key that encrypts the credentials", column: "KEY") { $0.keyID },
    Field("key_source", "The kind and location of the key's source", column: "KEPT IN") { $0.keySource },
    Field("finding", "Why the others cannot be decrypted; null if all can", column: "FINDING") { $0.finding },
  ]
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
  static var shape: OutputSchema? { .one(RestoreFacts.self) }
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
    return .one(try store.restore(plan))
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
