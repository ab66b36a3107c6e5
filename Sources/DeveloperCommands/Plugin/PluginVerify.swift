import CommandLine
import Output
import PluginProtocol
import Plugins
import Session
import Store
import Text
import World

private struct VerifiedPlugin: OutputRecord {
  let entry: PluginRegistry.Entry

  static let fields: Fields = [
    Field("name", "The plugin's name", column: "NAME", overflow: .keep) { $0.entry.plugin.name },
    Field("version", "The plugin's version", column: "VERSION", overflow: .keep) { $0.entry.version },
    Field("status", "Whether the plugin can be used, or why not", column: "STATUS", overflow: .keep) {
      $0.entry.verdict.status
    },
    Field("sha256", "The SHA-256 of its files", column: "SHA-256", overflow: .elide(least: 13)) {
      $0.entry.verdict.sha256
    },
    Field("problem", "Why it cannot be used", column: "PROBLEM") { $0.entry.verdict.problem },
  ]
}

enum PluginVerify: Command {
  struct Options: CommandOptions {
    var names: [String] = []
    var writesLock = false
  }

  static let name = "verify"
  static let summary = "Verify that plugins are unchanged since they were installed"
  static var discussion: [String] {
    [
      """
      Reads all files of each plugin. Before ifttt runs a plugin, it reads the files only if their attributes, such as \
      size and modification time, have changed; with IFTTT_PLUGIN_VERIFY=always, it reads them every time.
      """,
      """
      If the working directory contains an ifttt-plugins.lock, or IFTTT_PLUGINS_LOCK names a lock file, only the \
      plugins in that file can be installed and run, each with the pinned version and SHA-256. For a plugin from a \
      URL, an index or Git, the file also contains the origin and the commit.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .toggle(
        "write-lock", into: \.writesLock,
        help: "Write the versions and SHA-256 of all installed plugins to the lock file")
    ]
  }
  static var positionals: [Positional<Options>] {
    [.many(.pluginName, into: \.names, help: "Verify only these plugins")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("plugin verify", "verify all plugins"),
      ExampleSchema("plugin verify --write-lock", "pin the installed plugins, for CI"),
    ]
  }
  static var shape: OutputSchema? { .many(VerifiedPlugin.self).report }

  static func check(_ options: Options) throws(Conflict) {
    guard options.writesLock, !options.names.isEmpty else { return }
    throw Conflict("the lock file always contains all plugins", options: ["write-lock"])
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let registry = try session.plugins.registry
    let entries = try registry.entries(isThorough: true, locked: !options.writesLock)
    let selected =
      try options.names.isEmpty
      ? entries
      : options.names.map { name in try entries.first { $0.plugin.name == name } ?? registry.entry(named: name) }
    let unusable = selected.filter { !$0.verdict.isUsable }
    if options.writesLock, unusable.isEmpty { try writeLock(entries, in: session) }
    var output = Output.rows(selected.map(VerifiedPlugin.init))
    if let first = unusable.first {
      let more = unusable.count > 1 ? ", and \(unusable.count - 1) more" : ""
      output.verdict = {
        throw Problem(
          .refused, options.writesLock ? "the lock file was not written" : "not all plugins can be used",
          reason: "\(first.plugin.name): \(first.verdict.problem ?? "")\(more)",
          hint: "See \(ifttt: "plugin show \(first.plugin.name)").")
      }
    }
    return output
  }

  private static func writeLock(_ entries: [PluginRegistry.Entry], in session: Session) throws {
    var pins: [String: PluginsLock.Pin] = [:]
    for entry in entries {
      guard let trust = entry.trust, !entry.plugin.isLinked else { continue }
      let provenance = try PluginRecords(session.store).provenance(of: trust.name)
      pins[trust.name] = PluginsLock.Pin(
        version: trust.version, sha256: trust.sha256,
        origin: provenance.flatMap { $0.kind == .path ? nil : trust.origin }, commit: provenance?.commit,
        archiveSHA256: provenance?.archiveSHA256, signer: provenance?.signer, signerKey: provenance?.signerKey)
    }
    let file = PluginsLockFile(session.world)
    if session.options.isDryRun { return session.console.note("Would write \(file.path).") }
    try file.write(PluginsLock(pins: pins))
    session.console.noteToPerson("Wrote \(file.path).")
  }
}
