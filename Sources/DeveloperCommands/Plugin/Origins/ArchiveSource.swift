import HTTP
import PluginProtocol
import Plugins
import Session
import Store
import Text
import World

/// An archive of a plugin, on this machine or on a web server, and its signature file.
struct ArchiveSource {
  let location: IndexLocation
  let session: Session
  /// A header that the server of an index requires.
  var header: Header?

  /// The archive's file name.
  var name: String {
    switch location {
    case .url(let url): url.fileName ?? ""
    case .file(let path): String(path.split(separator: "/").last ?? "")
    }
  }

  /// - Throws: `usage` if the file name does not have the extension of a supported archive.
  var format: PluginArchive {
    get throws {
      if let format = PluginArchive(fileName: name) { return format }
      throw rejection
    }
  }

  private var rejection: Problem {
    if let kind = PluginArchive.unsupportedKind(fileName: name) {
      return Problem(
        .usage, "\(location) is an archive of a kind that is not supported",
        reason: "\(kind) is not supported, but .tar, .tar.gz, .tgz and .zip are",
        hint: "Pack the plugin's folder with \(ifttt: "plugin package PATH").")
    }
    let hint: Hint =
      if case .url(let url) = location, url.scheme == "https", url.query.isEmpty, url.path.utf8.count > 1 {
        "Pass the URL of an archive. If it is a Git repository, run: \(ifttt: "plugin install \("git+\(url.wire)")")"
      } else {
        "Pass the URL of an archive, or git+URL for a Git repository."
      }
    return Problem(
      .usage, "\(location) is not an archive of a plugin",
      reason: "its name does not end in .tar, .tar.gz, .tgz or .zip", hint: hint)
  }

  /// Reads and verifies the archive and its signature file.
  /// - Parameter sha256: the expected checksum; nil to accept any.
  func contents(sha256 expected: String?) throws -> (package: PluginPackage, sha256: String, signature: PluginSignature)
  {
    let format = try format
    let bytes = try read()
    if let expected {
      let sha256 = SHA256.hash(bytes).hex
      guard expected == sha256 else {
        throw Problem(
          .refused, "\(name) has a different SHA-256 than expected",
          reason: "expected \(expected), but it has \(sha256)",
          hint: "Do not install it. Ask the publisher which checksum is right.")
      }
    }
    let signature = try SignatureCheck(session: session).signature(of: bytes, named: name, readSignature())
    let package = try PluginPackage(format.files(in: bytes))
    // A large archive that is rejected need not be hashed.
    return (package, expected ?? SHA256.hash(bytes).hex, signature)
  }

  private func read() throws -> [UInt8] {
    switch location {
    case .url(let url):
      return try PluginDownload(session: session, header: header).file(url, limit: PluginArchive.sizeLimit)
    case .file(let path): return try file(path, limit: PluginArchive.sizeLimit)
    }
  }

  private func readSignature() throws -> [UInt8]? {
    let limit = SignatureFile.sizeLimit
    switch location {
    case .url(let url):
      var signatureURL = url
      signatureURL.path += SignatureFile.suffix
      return try PluginDownload(session: session, header: header).optionalFile(signatureURL, limit: limit)
    case .file(let path):
      let signaturePath = path + SignatureFile.suffix
      guard session.world.files.exists(signaturePath) else { return nil }
      return try file(signaturePath, limit: limit)
    }
  }

  private func file(_ path: String, limit: Int) throws -> [UInt8] {
    do throws(SystemError) { return try session.world.files.readRegular(path, limit: limit) } catch {
      try session.world.checkInterruption()
      throw PluginContentsError(error.description)
    }
  }
}

/// An archive at a URL.
struct WebSource {
  let url: WebURL
  let session: Session

  /// - Parameter sha256: the checksum passed with `--sha256`; nil to use the list of checksums beside the archive.
  func candidate(sha256: String?) throws -> PluginCandidate {
    _ = try ArchiveSource(location: .url(url), session: session).format
    return try candidate(matching: sha256 ?? listedChecksum(), isPinned: sha256 != nil)
  }

  /// - Parameter isPinned: whether the checksum was passed with `--sha256`.
  func candidate(matching sha256: String, isPinned: Bool) throws -> PluginCandidate {
    let archive = try ArchiveSource(location: .url(url), session: session).contents(sha256: sha256)
    var provenance = PluginProvenance(.url, url.wire)
    (provenance.archiveSHA256, provenance.isPinned) = (archive.sha256, isPinned)
    // A query may hold a token, which is needed for upgrades, but is neither shown nor written to a lock file.
    var shown = url
    shown.query = []
    return PluginCandidate(archive.package, origin: shown.wire, provenance, signature: archive.signature)
  }

  /// The checksum in the publisher's `SHA256SUMS`. It proves that the download is complete and unchanged, but not who
  /// made it, because it comes from the same server.
  /// - Throws: `refused` if the list is missing or does not contain the archive.
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

/// Downloads archives and the files beside them. Redirects to other https hosts are followed; redirects from https to
/// http are not.
struct PluginDownload {
  let session: Session
  /// A header that the server of an index requires. A redirect to another server drops it.
  var header: Header?

  /// - Throws: ``Problem`` if the server does not respond with the file, or the file is larger than `limit` bytes.
  func file(_ url: WebURL, limit: Int) throws -> [UInt8] {
    let response = try response(to: url)
    guard response.status == 200 else { throw problem(response.status, url) }
    return try checked(response.body, url, limit: limit)
  }

  /// - Returns: nil if the file does not exist. Some servers respond to it with 403.
  func optionalFile(_ url: WebURL, limit: Int) throws -> [UInt8]? {
    let response = try response(to: url)
    if [403, 404, 410].contains(response.status) { return nil }
    guard response.status == 200 else { throw problem(response.status, url) }
    return try checked(response.body, url, limit: limit)
  }

  private func response(to url: WebURL) throws -> Response {
    // A server that compresses an archive once more would change its checksum.
    let headers = [Header("Accept", "*/*"), Header("Accept-Encoding", "identity")] + [header].compactMap(\.self)
    do throws(HTTPError) { return try session.network.downloads.send(Request(.get, url, headers: headers)) } catch {
      guard case .redirect(let reason) = error else { throw error }
      throw Problem(
        .badResponse, "\(url.redacted) was not downloaded", reason: reason,
        hint: "If you trust the other URL, pass it instead.")
    }
  }

  private func checked(_ body: [UInt8], _ url: WebURL, limit: Int) throws -> [UInt8] {
    guard body.count <= limit else {
      throw Problem(.badResponse, "\(url.redacted) is not used", reason: "it is larger than \(limit) bytes")
    }
    return body
  }

  private func problem(_ status: Int, _ url: WebURL) -> Problem {
    let kind = ErrorStatus(status)
    return Problem(
      kind == .other ? .badResponse : Problem.Code(kind), "\(url.redacted) was not downloaded",
      reason: "the server responded with \(status)",
      hint: [401, 403].contains(status)
        ? "Check the URL. For an index that needs a header, see \(ifttt: "help plugin index add")."
        : "Check the URL.", status: status)
  }
}

extension WebURL {
  /// The last segment of the path; nil if it cannot be the name of a file.
  var fileName: String? {
    let name = String(path.split(separator: "/", omittingEmptySubsequences: false).last ?? "")
    return name.isEmpty || name.utf8.contains(UInt8(ascii: "%")) ? nil : name
  }

  /// The URL of a file in the same folder.
  func sibling(_ name: String) -> WebURL {
    var sibling = self
    sibling.path = path[...(path.lastIndex(of: "/") ?? path.startIndex)] + name
    return sibling
  }
}
