import PluginProtocol
import Plugins
import Session
import Store
import Text
import World

/// The reasons why a plugin cannot be installed here.
struct InstallationRules {
  let shelf: PluginRegistry
  let session: Session
  /// Whether the installed plugin is upgraded, which accepts no changed versions.
  var isUpgrade = false
  private var isAttended: Bool { session.console.mayPrompt && !session.options.saysYes }

  /// - Throws: ``Problem`` for a plugin that cannot be installed.
  func check(_ candidate: PluginCandidate) throws {
    let package = candidate.package
    let name = package.manifest.name.description
    if let problem = shelf.catalog.rules.problem(of: package.manifest) {
      throw Problem(
        .pluginFailed, "plugin '\(name)' cannot be installed", reason: problem.description,
        hint: "Fix this in its plugin.json.")
    }
    do throws(ManifestError) { try package.rejectUnknownMembers() } catch {
      throw Problem.invalidManifest("plugin '\(name)' cannot be installed", error)
    }
    if let linked = shelf.catalog.all().first(where: { $0.name == name && $0.isLinked }) {
      throw rejection(
        of: name, "it is linked to \(linked.folder), which hides it",
        "Remove the link first: \(ifttt: "plugin unlink \(name)")")
    }
    let isBundled = shelf.catalog.all().contains { $0.name == name && $0.isBundled }
    if let reason = shelf.catalog.rules.problem(ofName: name) ?? (isBundled ? ReservedNames.isBundledName : nil) {
      throw rejection(of: name, reason, "Give it another name in its plugin.json.")
    }
    let parent = shelf.catalog.folders.installed
    guard (try? session.world.files.facts(parent))?.kind != .link else {
      throw rejection(of: name, PluginFolders.linkProblem(parent), PluginFolders.linkAdvice(parent))
    }
    try checkLock(name, version: package.manifest.version, sha256: package.sha256)
    let old = try shelf.store.provenance(of: name)
    if case .git = candidate.provenance.kind, old?.location == candidate.provenance.location,
      let tag = candidate.provenance.tag, let commit = candidate.provenance.commit,
      let problem = old?.moveProblem(of: VersionTag(name: tag, commit: commit))
    {
      throw problem
    }
    if let (reason, hint) = candidate.signature.rejection(
      replacing: old, isDemanded: candidate.needsSignature, isAttended: isAttended)
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

  /// Whether the same version was installed from the same origin with other files, even if it was rolled back from or
  /// removed since. A checksum that the user named is consent to new files.
  func differsFromKnownVersion(_ candidate: PluginCandidate) throws -> Bool {
    guard !candidate.provenance.isPinned else { return false }
    let (package, provenance) = (candidate.package, candidate.provenance)
    let known = try session.store.knownVersion(
      package.manifest.version, of: package.manifest.name.description, from: provenance)
    return known.map { $0.sha256 != package.sha256 } ?? false
  }

  /// Checks a version against the lock file, if there is one.
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
