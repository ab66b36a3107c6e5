import Arguments
import CommandContext
import Hints
import PluginHost
import PluginProtocol
import Plugins
import Store
import World

enum PluginInstall: Command {
  struct Options: Sendable {
    var path = Required<String>()
  }

  static let name = "install"
  static let summary = "Install a plugin from a folder, file or archive"
  static var discussion: [String] {
    [
      """
      PATH is a plugin's folder, its plugin.json, its executable, or an archive of its folder (.tar, .tar.gz, .tgz, \
      .zip). Before you confirm, the command shows the plugin's name, version, origin, hosts, credentials, \
      environment, use of the browser and of files, size and SHA-256. If a plugin of the same name is installed, it also shows what changes: vendor, \
      version, hosts, credentials and files. The new plugin inherits stored credentials only if the vendor is the \
      same.
      """,
      """
      The plugin is copied to the data folder, and its SHA-256 is saved in the store. If the copy changes later, it is not \
      run. Hidden files are skipped.
      """,
    ]
  }
  static var positionals: [Positional<Options>] {
    [.required(.nonEmpty("PATH", completion: .file), into: \.path, help: "Folder, file or archive of the plugin")]
  }
  static var examples: [ExampleSchema] {
    [ExampleSchema("plugin install ./ifttt-hello --yes", "install from a folder without confirmation")]
  }
  static var shape: OutputSchema? { .one(PluginDetails.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let shelf = try session.pluginRegistry
    let installation = PluginInstallation(shelf: shelf, origin: options.path.value, session: session)
    let package = try installation.package()
    let name = package.manifest.name.description
    let replacement = try PluginReplacement(of: package, on: shelf)
    let description = PluginDescription(package: package, origin: options.path.value, replacement: replacement)
    if session.options.isDryRun {
      for line in description.lines { session.console.note(Hint(line)) }
      return session.dryRun(change: "Would install plugin '\(name)'.")
    }
    if session.options.saysYes {
      for line in description.lines { session.console.noteToPerson(Hint(line)) }
    } else if session.console.mayPrompt {
      for line in description.lines { session.console.say(Hint(line)) }
    }
    try session.console.confirm(replacement.question, details: description.lines.map(\.trimmed))
    try installation.install(package, inheriting: !replacement.isOfAnotherVendor)
    session.console.noteToPerson("Installed plugin '\(name)'.")
    return .one(PluginDetails(try shelf.entry(named: name), in: session))
  }
}

/// The installation of a plugin.
struct PluginInstallation {
  let shelf: PluginRegistry
  /// The path that the user gave.
  let origin: String
  let session: Session
  private var parent: String { shelf.catalog.folders.installed }

  /// - Throws: ``Problem`` if the plugin cannot be installed here.
  func package() throws -> PluginPackage {
    let package: PluginPackage
    do {
      package = try PluginSource(path: origin, session: session).package()
      try package.rejectUnknownMembers()
    } catch let error as PluginContentsError {
      throw Problem(
        .pluginFailed, "\(origin) cannot be installed", reason: error.description,
        hint: "See ifttt-plugin(5) for the files that a plugin may contain.")
    } catch let error as ManifestError {
      throw Problem(
        .pluginFailed, "\(origin) cannot be installed: its manifest is invalid", reason: error.description,
        hint: "See ifttt-plugin(5).")
    }
    let name = package.manifest.name.description
    if let problem = shelf.catalog.rules.problem(of: package.manifest) {
      throw Problem(
        .pluginFailed, "plugin '\(name)' cannot be installed", reason: problem.description,
        hint: "Fix this in its plugin.json.")
    }
    if let linked = shelf.catalog.all().first(where: { $0.name == name && $0.isLinked }) {
      throw Problem(
        .refused, "plugin '\(name)' cannot be installed", reason: "it is linked to \(linked.folder), which hides it",
        hint: "Remove the link first: \(ifttt: "plugin unlink \(name)")")
    }
    let isBundled = shelf.catalog.all().contains { $0.name == name && $0.isBundled }
    if let reason = shelf.catalog.rules.problem(ofName: name) ?? (isBundled ? ReservedNames.isBundledName : nil) {
      throw Problem(
        .refused, "plugin '\(name)' cannot be installed", reason: reason,
        hint: "Give it another name in its plugin.json.")
    }
    guard (try? session.world.files.facts(parent))?.kind != .link else {
      throw Problem(
        .refused, "plugin '\(name)' cannot be installed", reason: PluginFolders.linkProblem(parent),
        hint: PluginFolders.linkAdvice(parent))
    }
    let file = PluginsLockFile(session.world)
    if let problem = try file.lock()?.problem(of: name, version: package.manifest.version, sha256: package.sha256) {
      throw Problem(
        .refused, "plugin '\(name)' cannot be installed", reason: "\(file.path): \(problem)",
        hint:
          "Install the pinned version; or move the lock file away, install this version and run \(ifttt: "plugin verify --write-lock")."
      )
    }
    return package
  }

  /// Installs the package completely or not at all. A new folder is filled beside the old one and then replaces it.
  /// The trust record is written last, so that an interrupted installation leaves a plugin that is rejected, not one
  /// that runs unnoticed. If a step fails, the old plugin is restored.
  ///
  /// - Parameter inheriting: Whether the plugin gets the stored credentials of the one it replaces.
  func install(_ package: PluginPackage, inheriting: Bool) throws {
    let files = session.world.files
    try files.makeFolder(parent)
    try files.locked(parent + "/.lock") {
      let new = hidden("new")
      try files.makeNewFolder(new)
      defer { try? files.removeFolder(new) }
      try package.write(to: new, in: files)
      let folder = "\(parent)/\(package.manifest.name)"
      let hadAnother = try files.exchange(new, with: folder)
      do {
        try session.store.trust(
          record(of: package, in: PluginContents(of: folder, in: files)), inheriting: inheriting)
      } catch {
        if hadAnother { _ = try files.exchange(new, with: folder) } else { try files.removeFolder(folder) }
        throw error
      }
    }
    // The cached connections of another vendor's plugin must not be used either.
    if !inheriting { try session.store.forgetLists(of: package.manifest.name.description) }
  }

  private func record(of package: PluginPackage, in contents: PluginContents) -> PluginTrust {
    let manifest = package.manifest
    return PluginTrust(
      name: manifest.name.description, version: manifest.version, kind: manifest.kind.rawValue,
      sha256: package.sha256, files: TrustedFiles(contents).stored, origin: origin,
      installedAt: session.world.clock.now(), credentials: manifest.credentials, environment: manifest.environment,
      capabilities: manifest.capabilities, usesBrowser: manifest.usesBrowser,
      readPaths: manifest.paths(for: .read), writePaths: manifest.paths(for: .write))
  }

  /// A hidden name in the plugins' folder that no plugin can have.
  private func hidden(_ purpose: String) -> String {
    let number = session.world.random.bytes(6).map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
    return "\(parent)/.\(purpose)-\(number)"
  }
}

extension String {
  /// The text without leading spaces.
  fileprivate var trimmed: String { String(drop { $0 == " " }) }
}
