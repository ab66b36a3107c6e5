import CommandLine
import Output
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
    Field("latest", "The newest version; null if it is known only once it is downloaded", column: "LATEST") {
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
  struct Options: Sendable {}

  static let name = "outdated"
  static let summary = "List plugins that have a newer version"
  static var discussion: [String] {
    [
      """
      Checks the origin of each plugin. An index is read as of its last update, without the network; see 'plugin index \
      update'. The tags of a Git repository and the SHA256SUMS of a URL are fetched. Plugins that were installed from a \
      path are not listed, because they have no newer versions. Pre-releases do not count.
      """
    ]
  }
  static var examples: [ExampleSchema] {
    [ExampleSchema("plugin outdated --json", "list newer versions as JSON")]
  }
  static var shape: OutputSchema? { .many(OutdatedRow.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let trusts = try session.pluginRegistry.upgradable()
    let (lookup, failures) = (UpgradeLookup(session: session), BatchFailures(of: trusts.count))
    var rows: [OutdatedRow] = []
    for trust in trusts {
      do {
        guard let newer = try lookup.version(of: trust) else { continue }
        rows.append(OutdatedRow(trust: trust, latest: newer.version, problem: nil))
      } catch {
        let problem = Problem(error)
        guard problem.code != .interrupted else { throw problem }
        failures.add(problem, of: trust.name)
        rows.append(OutdatedRow(trust: trust, latest: nil, problem: problem))
      }
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
    try store.trustedPlugins().filter { trust in
      try store.provenance(of: trust.name).map { $0.kind != .path } ?? false
    }
  }
}
