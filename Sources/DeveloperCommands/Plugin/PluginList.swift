import CommandLine
import JSON
import Output
import PluginProtocol
import Plugins
import Session
import Store
import Text
import World

enum PluginList: Command {
  static let name = "list"
  static let summary = "List plugins and their status"
  static var discussion: [String] {
    [
      """
      The command reads only manifests and runs no plugin. A plugin can be used if its status is 'ready' (installed \
      and unchanged), 'bundled' (included with the program) or 'linked' (run from its author's folder). All others are \
      not run: 'shadowed' (its name is already taken), 'broken' (its manifest or folder is invalid), 'untrusted' (in \
      the plugins folder, but not installed), 'changed' (modified since it was installed), 'unsafe' (other users could \
      change it) and 'missing' (installed, but its files are missing).
      """
    ]
  }
  static var examples: [ExampleSchema] { [ExampleSchema("plugin list --json", "list the plugins as JSON")] }
  static var shape: OutputSchema? { .many(PluginRow.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let entries = try session.plugins.registry.entries()
    if entries.isEmpty {
      session.console.noteEmpty("No plugins are installed. To install one, run: \(ifttt: "plugin install PATH")")
    }
    return .rows(entries.map(PluginRow.init))
  }
}

enum PluginShow: Command {
  struct Options: CommandOptions {
    var name = Required<String>()
  }

  static let name = "show"
  static let summary = "Show the details, permissions and status of a plugin"
  static var positionals: [Positional<Options>] {
    [.required(.pluginName, into: \.name, help: "Name of the plugin")]
  }
  static var examples: [ExampleSchema] {
    [ExampleSchema("plugin show hello", "show a plugin's manifest, origin and SHA-256")]
  }
  static var shape: OutputSchema? { .one(PluginDetails.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    .one(try PluginDetails(session.plugins.registry.entry(named: options.name.value), in: session))
  }
}

/// A plugin as listed.
struct PluginRow: OutputRecord {
  let entry: PluginRegistry.Entry

  static let fields: Fields = [
    Field("name", "The plugin's name", column: "NAME", overflow: .keep) { $0.entry.plugin.name },
    Field("version", "The plugin's version", column: "VERSION") { $0.entry.version },
    Field("kind", "The kind: provider or command", column: "KIND") { $0.entry.kind },
    Field("path", "The path of its folder") { $0.entry.plugin.folder },
    Field("status", "Whether the plugin can be used, or why not", column: "STATUS", overflow: .keep) {
      $0.entry.verdict.status
    },
    Field("problem", "Why it cannot be used", column: "PROBLEM") { $0.entry.verdict.problem },
  ]
}

/// All details of a plugin.
final class PluginDetails: OutputRecord {
  private let entry: PluginRegistry.Entry
  private let contents: PluginContents?
  private let provenance: ProvenanceRow
  private var manifest: Manifest? { entry.manifest }
  private var trust: PluginTrust? { entry.trust }
  /// The SHA-256 of its files when it was installed.
  private var recordedSHA256: String? { pin?.sha256 ?? (entry.plugin.isLinked ? nil : trust?.sha256) }
  /// The pin of a bundled plugin.
  private let pin: PluginsLock.Pin?
  /// The change that was made to the plugin; nil if it is only shown.
  private let change: Change?
  /// The command to try first.
  private let firstCommand: String?

  /// A change of a plugin, as the label of the line that describes its result.
  enum Change: String, CustomStringConvertible {
    case installed = "Installed"
    case restored = "Restored"
    case linked = "Linked"
    var description: String { rawValue }
  }

