import CommandLine
import PluginProtocol
import Plugins
import Session
import Store
import Text
import World

enum PluginRollback: Command {
  struct Options: CommandOptions {
    var name = Required<String>()
  }

  static let name = "rollback"
  static let summary = "Restore the version of a plugin before its last upgrade"
  static var discussion: [String] {
    [
      """
      The files of the earlier version are checked against the SHA-256 that was recorded when it was installed. Its \
      permissions apply again, and it keeps the stored credentials if its vendor is the same. A rollback cannot be \
      repeated: the newer version is removed, and nothing older is kept. 'plugin upgrade --all' \
      skips the version that you rolled back from.
      """
    ]
  }
  static var positionals: [Positional<Options>] {
    [.required(.pluginName, into: \.name, help: "Name of the plugin")]
  }
  static var examples: [ExampleSchema] {
    [ExampleSchema("plugin rollback tides --yes", "restore without confirmation")]
  }
  static var shape: OutputSchema? { .one(PluginDetails.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let (name, registry) = (options.name.value, try session.plugins.registry)
    guard let current = try PluginRecords(session.store).trusted(name) else {
      throw Problem(.notFound, "no installed plugin '\(name)'", hint: "See \(ifttt: "plugin list").")
    }
    let rollback = try Rollback(of: name, on: registry, in: session)
    let change = "plugin '\(name)' \(current.version) to version \(rollback.previous.trust.version)"
    let regained = rollback.regainedPermissions(beyond: current)
    if !regained.isEmpty {
      session.console.note("Version \(rollback.previous.trust.version) regains: \(regained.joined(separator: "; "))")
    }
    if session.options.isDryRun { return session.dryRun(change: "Would roll back \(change).") }
    try session.console.confirm("Roll back \(change)?")
    try rollback.perform()
    return .one(try PluginDetails(registry.entry(named: name), in: session, after: .restored))
  }
}

/// The restoration of the version that a plugin replaced.
private final class Rollback {
  let previous: PreviousPlugin
  private let name: String
  private let registry: PluginRegistry
  private let session: Session

  /// - Throws: `refused` if there is no earlier version.
  init(of name: String, on registry: PluginRegistry, in session: Session) throws {
    guard let previous = try PluginRecords(session.store).previous(name) else {
      throw Problem(
        .refused, "plugin '\(name)' cannot be rolled back",
        reason: "no earlier version is stored: it was never upgraded, or it was already rolled back",
        hint: "Install the version that you need: \(ifttt: "plugin install SOURCE")")
    }
    (self.previous, self.name, self.registry, self.session) = (previous, name, registry, session)
    try InstallationRules(registry: registry, session: session)
      .checkLock(name, version: previous.trust.version, sha256: previous.trust.sha256)
  }

  /// The permissions of the earlier version that the current one does not have.
  func regainedPermissions(beyond current: PluginTrust) -> [String] {
    guard let old = manifest(in: previous.folder) else { return [] }
    return AddedPermissions.of(old, beyond: current, hosts: manifest(in: name)?.hosts ?? [])
  }

  func perform() throws {
    let changes = registry.changes
    try changes.exclusively {
      guard try PluginRecords(session.store).previous(name) == previous else {
        throw Problem.pluginChangedMeanwhile(name)
      }
      guard changes.hash(of: previous.folder) == previous.trust.sha256 else {
        throw Problem(
          .refused, "plugin '\(name)' cannot be rolled back", reason: "the files of the earlier version have changed",
          hint: "Install the version that you need: \(ifttt: "plugin install SOURCE")")
      }
      try changes.perform(
        PluginChange(
          .rolledBack, previous.trust, from: previous.provenance, folder: previous.folder,
          keepsCredentials: Manifest.areOfSameVendor(manifest(in: previous.folder), manifest(in: name))))
    }
  }

  private func manifest(in folder: String) -> Manifest? {
    try? Manifest(inFolder: registry.changes.path(folder), session.world.files)
  }
}
