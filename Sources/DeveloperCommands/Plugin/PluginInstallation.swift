import PluginProtocol
import Plugins
import Session
import Store
import Text
import World

/// The installation of a plugin.
struct PluginInstallation {
  let candidate: PluginCandidate
  let shelf: PluginRegistry
  let session: Session
  /// Whether the user grants added permissions in advance.
  let allowsNewPermissions: Bool
  private let rules: InstallationRules
  private let replacement: PluginReplacement
  private var package: PluginPackage { candidate.package }
  private var name: String { package.manifest.name.description }

  /// Checks whether the plugin can be installed here, and compares it with the installed one.
  /// - Parameter isUpgrade: whether the version comes from the origin of the installed plugin.
  /// - Throws: ``Problem`` if it cannot.
  init(
    of candidate: PluginCandidate, on shelf: PluginRegistry, in session: Session, allowingNewPermissions allows: Bool,
    isUpgrade: Bool = false
  ) throws {
    (self.candidate, self.shelf, self.session, allowsNewPermissions) = (candidate, shelf, session, allows)
    rules = InstallationRules(shelf: shelf, session: session, isUpgrade: isUpgrade)
    try rules.check(candidate)
    replacement = try PluginReplacement(of: candidate.package, on: shelf)
  }

  /// The lines that describe the plugin and the changes before a user confirms.
  private var description: [String] {
    PluginDescription(
      candidate: candidate, replacement: replacement, enforcesFiles: session.world.processes.confines
    ).lines
  }

  private func question() throws -> String {
    var facts: [String] = []
    if case .unknown = candidate.signature { facts.append("signed with an unknown key") }
    if try rules.differsFromKnownVersion(candidate) {
      facts.append("the same version had different files when it was installed before")
    }
    let count = replacement.addedPermissions.count
    if count > 0 { facts.append("adds \(count) permission\(count == 1 ? "" : "s")") }
    return replacement.question(adding: facts)
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
      try checkConsent()
      for line in description { session.console.noteToPerson(Hint(line)) }
      // A log gets the changes only if the option does not imply them.
      if replacement.surprise != nil || !replacement.addedPermissions.isEmpty, !session.world.terminal.errorIsTerminal {
        for line in replacement.lines { session.console.note(Hint(line)) }
      }
    } else if session.console.mayPrompt {
      for line in description { session.console.say(Hint(line)) }
    }
    try session.console.confirm(question(), details: description.map { String($0.drop { $0 == " " }) })
    try install()
    session.console.noteToPerson("Installed plugin '\(name)'.")
    return true
  }

  /// `--yes` covers the permissions that were granted before, and a newer version or one that the user named.
  private func checkConsent() throws {
    let added = replacement.addedPermissions
    if !added.isEmpty, !allowsNewPermissions {
      throw Problem(
        .refused, "plugin '\(name)' \(package.manifest.version) adds permissions, which --yes does not cover",
        reason: added.joined(separator: "; "),
        hint: "To grant them, pass --allow-new-permissions too; to be prompted, omit --yes.")
    }
    if let surprise = replacement.surprise, !candidate.isExact {
      throw Problem(
        .refused, "plugin '\(name)' was not installed, because --yes does not cover the change", reason: surprise,
        hint: candidate.provenance.kind == .git
          ? "To install it regardless, run: \(ifttt: "plugin install \(candidate.origin) --yes")"
          : "To install it regardless, run: \(ifttt: "plugin install \("\(name)@\(package.manifest.version)") --yes")")
    }
  }

  /// Installs the package completely or not at all. A new folder is filled beside the old one and then replaces it, and
  /// the record follows. Afterwards, the hidden folder has the files of the replaced version, which `plugin rollback`
  /// restores.
  private func install() throws {
    let (files, changes) = (session.world.files, shelf.changes)
    try changes.exclusively {
      // Another process may have installed a version meanwhile, with another signer or another commit of the tag.
      try rules.check(candidate)
      changes.removeUnused()
      let new = changes.newName()
      try files.makeNewFolder(changes.path(new))
      defer { changes.removeUnused() }
      try package.write(to: changes.path(new), in: files)
      let record = try record(in: PluginContents(of: changes.path(new), in: files))
      try changes.perform(
        PluginChange(
          outcome(), record, from: candidate.provenance, folder: new,
          keepsCredentials: !replacement.isOfAnotherVendor))
    }
  }

  /// A replaced version is kept only if its files are still those that were installed.
  private func outcome() throws -> PluginChange.Outcome {
    guard let trust = try session.store.trustedPlugin(name), shelf.changes.hash(of: name) == trust.sha256 else {
      return .installedAlone
    }
    // Installing the same files again must not displace an older version.
    return trust.sha256 == package.sha256 ? .reinstalled : .installed
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
