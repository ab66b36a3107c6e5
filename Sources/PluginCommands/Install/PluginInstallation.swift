import CommandContext
import Hints
import PluginHost
import PluginProtocol
import Plugins
import Store
import World

/// The installation of a plugin.
struct PluginInstallation {
  let candidate: PluginCandidate
  let shelf: PluginRegistry
  let session: Session
  private let replacement: PluginReplacement
  private var package: PluginPackage { candidate.package }
  private var name: String { package.manifest.name.description }

  /// Checks whether the plugin can be installed here, and compares it with the installed one.
  /// - Throws: ``Problem`` if it cannot.
  init(of candidate: PluginCandidate, on shelf: PluginRegistry, in session: Session) throws {
    (self.candidate, self.shelf, self.session) = (candidate, shelf, session)
    try InstallationRules(shelf: shelf, session: session).check(candidate)
    replacement = try PluginReplacement(of: candidate.package, on: shelf)
  }

  /// The lines that describe the plugin and the changes before a user confirms.
  private var description: [String] {
    PluginDescription(
      candidate: candidate, replacement: replacement, enforcesFiles: session.world.processes.confines
    ).lines
  }

  private var question: String {
    if case .unknown = candidate.signature { return replacement.question(adding: ["signed with an unknown key"]) }
    return replacement.question()
  }

  /// Shows the plugin, prompts for confirmation and installs it.
  /// - Returns: false for a dry run, which changes nothing.
  func perform() throws -> Bool {
    let description = description
    if session.options.isDryRun {
      for line in description { session.console.note(Hint(line)) }
      return false
    }
    if session.options.saysYes {
      for line in description { session.console.noteToPerson(Hint(line)) }
    } else if session.console.mayPrompt {
      for line in description { session.console.say(Hint(line)) }
    }
    try session.console.confirm(question, details: description.map { String($0.drop { $0 == " " }) })
    try install()
    session.console.noteToPerson("Installed plugin '\(name)'.")
    return true
  }

  /// Installs the package completely or not at all. A new folder is filled beside the old one and then replaces it.
  /// The trust record is written last, so that an interrupted installation leaves a plugin that is rejected, not one
  /// that runs unnoticed. If a step fails, the old plugin is restored.
  ///
  /// Afterwards, the folder has the files of the replaced version, which `plugin rollback` restores.
  private func install() throws {
    let files = session.world.files
    let versions = VersionFolders(shelf: shelf, session: session)
    let inheriting = !replacement.isOfAnotherVendor
    try files.makeFolder(versions.parent)
    try files.locked(versions.lock) {
      // Another process may have installed a version meanwhile, with another signer or another commit of the tag.
      try InstallationRules(shelf: shelf, session: session).check(candidate)
      versions.removeUnused()
      let new = versions.newName()
      try files.makeNewFolder(versions.path(new))
      defer { versions.removeUnused() }
      try package.write(to: versions.path(new), in: files)
      let folder = versions.path(name)
      let previous = versions.change(of: name, to: package, keepingIn: new)
      let hadAnother = try files.exchange(versions.path(new), with: folder)
      do {
        try session.store.trust(
          record(in: PluginContents(of: folder, in: files)), from: candidate.provenance, inheriting: inheriting,
          previous: previous)
      } catch {
        if hadAnother {
          _ = try files.exchange(versions.path(new), with: folder)
        } else {
          try files.removeFolder(folder)
        }
        throw error
      }
    }
    // The cached connections of another vendor's plugin must not be used either.
    if !inheriting { try session.store.forgetLists(of: name) }
  }

  private func record(in contents: PluginContents) -> PluginTrust {
    let manifest = package.manifest
    return PluginTrust(
      name: name, version: manifest.version, kind: manifest.kind.rawValue, sha256: package.sha256,
      files: TrustedFiles(contents).stored, origin: candidate.origin, installedAt: session.world.clock.now(),
      credentials: manifest.credentials, environment: manifest.environment, capabilities: manifest.capabilities,
      usesBrowser: manifest.usesBrowser, readPaths: manifest.paths(for: .read), writePaths: manifest.paths(for: .write))
  }
}