  /// - Parameter change: the change that was made to the plugin. The card then contains only the result and the next
  ///   step.
  /// - Throws: ``Problem`` if plugins are disabled.
  init(_ entry: PluginRegistry.Entry, in session: Session, after change: Change? = nil) throws {
    (self.entry, self.change) = (entry, change)
    firstCommand = (try? entry.plugin.manifest.get()).map { manifest in
      let command: SuggestedCommand =
        manifest.commands == nil && manifest.kind == .provider
        ? "connections list --provider \(manifest.name)" : "\(manifest.name)"
      return session.suggestions.completed(command: command).text
    }
    pin = try session.plugins.registry.bundledPin(of: entry.plugin)
    provenance = ProvenanceRow(of: entry, pin: pin, in: session)
    contents = try? PluginContents(of: entry.plugin.folder, in: session.world.files)
  }

  static let fields: Fields =
    [
      Field("name", "The plugin's name", column: "NAME") { $0.entry.plugin.name },
      Field("version", "The plugin's version", column: "VERSION") { $0.entry.version },
      Field("kind", "The kind: provider or command", column: "KIND") { $0.entry.kind },
      Field("path", "The path of its folder", column: "PATH", columnNumber: 13) { $0.entry.plugin.folder },
      Field("status", "Whether the plugin can be used, or why not", column: "STATUS") { $0.entry.verdict.status },
      Field("problem", "Why it cannot be used", column: "PROBLEM") { $0.entry.verdict.problem },
      Field("advice", "What to do about it", column: "TO DO") { $0.entry.verdict.advice?.text },
      Field("summary", "The plugin's description of itself", column: "SUMMARY", style: .foreign, columnNumber: 4) {
        $0.manifest?.summary
      },
      Field("vendor", "The vendor that the plugin names", column: "VENDOR", style: .foreign, columnNumber: 5) {
        $0.manifest?.vendor
      },
      Field("executable", "The path of its executable") { $0.entry.plugin.executable },
      Field("protocol", "The protocol versions that it supports") { $0.manifest?.protocols ?? [] },
      Field("capabilities", "The capabilities that it declares") { $0.manifest?.capabilities ?? [] },
      Field("hosts", "The hosts that it declares to connect to; not enforced", column: "HOSTS", style: .foreign) {
        $0.manifest?.hosts ?? []
      },
      Field("credentials", "The credentials that it may receive", column: "CREDENTIALS") {
        $0.trust?.credentials ?? $0.manifest?.credentials ?? []
      },
      Field("environment", "The environment variables that it may receive", column: "ENVIRONMENT") {
        $0.trust?.environment ?? $0.manifest?.environment ?? []
      },
      Field("browser", "Whether it may open pages in the browser", column: "BROWSER") {
        $0.trust?.usesBrowser ?? $0.manifest?.usesBrowser
      },
      Field(
        "file_access", "The files that it may open in addition to its own and the system's", column: "FILE ACCESS",
        style: .foreign
      ) {
        ($0.trust?.fileAccess ?? $0.manifest?.files ?? []).map(\.description)
      },
      Field("commands", "The command lines that run it", column: "COMMANDS", columnNumber: 9) {
        $0.manifest?.commandLines ?? []
      },
      Field("origin", "The path or URL that it was installed from", column: "FROM") {
        $0.trust?.origin ?? $0.provenance.bundle
      },
      Field("installed_at", "The time of its installation", column: "INSTALLED", style: .past) {
        $0.trust?.installedAt
      },
      Field("sha256", "The SHA-256 of its files", column: "SHA-256") {
        $0.entry.verdict.sha256 ?? $0.recordedSHA256
      },
      Field("files", "The number of its files", column: "FILES") { $0.contents?.files.count },
      Field("size", "The size of its files in bytes", column: "BYTES") { $0.contents?.size },
    ] + ProvenanceRow.fields.map { field in field.lifted { $0.provenance } }
}

extension PluginDetails {
  /// After a change: the plugin, its permissions, and the command to try first.
  var card: Card? {
    guard let change else { return nil }
    let name = entry.plugin.name
    let previous = provenance.previous.map { " (previous version: \($0))" } ?? ""
    let facts = "\(name) \(entry.version ?? "") from \(trust?.origin ?? "")\(previous)"
    let problem = entry.verdict.problem.map { problem in
      [problem, entry.verdict.advice?.text].compactMap(\.self).joined(separator: ". ")
    }
    return Card(items: [
      .line(label: change.description, value: ConfusableText.revealed(facts)),
      .line(label: "Permissions", value: permissions.isEmpty ? "none" : permissions.joined(separator: "; ")),
      // A plugin that cannot be used has no command to try.
      .line(label: "Problem", value: problem ?? ""),
      .line(label: "Try", value: problem == nil ? firstCommand ?? "" : ""),
    ])
  }

