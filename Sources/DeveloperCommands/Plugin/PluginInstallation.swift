import PluginProtocol
import Plugins
import Session
import Store
import Text
import World

/// The installation of a plugin.
final class PluginInstallation {
  let candidate: PluginCandidate
  let registry: PluginRegistry
  let session: Session
  /// Whether the user grants added permissions in advance.
  let allowsNewPermissions: Bool
  private let rules: InstallationRules
  private let replacement: PluginReplacement
  private var package: PluginPackage { candidate.package }
  private var name: String { package.manifest.name.description }

  /// Checks whether the plugin can be installed, and compares it with the installed one.
  /// - Parameter isUpgrade: whether the version comes from the origin of the installed plugin.
  /// - Throws: ``Problem`` if the plugin cannot be installed.
  init(
    of candidate: PluginCandidate, on registry: PluginRegistry, in session: Session,
    allowingNewPermissions allowsNewPermissions: Bool,
    isUpgrade: Bool = false
  ) throws {
    (self.candidate, self.registry, self.session) = (candidate, registry, session)
    self.allowsNewPermissions = allowsNewPermissions
    rules = InstallationRules(registry: registry, session: session, isUpgrade: isUpgrade)
    try rules.check(candidate)
    replacement = try PluginReplacement(of: candidate.package, on: registry)
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
    if count > 0 { facts.append("adds \(count.counted("permission"))") }
    return replacement.question(adding: facts)
  }

  /// Shows the plugin, prompts for confirmation and installs it.
  /// - Returns: false for a dry run, which changes nothing.
  func perform() throws -> Bool {
    let description = description
    if session.options.assumesYes, !session.options.isDryRun { try checkConsent() }
    session.console.present(description)
    if session.options.isDryRun { return false }
    // Without a terminal, print the changes only if --yes does not imply them.
    if session.options.assumesYes, !session.world.terminal.errorIsTerminal,
      replacement.unexpectedChange != nil || !replacement.addedPermissions.isEmpty
    {
      for line in replacement.lines { session.console.note(Hint(line)) }
    }
    try session.console.confirm(question(), details: description.map { String($0.drop { $0 == " " }) })
    try install()
    return true
  }

  /// Rejects a change that `--yes` does not cover. It covers permissions that were granted before, and a version that
  /// is newer or was selected by the user.
  private func checkConsent() throws {
    let added = replacement.addedPermissions
    if !added.isEmpty, !allowsNewPermissions {
      throw Problem(
        .refused, "plugin '\(name)' \(package.manifest.version) adds permissions, which --yes does not cover",
        reason: added.joined(separator: "; "),
        hint: "To grant them, pass --allow-new-permissions too; to be prompted, omit --yes.")
    }
    if let unexpectedChange = replacement.unexpectedChange, !candidate.isExact {
      throw Problem(
        .refused, "plugin '\(name)' was not installed, because --yes does not cover the change",
        reason: unexpectedChange,
        hint: candidate.provenance.kind == .git
          ? "To install it regardless, run: \(ifttt: "plugin install \(candidate.origin) --yes")"
          : "To install it regardless, run: \(ifttt: "plugin install \("\(name)@\(package.manifest.version)") --yes")")
    }
  }

