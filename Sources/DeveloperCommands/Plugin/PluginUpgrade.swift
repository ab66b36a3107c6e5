import CommandLine
import Output
import PluginProtocol
import Plugins
import Session
import Store
import Text

enum PluginUpgrade: Command {
  struct Options: CommandOptions {
    var names: [String] = []
    var upgradesAll = false
    var allowsNewPermissions = false
  }

  static let name = "upgrade"
  static let summary = "Upgrade plugins to their newest versions"
  static var discussion: [String] {
    [
      """
      The new version comes from where the plugin was installed from: its index as of the last update, the newest \
      version tag of its Git repository, or its URL if the SHA256SUMS there has changed. Before you confirm, the \
      command shows what changes: hosts, credentials, environment, commands and files. The replaced version is kept; \
      'plugin rollback' restores it.
      """,
      """
      An older version or a pre-release is installed only if you name it: NAME@VERSION. If a Git tag was moved since \
      it was installed, or an index lists other files for the same version, the upgrade fails. A signed plugin is \
      upgraded only to a version with the same signer.
      """,
      """
      --yes covers the permissions of the installed version, but not additional ones: such a plugin is not upgraded unless \
      you pass --allow-new-permissions or confirm at a prompt. --all skips a version that was rolled back from; name \
      the plugin to install it again.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .toggle("all", into: \.upgradesAll, help: "Upgrade all plugins that can have newer versions"),
      .allowNewPermissions(into: \.allowsNewPermissions),
    ]
  }
  static var positionals: [Positional<Options>] {
    [
      .many(
        .pluginName.named("NAME[@VERSION]"), into: \.names,
        help: "Names of the plugins, with a version to install exactly that one")
    ]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("plugin upgrade --all --yes", "upgrade all plugins without confirmation"),
      ExampleSchema("plugin upgrade tides@1.2.0 --yes", "install a certain version"),
    ]
  }
  static var shape: OutputSchema? { .many(UpgradeRow.self).report }

  static func check(_ options: Options) throws(Conflict) {
    if options.upgradesAll, !options.names.isEmpty {
      throw Conflict("pass names or --all, not both", options: ["all"])
    }
    if !options.upgradesAll, options.names.isEmpty {
      throw Conflict("pass names of plugins, or --all", options: ["all"], isMissingArgument: true)
    }
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let registry = try session.plugins.registry
    let subjects =
      try options.upgradesAll
      ? registry.upgradable().map { ($0, nil) } : options.names.map { try subject($0, registry) }
    let failures = BatchFailures(of: subjects.count)
    let upgrade = UpgradeRun(
      registry: registry, session: session, allowsNewPermissions: options.allowsNewPermissions,
      upgradesAll: options.upgradesAll)
    var rows: [UpgradeRow] = []
    for (trust, version) in subjects {
      let problem = try failures.attempt(trust.name) { rows.append(try upgrade.upgrade(trust, to: version)) }
      if let problem { rows.append(UpgradeRow(trust: trust, version: nil, status: .failed, problem: problem)) }
    }
    if session.options.isDryRun {
      try failures.evaluate()
      let names = rows.filter { $0.status == .upgraded }.map(\.trust.name)
      return session.dryRun(change: names.isEmpty ? nil : "Would upgrade \(names.joined(separator: ", ")).")
    }
    if rows.isEmpty { session.console.noteEmpty("No installed plugin can have a newer version.") }
    var output = Output.rows(rows)
    output.isChange = true
    output.verdict = { try failures.evaluate() }
    return output
  }

  private static func subject(_ text: String, _ registry: PluginRegistry) throws -> (PluginTrust, version: String?) {
    guard let (name, version) = PluginReference.name(in: text),
      let trust = try PluginRecords(registry.store).trusted(name.description)
    else {
      throw Problem(.notFound, "no installed plugin '\(text)'", hint: "See \(ifttt: "plugin list").")
    }
    return (trust, version)
  }
}

/// The result of one upgrade.
struct UpgradeRow: OutputRecord {
  enum Status: String, CaseIterable, OutputValue { case upgraded, current, skipped, failed }

  let trust: PluginTrust
  /// The version that is installed now; nil if it did not change.
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

struct UpgradeRun {
  let registry: PluginRegistry
  let session: Session
  /// Whether the user grants added permissions in advance.
  let allowsNewPermissions: Bool
  /// Whether `--all` was passed.
  let upgradesAll: Bool

  /// - Parameter version: the version to install; nil for the newest one.
  func upgrade(_ trust: PluginTrust, to version: String?) throws -> UpgradeRow {
    guard let newer = try UpgradeLookup(session: session).version(of: trust, version) else {
      return UpgradeRow(trust: trust, version: nil, status: .current)
    }
    if let skipped = try newer.version.flatMap({ try rolledBackRow(trust, to: $0) }) { return skipped }
    let candidate = try newer.candidate()
    let manifest = candidate.package.manifest
    guard manifest.name.description == trust.name else {
      throw rejection(of: trust, "it is now another plugin, '\(manifest.name)'", "Ask the author.")
    }
    if version == nil { try checkOrder(of: candidate, after: trust) }
    if let skipped = try rolledBackRow(trust, to: manifest.version) { return skipped }
    let installation = try PluginInstallation(
      of: candidate, on: registry, in: session, allowingNewPermissions: allowsNewPermissions, isUpgrade: true)
    _ = try installation.perform()
    return UpgradeRow(trust: trust, version: manifest.version, status: .upgraded)
  }

  /// A row for a version that was rolled back, which `--all` must not install again; nil for other versions, and if the
  /// user named the plugin.
  private func rolledBackRow(_ trust: PluginTrust, to version: String) throws -> UpgradeRow? {
    guard upgradesAll, let provenance = try PluginRecords(session.store).provenance(of: trust.name),
      try PluginRecords(session.store).knownVersion(version, of: trust.name, from: provenance)?.rolledBackAt != nil
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

  /// Rejects an older version and a pre-release. The version in the manifest may differ from the one that the origin
  /// lists.
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
