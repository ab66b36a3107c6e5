import Output
import PluginProtocol
import Plugins
import Session
import Store
import Text

/// The result of one upgrade.
struct UpgradeRow: OutputRecord {
  enum Status: String, CaseIterable, OutputValue { case upgraded, current, skipped, failed }

  let trust: PluginTrust
  /// The version that is installed now; nil if it is the one before.
  let version: String?
  let status: Status
  var problem: Problem?

  static let fields: Fields = [
    Field("name", "The plugin's name", column: "NAME", overflow: .keep) { $0.trust.name },
    Field("previous_version", "The version before", column: "FROM") { $0.trust.version },
    Field("version", "The version that is installed now", column: "TO") { $0.version ?? $0.trust.version },
    Field("status", "Whether it was upgraded, was already the newest version, was skipped, or failed", column: "STATUS")
    {
      $0.status
    },
    Field("problem", "Why it was not upgraded", column: "PROBLEM") { $0.problem?.summary },
  ]
}

/// Upgrades plugins, one after the other.
struct UpgradeRun {
  let shelf: PluginRegistry
  let session: Session
  /// Whether the user grants added permissions in advance.
  let allowsNewPermissions: Bool
  /// Whether the user named no plugins.
  let isOfAll: Bool

  /// - Parameter version: the version that the user named; nil for the newest one.
  func upgrade(_ trust: PluginTrust, to version: String?) throws -> UpgradeRow {
    guard let newer = try UpgradeLookup(session: session).version(of: trust, version) else {
      return UpgradeRow(trust: trust, version: nil, status: .current)
    }
    if let skipped = try newer.version.flatMap({ try rolledBack(trust, to: $0) }) { return skipped }
    let candidate = try newer.candidate()
    let manifest = candidate.package.manifest
    guard manifest.name.description == trust.name else {
      throw rejection(of: trust, "it is now another plugin, '\(manifest.name)'", "Ask the author.")
    }
    if version == nil { try checkOrder(of: candidate, after: trust) }
    if let skipped = try rolledBack(trust, to: manifest.version) { return skipped }
    let installation = try PluginInstallation(
      of: candidate, on: shelf, in: session, allowingNewPermissions: allowsNewPermissions, isUpgrade: true)
    _ = try installation.perform()
    return UpgradeRow(trust: trust, version: manifest.version, status: .upgraded)
  }

  /// The row of a plugin that was rolled back from this version, which `--all` must not install again at once; nil for
  /// another version, and if the user named the plugin.
  private func rolledBack(_ trust: PluginTrust, to version: String) throws -> UpgradeRow? {
    guard isOfAll, let provenance = try session.store.provenance(of: trust.name),
      try session.store.knownVersion(version, of: trust.name, from: provenance)?.rolledBackAt != nil
    else { return nil }
    session.console.note(
      """
      Plugin '\(trust.name)' was rolled back from version \(version), which --all skips. To install it again, run: \
      \(ifttt: "plugin upgrade \(trust.name)")
      """)
    return UpgradeRow(
      trust: trust, version: nil, status: .skipped,
      problem: Problem(.refused, "it was rolled back from version \(version)"))
  }

  /// The origin may offer a version whose manifest says something else.
  private func checkOrder(of candidate: PluginCandidate, after trust: PluginTrust) throws {
    let version = candidate.package.manifest.version
    if VersionOrder.isOlder(version, than: trust.version) == true {
      throw rejection(
        of: trust, "version \(version) is older than the installed \(trust.version)",
        "To install it regardless, run: \(ifttt: "plugin install \(candidate.origin)")")
    }
    if VersionOrder.isRelease(trust.version), VersionOrder.isPreRelease(version) {
      throw rejection(
        of: trust, "version \(version) is a pre-release",
        "To install it regardless, run: \(ifttt: "plugin install \(candidate.origin)")")
    }
  }

  private func rejection(of trust: PluginTrust, _ reason: String, _ hint: Hint) -> Problem {
    Problem(.refused, "plugin '\(trust.name)' was not upgraded", reason: reason, hint: hint)
  }
}
