import CommandLine
import HTTP
import Plugins
import Session
import Store
import Text
import World

enum IndexUpdate: Command {
  struct Options: Sendable {
    var names: [String] = []
  }

  static let name = "update"
  static let summary = "Fetch the indexes of plugins again"
  static var discussion: [String] {
    ["An index that cannot be fetched, or is not valid, stays as it was."]
  }
  static var positionals: [Positional<Options>] {
    [.many(.pluginIndexName, into: \.names, help: "Update only these indexes")]
  }
  static var examples: [ExampleSchema] { [ExampleSchema("plugin index update", "fetch all indexes")] }
  static var shape: OutputSchema? { .many(IndexRow.self) }
  static func defaults() -> Options { Options() }

  static func run(_ options: Options, in session: Session) throws -> Output {
    _ = try session.pluginRegistry
    let all = try session.store.pluginIndexes()
    if let unknown = options.names.first(where: { name in !all.contains { $0.name == name } }) {
      throw IndexCatalog.missing(unknown)
    }
    let chosen = all.filter { options.names.isEmpty || options.names.contains($0.name) }
    if session.options.isDryRun {
      let names = chosen.map(\.name).joined(separator: ", ")
      return session.dryRun(change: chosen.isEmpty ? nil : "Would fetch \(names).")
    }
    let failures = BatchFailures(of: chosen.count)
    var rows: [IndexRow] = []
    for index in chosen {
      do {
        let location = try IndexLocation(parsing: index.location)
        let fresh = try IndexFetch(session: session).index(
          named: index.name, at: location, header: index.header)
        try session.store.savePluginIndex(fresh)
        rows.append(IndexRow(fresh))
      } catch {
        let problem = Problem.from(error)
        guard problem.code != .interrupted else { throw problem }
        failures.add(problem, of: index.name)
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

/// Fetches and checks an index.
struct IndexFetch {
  let session: Session

  /// - Throws: ``Problem`` if it cannot be fetched or is not valid.
  func index(
    named name: String, at location: IndexLocation, header source: StoredPluginIndex.HeaderSource? = nil
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
