import CommandLine
import Plugins
import Session
import Store
import Text
import World

enum PluginRemove: Command {
  struct Options: CommandOptions {
    var name = Required<String>()
  }

  static let name = "remove"
  static let summary = "Remove an installed plugin"
  static var discussion: [String] {
    [
      """
      Also deletes the credentials that the plugin stored, in every profile. To end its sessions at a server, sign out \
      first.
      """,
      "It can also remove a plugin that is in the plugins folder but was never installed.",
    ]
  }
  static var positionals: [Positional<Options>] {
    [.required(.pluginName, into: \.name, help: "Name of the plugin")]
  }
  static var examples: [ExampleSchema] {
    [ExampleSchema("plugin remove hello --yes", "remove a plugin without confirmation")]
  }
  static var shape: OutputSchema? { .one(ChangedItem.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let name = options.name.value
    let registry = try session.plugins.registry
    // A bundled plugin may hide an installed one of the same name.
    let plugins = registry.catalog.all().filter { $0.name == name }
    let plugin = plugins.first { !$0.isBundled && !$0.isLinked }
    let isTrusted = try PluginRecords(session.store).trusted(name) != nil
    guard plugin != nil || isTrusted else {
      let entry = try registry.entry(named: name)
      guard !entry.plugin.isLinked else {
        throw Problem(
          .refused, "plugin '\(name)' is linked, not installed", reason: "it is in \(entry.plugin.folder)",
          hint: "Remove the link with \(ifttt: "plugin unlink \(name)").")
      }
      throw Problem(
        .refused, "plugin '\(name)' is included with the program", reason: "it is in \(entry.plugin.folder)",
        hint: "To run without plugins, pass --no-plugins.")
    }
    if session.options.isDryRun { return session.dryRun(change: "Would remove plugin '\(name)'.") }
    try session.console.confirm("Remove plugin '\(name)' and its stored credentials?")
    try session.store.checkCache()
    let (changes, hasOther) = (registry.changes, plugins.contains { $0.isBundled || $0.isLinked })
    try changes.exclusively {
      let record = try PluginRecords(session.store).trusted(name) ?? .unknown(name)
      // The credentials of a bundled or linked plugin of the same name stay.
      try changes.perform(PluginChange(.removed, record, folder: changes.newName(), keepsCredentials: hasOther))
    }
    session.console.note("Removed plugin '\(name)'.")
    return .changed(ChangedItem(name), in: session)
  }
}

extension PluginTrust {
  /// The record of a plugin of which only the name is known, because none was stored.
  static func unknown(_ name: String) -> PluginTrust {
    PluginTrust(
      name: name, version: "", kind: "", sha256: "", files: "", origin: "", installedAt: Timestamp(milliseconds: 0))
  }
}
