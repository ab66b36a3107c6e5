import Output
import Plugins
import Session
import Store
import Text
import World

/// An index that was added.
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
    Field("requires_signatures", "Whether it demands that plugins are signed", column: "SIGNED") {
      $0.index?.requiresSignatures
    },
    Field("updated_at", "The time of its last update", column: "UPDATED") { $0.stored.updatedAt },
    Field("problem", "Why it cannot be used, or was not updated", column: "PROBLEM") { $0.problem },
  ]
}

extension StoredPluginIndex.HeaderSource {
  fileprivate var text: String {
    switch self {
    case .file(let path): path
    case .command(let words): words.map { ShellWord.quoted($0) }.joined(separator: " ")
    }
  }
}
