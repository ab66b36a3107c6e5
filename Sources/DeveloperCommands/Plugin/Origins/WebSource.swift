import HTTP
import Plugins
import Session
import Store
import Text

/// An archive at a URL that the user named.
struct WebSource {
  let url: WebURL
  let session: Session

  /// - Parameter sha256: the checksum that the user named; nil to use the list of checksums beside the archive.
  func candidate(sha256: String?) throws -> PluginCandidate {
    _ = try ArchiveSource(location: .url(url), session: session).format
    return try candidate(matching: sha256 ?? listedChecksum(), isPinned: sha256 != nil)
  }

  /// - Parameter isPinned: whether the user named the checksum.
  func candidate(matching sha256: String, isPinned: Bool) throws -> PluginCandidate {
    let archive = try ArchiveSource(location: .url(url), session: session).contents(sha256: sha256)
    var provenance = PluginProvenance(.url, url.wire)
    (provenance.archiveSHA256, provenance.isPinned) = (archive.sha256, isPinned)
    // A query may hold a token, which is needed for upgrades, but is neither shown nor written to a lock file.
    var shown = url
    shown.query = []
    return PluginCandidate(archive.package, origin: shown.wire, provenance, signature: archive.2)
  }

  /// The checksum that the publisher's `SHA256SUMS` lists. It proves that the download is complete and unchanged, not
  /// who made it: it comes from the same server.
  /// - Throws: `refused` if there is none.
  func listedChecksum() throws -> String {
    let list = url.sibling(ChecksumList.fileName)
    let name = url.fileName ?? ""
    guard let bytes = try PluginDownload(session: session).optionalFile(list, limit: ChecksumList.sizeLimit) else {
      throw unknownChecksum("there is no \(list.redacted), and --sha256 was not passed")
    }
    do throws(PluginContentsError) {
      guard let sha256 = try ChecksumList(parsing: bytes)[name] else {
        throw PluginContentsError("\(list.redacted) does not list \(name)")
      }
      return sha256
    } catch {
      throw unknownChecksum(error.description)
    }
  }

  private func unknownChecksum(_ reason: String) -> Problem {
    Problem(
      .refused, "the checksum of \(url.redacted) is unknown", reason: reason,
      hint: "Get the SHA-256 from the publisher and pass it with --sha256.")
  }
}
