import Arguments
import CommandContext
import Hints
import PluginHost
import Plugins
import Store
import World

enum PluginRemove: Command {
  struct Options: Sendable {
    var name = Required<String>()
  }

  static let name = "remove"
  static let summary = "Remove a plugin that was installed"
  static var discussion: [String] {
    [
      "The credentials that it keeps, in any profile, are forgotten with it; sign out first where a server keeps them too.",
      "What lies in the plugins' folder without having been installed can be removed the same way.",
    ]
  }
  static var positionals: [Positional<Options>] {
    [.required(.pluginName, into: \.name, help: "The plugin")]
  }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let name = options.name.value
    let shelf = try session.pluginRegistry
    // A bundled plugin may hide an installed one of the same name.
    let plugin = shelf.catalog.all().first { $0.name == name && !$0.isBundled }
    let isTrusted = try session.store.trustedPlugin(name) != nil
    guard plugin != nil || isTrusted else {
      let entry = try shelf.entry(named: name)
      throw Problem(
        .refused, "plugin '\(name)' came with the program", reason: "it lies in \(entry.plugin.folder)",
        hint: "Leave it unused, or say --no-plugins.")
    }
    if session.options.isDryRun { return session.dryRun(change: "Would remove plugin '\(name)'.") }
    try session.confirm("Remove plugin '\(name)' and the credentials that it keeps?")
    // Revoke the trust first: an untrusted plugin cannot run.
    _ = try session.store.distrustPlugin(name)
    if let plugin { try session.world.files.removeFolder(plugin.folder) }
    // Do not remove the credentials of a bundled plugin of the same name.
    if !shelf.catalog.all().contains(where: { $0.name == name && $0.isBundled }) {
      _ = try session.store.removePluginCredentials(of: name)
      try session.store.forgetLists(of: name)
    }
    session.note("Removed plugin '\(name)'.")
    return .nothing
  }
}