  /// Installs the package completely or not at all: writes its files to a hidden folder, exchanges this folder with the
  /// installed one, and then updates the record. Afterwards, the hidden folder contains the replaced version, which
  /// `plugin rollback` restores.
  private func install() throws {
    let (files, changes) = (session.world.files, registry.changes)
    try changes.exclusively {
      // Check again, because another process may have installed a version in the meantime, with another signer or
      // another commit of the tag.
      try rules.check(candidate)
      guard try PluginReplacement(of: package, on: registry).inheritsSameCredentials(as: replacement) else {
        throw Problem.pluginChangedMeanwhile(name)
      }
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

  /// A replaced version is kept only if its files are unchanged since it was installed.
  private func outcome() throws -> PluginChange.Outcome {
    guard let trust = try PluginRecords(session.store).trusted(name), registry.changes.hash(of: name) == trust.sha256
    else {
      return .installedAlone
    }
    // Installing the same files again must not displace an older version.
    return trust.sha256 == package.sha256 ? .reinstalled : .installed
  }

  private func record(in contents: PluginContents) -> PluginTrust {
    PluginTrust(
      package.manifest, sha256: package.sha256, files: TrustedFiles(contents).stored, origin: candidate.origin,
      at: session.world.clock.now())
  }
}

extension Problem {
  /// The error if another process changed the plugin after the user confirmed the change.
  static func pluginChangedMeanwhile(_ name: String) -> Problem {
    Problem(.conflict, "plugin '\(name)' was changed meanwhile", hint: "Run the command again.")
  }
}

/// The rules for installing a plugin.
struct InstallationRules {
  let registry: PluginRegistry
  let session: Session
  /// Whether the installed plugin is upgraded. An upgrade never accepts changed files of a known version.
  var isUpgrade = false
  private var isAttended: Bool { session.console.mayPrompt && !session.options.assumesYes }

  /// - Throws: ``Problem`` for a plugin that cannot be installed.
  func check(_ candidate: PluginCandidate) throws {
    let package = candidate.package
    let name = package.manifest.name.description
    if let problem = registry.catalog.rules.problem(of: package.manifest) {
      throw Problem(
        .pluginFailed, "plugin '\(name)' cannot be installed", reason: problem.description,
        hint: "Fix this in its plugin.json.")
    }
    do throws(ManifestError) { try package.rejectUnknownMembers() } catch {
      throw Problem.invalidManifest("plugin '\(name)' cannot be installed", error)
    }
    if let linked = registry.catalog.all().first(where: { $0.name == name && $0.isLinked }) {
      throw rejection(
        of: name, "it is linked to \(linked.folder), which hides it",
        "Remove the link first: \(ifttt: "plugin unlink \(name)")")
    }
    if let reason = registry.catalog.problem(ofNewName: name) {
      throw rejection(of: name, reason, "Give it another name in its plugin.json.")
    }
    let parent = registry.catalog.folders.installed
    guard (try? session.world.files.status(parent))?.kind != .link else {
      throw rejection(of: name, PluginFolders.linkProblem(parent), PluginFolders.linkAdvice(parent))
    }
    try checkLock(name, version: package.manifest.version, sha256: package.sha256)
    let old = try PluginRecords(registry.store).provenance(of: name)
    if case .git = candidate.provenance.kind, old?.location == candidate.provenance.location,
      let tag = candidate.provenance.tag, let commit = candidate.provenance.commit,
      let problem = old?.movedTagProblem(of: VersionTag(name: tag, commit: commit))
    {
      throw problem
    }
    if let (reason, hint) = candidate.signature.rejection(
      replacing: old, isRequired: candidate.needsSignature, isAttended: isAttended)
    {
      throw rejection(of: name, reason, hint)
    }
    if try differsFromKnownVersion(candidate), isUpgrade || !isAttended {
      throw rejection(
        of: name,
        "version \(package.manifest.version) had other files when it was installed from \(candidate.source) before",
        "Ask the publisher why. To install it regardless, run 'plugin install' on a terminal, without --yes.")
    }
  }

  /// Whether the same version was installed from the same origin with other files before, even if it was rolled back or
  /// removed since. A checksum passed with `--sha256` is consent to new files.
  func differsFromKnownVersion(_ candidate: PluginCandidate) throws -> Bool {
    guard !candidate.provenance.isPinned else { return false }
    let (package, provenance) = (candidate.package, candidate.provenance)
    let known = try PluginRecords(session.store).knownVersion(
      package.manifest.version, of: package.manifest.name.description, from: provenance)
    return known.map { $0.sha256 != package.sha256 } ?? false
  }

  /// Checks a version against the lock file, if one is in effect.
  func checkLock(_ name: String, version: String, sha256: String) throws {
    let file = PluginsLockFile(session.world)
    guard let problem = try file.lock()?.problem(of: name, version: version, sha256: sha256) else { return }
    throw rejection(
      of: name, "\(file.path): \(problem)",
      """
      Install the pinned version; or move the lock file away, install this version and run \
      \(ifttt: "plugin verify --write-lock").
      """)
  }

  private func rejection(of name: String, _ reason: String, _ hint: Hint) -> Problem {
    Problem(.refused, "plugin '\(name)' cannot be installed", reason: reason, hint: hint)
  }
}
