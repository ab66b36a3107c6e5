import CommandLine
import HTTP
import Output
import PluginProtocol
import Plugins
import Session
import Store
import Text

/// A plugin that has a newer version, or whose origin could not be checked.
private struct OutdatedRow: OutputRecord {
  enum Status: String, CaseIterable, OutputValue { case outdated, failed }

  let trust: PluginTrust
  let latest: String?
  let problem: Problem?

  static let fields: Fields = [
    Field("name", "The plugin's name", column: "NAME", overflow: .keep) { $0.trust.name },
    Field("version", "The installed version", column: "VERSION") { $0.trust.version },
    Field("latest", "The newest version; null if unknown until it is downloaded", column: "LATEST") {
      $0.latest
    },
    Field("status", "Whether a newer version was found, or the check failed", column: "STATUS") {
      $0.problem == nil ? Status.outdated : .failed
    },
    Field("origin", "The path or URL that it was installed from", column: "FROM") { $0.trust.origin },
    Field("problem", "Why the check failed", column: "PROBLEM") { $0.problem?.summary },
  ]
}

enum PluginOutdated: Command {
  static let name = "outdated"
  static let summary = "List plugins that have a newer version"
  static var discussion: [String] {
    [
      """
      Checks the origin of each plugin. An index is read as of its last update, without the network; see 'plugin index \
      update'. The tags of a Git repository and the SHA256SUMS of a URL are fetched. Plugins that were installed from \
      a path are not listed, because they have no newer versions. Pre-releases do not count.
      """
    ]
  }
  static var examples: [ExampleSchema] {
    [ExampleSchema("plugin outdated --json", "list newer versions as JSON")]
  }
  static var shape: OutputSchema? { .many(OutdatedRow.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let trusts = try session.plugins.registry.upgradable()
    let (lookup, failures) = (UpgradeLookup(session: session), BatchFailures(of: trusts.count))
    var rows: [OutdatedRow] = []
    for trust in trusts {
      let problem = try failures.attempt(trust.name) {
        guard let newer = try lookup.version(of: trust) else { return }
        rows.append(OutdatedRow(trust: trust, latest: newer.version, problem: nil))
      }
      if let problem { rows.append(OutdatedRow(trust: trust, latest: nil, problem: problem)) }
    }
    if rows.isEmpty { session.console.noteEmpty("No plugin has a newer version.") }
    var output = Output.rows(rows)
    output.verdict = { try failures.evaluate() }
    return output
  }
}

extension PluginRegistry {
  /// The installed plugins whose origin can have newer versions, sorted by name.
  func upgradable() throws -> [PluginTrust] {
    try PluginRecords(store).trusted().filter { trust in
      try PluginRecords(store).provenance(of: trust.name).map { $0.kind != .path } ?? false
    }
  }
}

/// Finds newer versions of installed plugins at their origins.
struct UpgradeLookup {
  let session: Session

  /// - Parameter version: the version to find, even an older one; nil for the newest one that is not a pre-release.
  /// - Returns: nil if that version is installed, or the origin has no newer one.
  /// - Throws: `refused` if the origin cannot have newer versions, or has changed the installed version.
  func version(of trust: PluginTrust, _ version: String? = nil) throws -> AvailableVersion? {
    guard let provenance = try PluginRecords(session.store).provenance(of: trust.name), provenance.kind != .path else {
      throw rejection(
        of: trust, "it was installed from a path, which has no newer versions",
        "Install the new version: \(ifttt: "plugin install PATH")")
    }
    switch provenance.kind {
    case .path: return nil
    case .index: return try versionInIndex(trust, provenance, version)
    case .git: return try versionInRepository(trust, provenance, version)
    case .url: return try versionAtURL(trust, provenance, version)
    }
  }

  private func versionInIndex(
    _ trust: PluginTrust, _ provenance: PluginProvenance, _ version: String?
  ) throws -> AvailableVersion? {
    guard let name = PluginName(parsing: trust.name) else { return nil }
    let found = try IndexCatalog(in: session).plugin(name, version: version, in: provenance.index)
    let entry = found.entry
    if entry.version == trust.version {
      guard entry.contentSHA256 == trust.sha256 else {
        throw rejection(
          of: trust, "index '\(found.index.name)' now lists other files for version \(entry.version)",
          "Ask the publisher why. To install them regardless, remove the plugin first.")
      }
      return nil
    }
    guard version != nil || VersionOrder.isOlder(trust.version, than: entry.version) == true else { return nil }
    return AvailableVersion(version: entry.version) { try IndexSource(found: found, session: session).candidate() }
  }

  private func versionInRepository(
    _ trust: PluginTrust, _ provenance: PluginProvenance, _ version: String?
  ) throws -> AvailableVersion? {
    let tags = try GitRepository(url: provenance.location, session: session).tags()
    for tag in tags { if let problem = provenance.movedTagProblem(of: tag) { throw problem } }
    let found = version.map { VersionTag.tag(of: $0, in: tags) } ?? VersionTag.newest(of: tags)
    guard let tag = found else {
      guard let version else { return nil }
      throw Problem(.notFound, "\(provenance.location) has no tag of version \(version)")
    }
    // A tag that is not a version, such as 'stable', has no order, so compare the manifest's version.
    let installed = provenance.tag.flatMap { VersionOrder.isRelease($0) ? $0 : nil } ?? trust.version
    guard tag.name != provenance.tag, version != nil || VersionOrder.isOlder(installed, than: tag.name) == true else {
      return nil
    }
    return AvailableVersion(version: tag.version) {
      try GitSource(url: provenance.location, session: session).candidate(at: tag)
    }
  }

  private func versionAtURL(
    _ trust: PluginTrust, _ provenance: PluginProvenance, _ version: String?
  ) throws -> AvailableVersion? {
    let advice: Hint = "Install the URL of the other version: \(ifttt: "plugin install SOURCE")"
    guard version == nil else {
      throw rejection(of: trust, "it was installed from a URL, which has one version", advice)
    }
    guard !provenance.isPinned else {
      throw rejection(of: trust, "it was installed with --sha256, which names one archive", advice)
    }
    let url: WebURL
    do throws(WebURLError) { url = try WebURL(parsing: provenance.location) } catch {
      throw rejection(of: trust, "its URL is not accepted: \(error)", advice)
    }
    let source = WebSource(url: url, session: session)
    let sha256 = try source.listedChecksum()
    guard sha256 != provenance.archiveSHA256 else { return nil }
    return AvailableVersion(version: nil) { try source.candidate(matching: sha256, isPinned: false) }
  }

  private func rejection(of trust: PluginTrust, _ reason: String, _ hint: Hint) -> Problem {
    Problem(.refused, "plugin '\(trust.name)' cannot be upgraded", reason: reason, hint: hint)
  }
}

extension VersionTag {
  /// The version in the tag's name.
  fileprivate var version: String { name.hasPrefix("v") ? String(name.dropFirst()) : name }
}

/// A version that an installed plugin could be upgraded to.
struct AvailableVersion {
  /// Nil if the version is unknown until the archive is downloaded.
  let version: String?
  let candidate: () throws -> PluginCandidate
}
