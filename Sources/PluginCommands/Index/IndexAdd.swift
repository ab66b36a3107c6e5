import Arguments
import CommandContext
import HTTP
import Hints
import PluginHost
import Plugins
import Store
import World

enum IndexAdd: Command {
  struct Options: Sendable {
    var name = Required<String>()
    var location = Required<String>()
  }

  static let name = "add"
  static let summary = "Add an index of plugins"
  static var discussion: [String] {
    [
      """
      An index is a JSON file that lists plugins with their versions, platforms and checksums. It is fetched at once \
      and stored, so that 'plugin search' and 'plugin outdated' need no network. Adding an index installs \
      nothing. Its publisher decides which versions you are offered, so add only indexes that you trust.
      """
    ]
  }
  static var positionals: [Positional<Options>] {
    [
      .required(.pluginIndexName, into: \.name, help: "Name for the index"),
      .required(.nonEmpty("LOCATION", completion: .file), into: \.location, help: "URL or path of the index"),
    ]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("plugin index add local ./index.json", "add an index in a file")
    ]
  }
  static var shape: OutputSchema? { .one(IndexRow.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let (name, text) = (options.name.value, options.location.value)
    _ = try session.pluginRegistry
    if let other = try session.store.pluginIndexes().first(where: { $0.name == name }) {
      throw Problem(
        .refused, "there is already an index '\(name)'", reason: "it is fetched from \(other.location)",
        hint: "Choose another name, or remove it: \(ifttt: "plugin index remove \(name)")")
    }
    var location: IndexLocation
    do throws(WebURLError) { location = try IndexLocation(parsing: text) } catch {
      throw Problem(.usage, "'\(text)' is not the URL of an index", reason: error.description)
    }
    if case .file(let path) = location { location = .file(try session.world.absolutePath(path)) }
    if session.options.isDryRun { return session.dryRun(change: "Would add index '\(name)'.") }
    let index = try IndexFetch(session: session).index(named: name, at: location)
    try session.store.savePluginIndex(index)
    return .one(IndexRow(index))
  }
}
