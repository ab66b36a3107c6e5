import CommandLine
import Plugins
import Session
import Store
import Text

enum IndexRemove: Command {
  struct Options: Sendable {
    var name = Required<String>()
  }

  static let name = "remove"
  static let summary = "Remove an index of plugins"
  static var discussion: [String] {
    ["Plugins that were installed from it stay installed, but have no newer versions until it is added again."]
  }
  static var positionals: [Positional<Options>] {
    [.required(.pluginIndexName, into: \.name, help: "Name of the index")]
  }
  static var shape: OutputSchema? { .one(ChangedItem.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let name = options.name.value
    _ = try session.pluginRegistry
    guard try session.store.pluginIndexes().contains(where: { $0.name == name }) else {
      throw IndexCatalog.missing(name)
    }
    if session.options.isDryRun { return session.dryRun(change: "Would remove index '\(name)'.") }
    try session.store.removePluginIndex(name)
    session.console.note("Removed index '\(name)'.")
    return .changed(ChangedItem(name), in: session)
  }
}
