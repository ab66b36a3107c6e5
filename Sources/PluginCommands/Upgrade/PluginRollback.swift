import Arguments
import CommandContext
import Hints
import PluginHost
import PluginProtocol
import Plugins
import Store
import World

enum PluginRollback: Command {
  struct Options: Sendable {
    var name = Required<String>()
  }

  static let name = "rollback"
  static let summary = "Restore the version of a plugin before its last upgrade"
  static var discussion: [String] {
    [
      """
      The files of the earlier version are checked against the SHA-256 that was recorded when it was installed. Its \
      permissions apply again, and it keeps the stored credentials if its vendor is the same. A rollback cannot be \
      repeated: the newer version is removed, and nothing older is kept.
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
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let (name, shelf) = (options.name.value, try session.pluginRegistry)
    guard let current = try session.store.trustedPlugin(name) else {
      throw Problem(.notFound, "no installed plugin '\(name)'", hint: "See \(ifttt: "plugin list").")
    }
    let rollback = try Rollback(of: name, on: shelf, in: session)
    let change = "plugin '\(name)' \(current.version) to version \(rollback.previous.trust.version)"
    if session.options.isDryRun { return session.dryRun(change: "Would roll back \(change).") }
    try session.console.confirm("Roll back \(change)?")
    try rollback.perform()
    session.console.noteToPerson("Rolled back \(change).")
    return .one(try PluginDetails(shelf.entry(named: name), in: session))
  }
}

/// The restoration of the version that a plugin replaced.
private struct Rollback {
  let previous: PreviousPlugin
  private let name: String
  private let shelf: PluginRegistry
  private let session: Session
  private var versions: VersionFolders { VersionFolders(shelf: shelf, session: session) }

  /// - Throws: `refused` if there is no earlier version.
  init(of name: String, on shelf: PluginRegistry, in session: Session) throws {
    guard let previous = try session.store.previousPlugin(name) else {
      throw Problem(
        .refused, "plugin '\(name)' cannot be rolled back",
        reason: "no earlier version is kept since it was installed, or it was already rolled back",
        hint: "Install the version that you need: \(ifttt: "plugin install NAME@VERSION")")
    }
    (self.previous, self.name, self.shelf, self.session) = (previous, name, shelf, session)
    try InstallationRules(shelf: shelf, session: session)
      .checkLock(name, version: previous.trust.version, sha256: previous.trust.sha256)
  }

  /// The folders are exchanged before the record is changed, as in an installation: an interruption in between leaves
  /// a plugin that is rejected.
  func perform() throws {
    let files = session.world.files
    try files.locked(versions.lock) {
      guard try session.store.previousPlugin(name) == previous else {
        throw Problem(.conflict, "plugin '\(name)' was changed meanwhile", hint: "Run the command again.")
      }
      guard versions.hash(of: previous.folder) == previous.trust.sha256 else {
        throw Problem(
          .refused, "plugin '\(name)' cannot be rolled back", reason: "the files of the earlier version have changed",
          hint: "Install the version that you need: \(ifttt: "plugin install NAME@VERSION")")
      }
      let (kept, folder) = (versions.path(previous.folder), versions.path(name))
      let isSameVendor = vendor(in: kept) == vendor(in: folder)
      let hadAnother = try files.exchange(kept, with: folder)
      do {
        let contents = try PluginContents(of: folder, in: files)
        try session.store.restorePreviousPlugin(
          name, files: TrustedFiles(contents).stored, inheriting: isSameVendor)
      } catch {
        if hadAnother { _ = try files.exchange(kept, with: folder) }
        throw error
      }
      versions.removeUnused()
      if !isSameVendor { try session.store.forgetLists(of: name) }
    }
  }

  /// The bytes of the vendor's name; empty if there is none or the manifest cannot be read.
  private func vendor(in folder: String) -> [UInt8] {
    Array(((try? Manifest(inFolder: folder, session.world.files))?.vendor ?? "").utf8)
  }
}
