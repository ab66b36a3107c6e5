import PluginProtocol
import Plugins
import Session
import Text
import World

/// The files of a published version: the archive, its signature, the list of checksums, and the index.
struct PluginPublication {
  private let package: PluginPackage
  private let platform: PluginPlatform
  private let folder: String
  private let session: Session
  /// The archive.
  let bytes: [UInt8]
  var signature: [UInt8]?
  /// The path of the index; nil for none.
  var index: String?
  private var files: any Files { session.world.files }

  /// - Parameter platform: nil to derive it from the executable.
  init(of package: PluginPackage, for platform: PluginPlatform?, in folder: String, session: Session) throws {
    (self.package, self.session) = (package, session)
    self.platform = platform ?? package.platform
    self.folder = session.world.path(folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder)
    let manifest = package.manifest
    // The version is part of file names and URLs.
    guard manifest.version.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && !"/\\%?#:\"'".utf8.contains($0) }) else {
      throw PluginContentsError("its version '\(manifest.version)' cannot be part of a file name")
    }
    let tar = try TarWriter.archive(of: package.files, in: "\(manifest.name)-\(manifest.version)")
    guard let compressed = GzipWriter.compress(tar) else { throw PluginContentsError("there is not enough memory") }
    bytes = compressed
  }

  private var name: String { "\(package.manifest.name)-\(package.manifest.version)-\(platform).tar.gz" }
  /// The path of the archive.
  var archive: String { "\(folder)/\(name)" }

  /// The entry for an index.
  var entry: IndexEntry {
    get throws {
      IndexEntry(
        name: package.manifest.name, version: package.manifest.version, summary: package.manifest.summary,
        platform: platform, url: try relativeFolder() + name, sha256: SHA256.hexadecimal(bytes),
        contentSHA256: package.sha256)
    }
  }

  /// Checks everything that could fail before a file is written.
  func check() throws {
    if let present = try read(archive, limit: PluginArchive.sizeLimit), present != bytes {
      throw Problem(
        .refused, "\(archive) exists with other contents", reason: "a published version must not change",
        hint: "Increase 'version' in plugin.json; if this version was never published, remove the file.")
    }
    _ = try (checksums(), newIndex())
  }

  /// Writes the files. The index is last, because it names the others.
  func write() throws {
    let (checksums, newIndex) = try (checksums(), newIndex())
    try files.makeFolder(folder)
    try files.replace(archive, with: bytes, mode: 0o644)
    if let signature { try files.replace(archive + SignatureFile.suffix, with: signature, mode: 0o644) }
    try files.replace("\(folder)/\(ChecksumList.fileName)", with: checksums.bytes, mode: 0o644)
    if let index, let newIndex { try files.replace(session.world.path(index), with: newIndex, mode: 0o644) }
  }

  /// The path from the index's folder to the archive's, with a slash at the end; empty if they are the same.
  private func relativeFolder() throws -> String {
    guard let index else { return "" }
    let (base, own) = (try absolute(index).dropLast(), try absolute(folder))
    guard own.starts(with: base) else {
      throw Problem(
        .usage, "the archive is not below the folder of the index",
        reason: "\(folder) is not in the folder of \(index)",
        hint: "Pass --directory with the index's folder, or one below it.")
    }
    return own.dropFirst(base.count).map { "\($0)/" }.joined()
  }

  /// The segments of a path.
  private func absolute(_ path: String) throws -> [Substring] {
    try session.world.absolutePath(path).split(separator: "/").filter { $0 != "." }
  }

  private func checksums() throws -> ChecksumList {
    let path = "\(folder)/\(ChecksumList.fileName)"
    var list = try read(path, limit: ChecksumList.sizeLimit).map { try ChecksumList(parsing: $0) } ?? ChecksumList()
    list.set(name, SHA256.hexadecimal(bytes))
    return list
  }

  private func newIndex() throws -> [UInt8]? {
    guard let index else { return nil }
    let (present, entry) = try (read(session.world.path(index), limit: PluginIndex.sizeLimit), entry)
    do throws(PluginContentsError) {
      return try PluginIndex.adding(entry, to: present, named: "plugins")
    } catch {
      throw Problem(
        .refused, "the entry cannot be added to \(index)", reason: error.description, hint: "See ifttt-plugin(5).")
    }
  }

  private func read(_ path: String, limit: Int) throws -> [UInt8]? {
    guard (try? files.facts(path)) != nil else { return nil }
    return try files.readRegular(path, limit: limit)
  }
}

extension PluginPackage {
  /// The platform of the executable: this one if it is native, any if it is a script.
  fileprivate var platform: PluginPlatform {
    let bytes = files.first { $0.path == manifest.executable }?.bytes ?? []
    // ELF and the variants of Mach-O.
    let marks: [[UInt8]] = [
      [0x7f, 0x45, 0x4c, 0x46], [0xcf, 0xfa, 0xed, 0xfe], [0xce, 0xfa, 0xed, 0xfe], [0xca, 0xfe, 0xba, 0xbe],
    ]
    return marks.contains { bytes.starts(with: $0) } ? .current : .any
  }
}
