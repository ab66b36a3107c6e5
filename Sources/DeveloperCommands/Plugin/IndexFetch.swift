import HTTP
import Plugins
import Session
import Store
import Text
import World

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
