import CommandContext
import Display
import Hints
import PluginHost
import PluginProtocol
import Plugins
import Store

/// The result of one upgrade.
struct UpgradeRow: OutputRecord {
  enum Status: String, CaseIterable, OutputValue { case upgraded, current, failed }

  let trust: PluginTrust
  /// The version that is installed now; nil if it is the one before.
  let version: String?
  let status: Status
  var problem: Problem?

  static let fields: Fields = [
    Field("name", "The plugin's name", column: "NAME", overflow: .keep) { $0.trust.name },
    Field("previous_version", "The version before", column: "FROM") { $0.trust.version },
    Field("version", "The version that is installed now", column: "TO") { $0.version ?? $0.trust.version },
    Field("status", "Whether it was upgraded, was already the newest version, or failed", column: "STATUS") {
      $0.status
    },
    Field("problem", "Why it was not upgraded", column: "PROBLEM") { $0.problem?.summary },
  ]
}

/// Upgrades plugins, one after the other.
struct UpgradeRun {
  let shelf: PluginRegistry
  let session: Session

  /// - Parameter version: the version that the user named; nil for the newest one.
  func upgrade(_ trust: PluginTrust, to version: String?) throws -> UpgradeRow {
    guard let newer = try UpgradeLookup(session: session).version(of: trust, version) else {
      return UpgradeRow(trust: trust, version: nil, status: .current)
    }
    let candidate = try newer.candidate()
    let manifest = candidate.package.manifest
    guard manifest.name.description == trust.name else {
      throw rejection(of: trust, "it is now another plugin, '\(manifest.name)'", "Ask the author.")
    }
    if version == nil { try checkOrder(of: candidate, after: trust) }
    _ = try PluginInstallation(of: candidate, on: shelf, in: session).perform()
    return UpgradeRow(trust: trust, version: manifest.version, status: .upgraded)
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
