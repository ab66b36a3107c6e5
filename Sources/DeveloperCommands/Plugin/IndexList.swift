import CommandLine
import HTTP
import Output
import Plugins
import Session
import Store
import Text
import World

enum IndexList: Command {
  static let name = "list"
  static let summary = "List the indexes of plugins"
  static var examples: [ExampleSchema] { [ExampleSchema("plugin index list", "list the indexes")] }
  static var shape: OutputSchema? { .many(IndexRow.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    _ = try session.plugins.registry
    let indexes = try PluginRecords(session.store).indexes()
    if indexes.isEmpty {
      session.console.noteEmpty("No indexes are stored. To add one, run: \(ifttt: "plugin index add NAME LOCATION")")
    }
    return .rows(indexes.map(IndexRow.init))
  }
}

enum IndexRemove: Command {
  struct Options: CommandOptions {
    var name = Required<String>()
  }

  static let name = "remove"
  static let summary = "Remove an index of plugins"
  static var discussion: [String] {
    ["Plugins that were installed from it stay installed, but get no newer versions until you add it again."]
  }
  static var positionals: [Positional<Options>] {
    [.required(.pluginIndexName, into: \.name, help: "Name of the index")]
  }
  static var examples: [ExampleSchema] { [ExampleSchema("plugin index remove local", "remove an index")] }
  static var shape: OutputSchema? { .one(ChangedItem.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let name = options.name.value
    _ = try session.plugins.registry
    guard try PluginRecords(session.store).indexes().contains(where: { $0.name == name }) else {
      throw IndexCatalog.missing(name)
    }
    if session.options.isDryRun { return session.dryRun(change: "Would remove index '\(name)'.") }
    try PluginRecords(session.store).removeIndex(name)
    session.console.note("Removed index '\(name)'.")
    return .changed(ChangedItem(name), in: session)
  }
}

/// An index in the store.
struct IndexRow: OutputRecord {
  let stored: StoredPluginIndex
  /// Nil if its document cannot be read.
  let index: PluginIndex?
  var problem: String?

  init(_ stored: StoredPluginIndex) {
    self.stored = stored
    do throws(PluginContentsError) { index = try PluginIndex(parsing: stored.document) } catch {
      (index, problem) = (nil, error.description)
    }
  }

  static let fields: Fields = [
    Field("name", "The name that you gave it", column: "NAME", overflow: .keep) { $0.stored.name },
    Field("title", "The name that it gives itself", column: "TITLE", style: .foreign) { $0.index?.name },
    Field("location", "The URL or path that it is fetched from", column: "LOCATION") { $0.stored.location },
    Field("header", "The file or the command that the header for its requests comes from; null without a header") {
      $0.stored.header?.text
    },
    Field("plugins", "The number of plugins that it lists", column: "PLUGINS") { row in
      row.index.map { Set($0.entries.map(\.name)).count }
    },
    Field("requires_signatures", "Whether it requires signed plugins", column: "SIGNED") {
      $0.index?.requiresSignatures
    },
    Field("updated_at", "The time of its last update", column: "UPDATED", style: .past) { $0.stored.updatedAt },
    Field("problem", "Why it cannot be used, or was not updated", column: "PROBLEM") { $0.problem },
  ]
}

extension SecretSource {
  fileprivate var text: String {
    switch self {
    case .file(let path): path
    case .command(let commandLine): commandLine.map { ShellWord.quoted($0) }.joined(separator: " ")
    }
  }
}

enum IndexUpdate: Command {
  struct Options: CommandOptions {
    var names: [String] = []
  }

  static let name = "update"
  static let summary = "Fetch the indexes of plugins again"
  static var discussion: [String] {
    ["If an index cannot be fetched or is not valid, the stored one is kept."]
  }
  static var positionals: [Positional<Options>] {
    [.many(.pluginIndexName, into: \.names, help: "Update only these indexes")]
  }
  static var examples: [ExampleSchema] { [ExampleSchema("plugin index update", "fetch all indexes")] }
  static var shape: OutputSchema? { .many(IndexRow.self).report }

  static func run(_ options: Options, in session: Session) throws -> Output {
    _ = try session.plugins.registry
    let all = try PluginRecords(session.store).indexes()
    if let unknown = options.names.first(where: { name in !all.contains { $0.name == name } }) {
      throw IndexCatalog.missing(unknown)
    }
    let selected = all.filter { options.names.isEmpty || options.names.contains($0.name) }
    if session.options.isDryRun {
      let names = selected.map(\.name).joined(separator: ", ")
      return session.dryRun(change: selected.isEmpty ? nil : "Would fetch \(names).")
    }
    let failures = BatchFailures(of: selected.count)
    var rows: [IndexRow] = []
    for index in selected {
      let problem = try failures.attempt(index.name) {
        let location = try IndexLocation(parsing: index.location)
        let fetched = try IndexFetch(session: session).index(
          named: index.name, at: location, header: index.header)
        try PluginRecords(session.store).save(fetched)
        rows.append(IndexRow(fetched))
      }
      if let problem {
        var row = IndexRow(index)
        row.problem = problem.summary
        rows.append(row)
      }
    }
    var output = Output.rows(rows)
    output.isChange = true
    output.verdict = { try failures.evaluate() }
    return output
  }
}

struct IndexFetch {
  let session: Session

  /// - Throws: ``Problem`` if the index cannot be fetched or is not valid.
  func index(
    named name: String, at location: IndexLocation, header source: SecretSource? = nil
  ) throws -> StoredPluginIndex {
    let document: [UInt8]
    switch location {
    case .url(let url):
      let header = try source.map { try IndexHeader(session: session).header(from: $0, of: name) }
      document = try PluginDownload(session: session, header: header).file(url, limit: PluginIndex.sizeLimit)
    case .file(let path):
      do throws(SystemError) {
        document = try session.world.files.readRegular(path, limit: PluginIndex.sizeLimit)
      } catch {
        throw Problem(
          .notFound, "index '\(name)' cannot be read", reason: error.description, hint: "Pass the path of a JSON file.")
      }
    }
    do throws(PluginContentsError) { _ = try PluginIndex(parsing: document) } catch {
      throw Problem(
        .badResponse, "\(location) is not a valid index of plugins", reason: error.description,
        hint: "Ask its publisher; see ifttt-plugin(5).")
    }
    return StoredPluginIndex(
      name: name, location: location.description, header: source, updatedAt: session.world.clock.now(),
      document: document)
  }
}
