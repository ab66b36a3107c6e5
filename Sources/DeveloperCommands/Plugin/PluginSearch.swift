import CommandLine
import Output
import PluginProtocol
import Plugins
import Session
import Store
import Text

/// A plugin that an index lists.
private struct FoundPlugin: OutputRecord {
  let plugin: IndexedPlugin
  let installed: String?

  static let fields: Fields = [
    Field("name", "The plugin's name", column: "NAME", overflow: .keep) { $0.plugin.entry.name.description },
    Field("version", "The newest version for this platform", column: "VERSION") { $0.plugin.entry.version },
    Field("installed", "The installed version; null if it is not installed", column: "INSTALLED") { $0.installed },
    Field("index", "The index that lists it", column: "INDEX") { $0.plugin.index.name },
    Field("platform", "The platform that the version is for") { $0.plugin.entry.platform.description },
    Field("summary", "The plugin's description of itself", column: "SUMMARY", style: .foreign) {
      $0.plugin.entry.summary
    },
  ]
}

enum PluginSearch: Command {
  struct Options: CommandOptions {
    var word: String?
  }

  static let name = "search"
  static let summary = "Search the indexes for plugins"
  static var discussion: [String] {
    [
      """
      Searches names and summaries in the indexes as of their last update, without the network. Only plugins with a \
      version for this platform that is not a pre-release are listed.
      """
    ]
  }
  static var positionals: [Positional<Options>] {
    [.optional(.nonEmpty("WORD"), into: \.word, help: "Text to find, in any case; omit it to list everything")]
  }
  static var examples: [ExampleSchema] { [ExampleSchema("plugin search tides", "search for a word")] }
  static var shape: OutputSchema? { .many(FoundPlugin.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let installed = try PluginRecords(session.plugins.registry.store).trusted()
    let word = (options.word ?? "").lowercased()
    let catalog = try IndexCatalog(in: session)
    let found = catalog.newest().filter { plugin in
      word.isEmpty
        || [plugin.entry.name.description, plugin.entry.summary].contains { $0.lowercased().includes(word) }
    }
    if found.isEmpty {
      session.console.noteEmpty(
        catalog.isEmpty
          ? """
          No index was added, so there is nothing to search. To add that of ifttt's examples, run: \
          \(ifttt: "plugin index add examples \(StarterIndex.location)")
          """
          : "No plugin was found. To fetch the indexes again, run: \(ifttt: "plugin index update")")
    }
    return .rows(
      found.map { plugin in
        FoundPlugin(
          plugin: plugin, installed: installed.first { $0.name == plugin.entry.name.description }?.version)
      })
  }
}

/// The index of the examples in this program's repository. It is not built in: a user adds it, as any other.
enum StarterIndex {
  static let location = "https://raw.githubusercontent.com/\(PluginTemplate.repository)/main/plugins/index.json"
}