  private var permissions: [String] {
    func phrase(_ label: String, _ names: [String]) -> [String] {
      names.isEmpty ? [] : ["\(label) \(ConfusableText.revealed(names.joined(separator: ", ")))"]
    }
    var phrases = phrase("hosts", manifest?.hosts ?? [])
    phrases += phrase("credentials", trust?.credentials ?? [])
    phrases += phrase("environment", trust?.environment ?? [])
    if trust?.usesBrowser == true { phrases.append("opens the browser") }
    phrases += (trust?.fileAccess ?? manifest?.files ?? []).map { ConfusableText.revealed($0.description) }
    return phrases
  }
}

extension PluginStatus: OutputValue {}

extension PluginRegistry.Entry {
  fileprivate var manifest: Manifest? { try? plugin.manifest.get() }
  /// The trust record of a plugin whose files are missing; nil for other plugins.
  private var installed: PluginTrust? { verdict.status == .missing ? trust : nil }
  var version: String? { manifest?.version ?? installed?.version }
  fileprivate var kind: String? { manifest?.kind.rawValue ?? installed?.kind }
}

extension Manifest {
  /// The command lines that run it, such as `grab login`.
  var commandLines: [String] {
    guard let commands else { return kind == .command ? [name.description] : [] }
    func lines(_ command: ManifestCommand, _ path: String) -> [String] {
      command.subcommands.isEmpty ? [path] : command.subcommands.flatMap { lines($0, "\(path) \($0.name)") }
    }
    return lines(commands, name.description)
  }
}

/// The origin of an installed plugin, as part of its details.
struct ProvenanceRow: OutputRecord {
  private let provenance: PluginProvenance?
  /// The version that `plugin rollback` would restore.
  fileprivate let previous: String?
  /// The origin of a bundled plugin; nil for other plugins.
  let bundle: String?

  init(of entry: PluginRegistry.Entry, pin: PluginsLock.Pin?, in session: Session) {
    let plugin = entry.plugin
    guard plugin.isBundled else {
      (provenance, bundle) = (try? PluginRecords(session.store).provenance(of: plugin.name), nil)
      previous = try? PluginRecords(session.store).previous(plugin.name)?.trust.version
      return
    }
    var facts = PluginProvenance(.path, plugin.folder)
    (facts.archiveSHA256, facts.signer, facts.signerKey) = (pin?.archiveSHA256, pin?.signer, pin?.signerKey)
    (provenance, previous) = (facts, nil)
    bundle =
      pin?.signerKey == nil ? "included with the program, from a build that is not signed" : "included with the program"
  }

  static let fields: Fields = [
    Field("index", "The index that it was installed from") { $0.provenance?.index },
    Field("tag", "The Git tag that it was installed from") { $0.provenance?.tag },
    Field("commit", "The Git commit that it was installed from", column: "COMMIT") { $0.provenance?.commit },
    Field("archive_sha256", "The SHA-256 of the archive that it was installed from", column: "ARCHIVE SHA-256") {
      $0.provenance?.archiveSHA256
    },
    Field("signer", "The label of the trusted key that signed the archive", column: "SIGNED BY") {
      $0.provenance?.signer
    },
    Field("signer_key", "The fingerprint of the key that signed the archive", column: "SIGNING KEY") {
      $0.provenance?.signerKey
    },
    Field("previous_version", "The version that 'plugin rollback' restores", column: "PREVIOUS") { $0.previous },
  ]
}
