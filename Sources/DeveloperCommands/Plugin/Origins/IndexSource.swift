import HTTP
import PluginProtocol
import Plugins
import Session
import Store
import Text

/// A version of a plugin that an index lists.
struct IndexSource {
  let found: IndexedPlugin
  let session: Session

  /// Fetches the archive and compares it with the index.
  func candidate() throws -> PluginCandidate {
    let entry = found.entry
    let location: IndexLocation
    do throws(WebURLError) { location = try found.index.location.archive(at: entry.url) } catch {
      throw Problem(.refused, "index '\(found.index.name)' names a URL that is not accepted", reason: error.description)
    }
    let archive = try ArchiveSource(location: location, session: session, header: header(for: location))
      .contents(sha256: entry.sha256)
    let manifest = archive.package.manifest
    for (fact, listed, actual) in [
      ("name", entry.name.description, manifest.name.description), ("version", entry.version, manifest.version),
      ("content SHA-256", entry.contentSHA256, archive.package.sha256),
    ] where listed != actual {
      throw Problem(
        .refused, "\(entry.name) \(entry.version) is not what index '\(found.index.name)' lists",
        reason: "its \(fact) is \(actual), but the index lists \(listed)", hint: "Ask the publisher of the index.")
    }
    var provenance = PluginProvenance(.index, location.description)
    (provenance.index, provenance.archiveSHA256) = (found.index.name, archive.sha256)
    return PluginCandidate(
      archive.package, origin: location.description, provenance, signature: archive.2,
      needsSignature: found.index.index.requiresSignatures)
  }

  /// The header of the index, if the archive is on the same server; nil without one.
  private func header(for location: IndexLocation) throws -> Header? {
    guard let source = found.index.header, case .url(let url) = location, case .url(let own) = found.index.location,
      url.origin == own.origin
    else { return nil }
    return try IndexHeader(session: session).header(from: source, of: found.index.name)
  }
}
