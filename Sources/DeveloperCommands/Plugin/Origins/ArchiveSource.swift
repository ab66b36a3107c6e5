import HTTP
import PluginProtocol
import Plugins
import Session
import Store
import Text
import World

/// An archive of a plugin, on this machine or on a web server, with the signature beside it.
struct ArchiveSource {
  let location: IndexLocation
  let session: Session
  /// A header that the server of an index demands.
  var header: Header?

  /// The name of the archive's file.
  var name: String {
    switch location {
    case .url(let url): url.fileName ?? ""
    case .file(let path): String(path.split(separator: "/").last ?? "")
    }
  }

  /// - Throws: `usage` if the name is not that of an archive.
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

  /// Reads and checks the archive, and the signature that lies beside it.
  /// - Parameter sha256: the expected checksum; nil to accept any.
  func contents(sha256 expected: String?) throws -> (package: PluginPackage, sha256: String, PluginSignature) {
    let format = try format
    let bytes = try read()
    let sha256 = SHA256.hexadecimal(bytes)
    if let expected, expected != sha256 {
      throw Problem(
        .refused, "\(name) has a different SHA-256 than expected", reason: "expected \(expected), but it has \(sha256)",
        hint: "Do not install it. Ask the publisher which checksum is right.")
    }
    let signature = try SignatureCheck(session: session).signature(of: bytes, named: name, readSignature())
    return (try PluginPackage(format.files(in: bytes)), sha256, signature)
  }

  private func read() throws -> [UInt8] {
    switch location {
    case .url(let url):
      return try PluginDownload(session: session, header: header).file(url, limit: PluginArchive.sizeLimit)
    case .file(let path): return try session.pluginFile(path, limit: PluginArchive.sizeLimit)
    }
  }

  private func readSignature() throws -> [UInt8]? {
    let limit = SignatureFile.sizeLimit
    switch location {
    case .url(let url):
      var beside = url
      beside.path += SignatureFile.suffix
      return try PluginDownload(session: session, header: header).optionalFile(beside, limit: limit)
    case .file(let path):
      let beside = path + SignatureFile.suffix
      guard (try? session.world.files.facts(beside)) != nil else { return nil }
      return try session.pluginFile(beside, limit: limit)
    }
  }
}

extension Session {
  /// Reads a file of a plugin that the user named.
  func pluginFile(_ path: String, limit: Int) throws -> [UInt8] {
    do throws(SystemError) { return try world.files.readRegular(path, limit: limit) } catch {
      guard !world.interruption.isInterrupted else { throw Problem.interrupted }
      throw PluginContentsError(error.description)
    }
  }
}

extension SHA256 {
  /// The hash in lowercase hexadecimal digits.
  static func hexadecimal(_ bytes: [UInt8]) -> String {
    hash(bytes).map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
  }
}
