import HTTP
import PluginProtocol
import Plugins
import Session
import Store
import Text

/// An index that the user has added.
struct AddedIndex {
  let name: String
  let location: IndexLocation
  let header: StoredPluginIndex.HeaderSource?
  let index: PluginIndex
}

/// An entry of an index.
struct IndexedPlugin {
  let index: AddedIndex
  let entry: IndexEntry
}

/// The indexes as last fetched. Nothing here uses the network.
struct IndexCatalog {
  private let indexes: [AddedIndex]

  /// - Throws: `refused` if a stored index cannot be read.
  init(in session: Session) throws {
    indexes = try session.store.pluginIndexes().map { stored in
      do {
        return AddedIndex(
          name: stored.name, location: try IndexLocation(parsing: stored.location), header: stored.header,
          index: try PluginIndex(parsing: stored.document))
      } catch {
        throw Problem(
          .refused, "index '\(stored.name)' cannot be used", reason: String(describing: error),
          hint: "Run: \(ifttt: "plugin index update \(stored.name)")")
      }
    }
  }

  var isEmpty: Bool { indexes.isEmpty }

  /// The newest version of each plugin for this platform, in each index.
  func newest() -> [IndexedPlugin] {
    indexes.flatMap { index in
      var seen: Set<PluginName> = []
      return index.index.entries.filter { seen.insert($0.name).inserted }.compactMap { listed in
        index.index.entry(named: listed.name, for: .current).map { IndexedPlugin(index: index, entry: $0) }
      }
    }
  }

  /// - Parameters:
  ///   - version: the exact version; nil for the newest one that is not a pre-release.
  ///   - only: the name of the only index to search; nil for all.
  /// - Throws: `not_found` if no index has it, `refused` if several have it.
  func plugin(_ name: PluginName, version: String?, in only: String?) throws -> IndexedPlugin {
    let searched = indexes.filter { only == nil || $0.name == only }
    guard !searched.isEmpty else {
      throw only.map { Self.missing($0) }
        ?? Problem(
          .notFound, "no plugin '\(name)'", reason: "there is no such file or folder, and no index was added",
          hint: "Pass a path or URL, or add an index: \(ifttt: "plugin index add NAME LOCATION")")
    }
    let found = searched.compactMap { index in
      index.index.entry(named: name, version: version, for: .current).map { IndexedPlugin(index: index, entry: $0) }
    }
    guard let first = found.first else { throw missing(name, version, in: searched) }
    guard found.count == 1 else {
      throw Problem(
        .refused, "several indexes have plugin '\(name)'",
        reason: found.map { "\($0.index.name) has version \($0.entry.version)" }.joined(separator: "; "),
        hint: "Choose one: \(ifttt: "plugin install \(name.description) --index \(first.index.name)")")
    }
    return first
  }

  static func missing(_ index: String) -> Problem {
    Problem(.notFound, "no index '\(index)'", hint: "See \(ifttt: "plugin index list").")
  }

  private func missing(_ name: PluginName, _ version: String?, in searched: [AddedIndex]) -> Problem {
    let same = searched.flatMap(\.index.entries).filter { $0.name == name }
    let fitting = same.filter { [PluginPlatform.current, .any].contains($0.platform) }
    let reason: String? =
      if same.isEmpty {
        nil
      } else if fitting.isEmpty {
        "no version is for \(PluginPlatform.current)"
      } else if version != nil {
        "the indexes have \(fitting.map(\.version).joined(separator: ", "))"
      } else {
        "the indexes have only pre-releases: \(fitting.map(\.version).joined(separator: ", "))"
      }
    return Problem(
      .notFound,
      version.map { "no version \($0) of plugin '\(name)' in an index" } ?? "no plugin '\(name)' in an index",
      reason: reason, hint: "Search with \(ifttt: "plugin search"), or name a version: NAME@VERSION.")
  }
}
