import CommandLine
import PluginProtocol
import Plugins
import Session
import Store
import Text
import World

enum PluginUnlink: Command {
  struct Options: Sendable {
    var name = Required<String>()
  }

  static let name = "unlink"
  static let summary = "Remove the link to a plugin's folder"
  static var discussion: [String] {
    [
      """
      The folder itself is not changed. An installed plugin of the same name can be used again. If there is none, the \
      credentials that the plugin stored are deleted too, in every profile.
      """
    ]
  }
  static var positionals: [Positional<Options>] {
    [.required(.pluginName, into: \.name, help: "Name of the plugin")]
  }
  static var shape: OutputSchema? { .one(ChangedItem.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let name = options.name.value
    let shelf = try session.pluginRegistry
    let others = shelf.catalog.all().filter { $0.name == name }
    let isLinked = try others.contains(where: \.isLinked) || session.store.linkedPlugin(name) != nil
    guard isLinked else {
      throw Problem(.notFound, "no linked plugin '\(name)'", hint: "See \(ifttt: "plugin list").")
    }
    let isAlone = !others.contains { !$0.isLinked }
    let credentials = try isAlone ? session.store.pluginCredentialNames(of: name).count : 0
    if session.options.isDryRun { return session.dryRun(change: "Would unlink plugin '\(name)'.") }
    if credentials > 0 {
      try session.console.confirm("Unlink plugin '\(name)' and delete its \(credentials) stored credentials?")
    }
    try session.store.checkCache()
    let record = try session.store.linkedPlugin(name) ?? .unknown(name)
    try shelf.changes.exclusively {
      try shelf.changes.perform(PluginChange(.unlinked, record, keepsCredentials: !isAlone))
    }
    session.console.note("Unlinked plugin '\(name)'.")
    return .changed(ChangedItem(name), in: session)
  }
}
