import CommandLine
import PluginProtocol
import Plugins
import Session
import Text
import World

/// An archive that was written, with its entry for an index.
private struct PackageRow: OutputRecord {
  let entry: IndexEntry
  let archive: String
  let signature: String?
  let size: Int

  static let fields: Fields = [
    Field("name", "The plugin's name", column: "NAME") { $0.entry.name.description },
    Field("version", "The plugin's version", column: "VERSION") { $0.entry.version },
    Field("summary", "The plugin's description of itself") { $0.entry.summary },
    Field("platform", "The platform that the archive is for", column: "PLATFORM") { $0.entry.platform.description },
    Field("url", "The archive's URL, relative to the index", column: "URL") { $0.entry.url },
    Field("sha256", "The SHA-256 of the archive", column: "SHA-256") { $0.entry.sha256 },
    Field("content_sha256", "The SHA-256 of the plugin's files", column: "CONTENT SHA-256") { $0.entry.contentSHA256 },
    Field("archive", "The path of the archive", column: "ARCHIVE") { $0.archive },
    Field("signature", "The path of the signature; null if it is not signed", column: "SIGNATURE") { $0.signature },
    Field("size", "The size of the archive in bytes", column: "BYTES") { $0.size },
  ]
}

enum PluginPackaging: Command {
  struct Options: CommandOptions {
    var path = Required<String>()
    var platform: PluginPlatform?
    var folder = "."
    var index: String?
    var key: String?
  }

  static let name = "package"
  static let summary = "Create an archive of a plugin for publication"
  static var discussion: [String] {
    [
      """
      Writes NAME-VERSION-PLATFORM.tar.gz, adds it to the SHA256SUMS beside it, and prints its entry for an index. \
      With --index, the entry is added to that file, which is created if it does not exist. Upload the files to any \
      web server. The same files always produce the same archive. An archive that exists with other contents is not replaced, because \
      a published version must not change.
      """,
      """
      --sign also writes a signature to the archive's name with .sig. It runs 'ssh-keygen -Y sign' in the namespace \
      ifttt-plugin. KEY is the path of an SSH private key, or of a public key whose private key is in ssh-agent.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .value(
        "platform", .platform, into: \.platform, defaultText: "any; for a native executable, this platform",
        help: "Platform of the archive"),
      .value("directory", .directory, into: \.folder, defaultText: "the current folder", help: "Folder to write to"),
      .value("index", .file, into: \.index, help: "Index to add the entry to"),
      .value("sign", .nonEmpty("KEY", completion: .file), into: \.key, help: "SSH key to sign the archive with"),
    ]
  }
  static var positionals: [Positional<Options>] {
    [.required(.directory.named("PATH"), into: \.path, help: "Folder of the plugin")]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("plugin package ./ifttt-hello", "create an archive"),
      ExampleSchema("plugin package ./ifttt-hello --index index.json", "also add it to an index"),
      ExampleSchema("plugin package ./ifttt-hello --sign id_ed25519", "also sign it"),
    ]
  }
  static var shape: OutputSchema? { .one(PackageRow.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let source = LocalSource(path: options.path.value, session: session, command: ["plugin", "package"])
    let package = try source.candidate(sha256: nil).package
    try check(package, in: session)
    var publication = try PluginPublication(of: package, for: options.platform, in: options.folder, session: session)
    publication.index = options.index
    try publication.check()
    if session.options.isDryRun { return session.dryRun(change: "Would write \(publication.archive).") }
    if let key = options.key {
      publication.signature = try ArchiveSigning(key: key, session: session).signature(of: publication.bytes)
    }
    try publication.write()
    let signature = publication.signature == nil ? nil : publication.archive + SignatureFile.suffix
    return .one(
      PackageRow(
        entry: try publication.entry, archive: publication.archive, signature: signature, size: publication.bytes.count)
    )
  }

  /// - Throws: ``Problem`` for a plugin that this version of the program could not install.
  private static func check(_ package: PluginPackage, in session: Session) throws {
    let manifest = package.manifest
    var reason =
      session.plugins.discovery.problem(ofName: manifest.name.description)
      ?? session.plugins.discovery.reserved.problem(of: manifest)?.description
    if reason == nil {
      do throws(ManifestError) { try package.rejectUnknownMembers() } catch { reason = error.description }
    }
    guard let reason else { return }
    throw Problem(
      .pluginFailed, "plugin '\(manifest.name)' could not be installed", reason: reason,
      hint: "Fix this in its plugin.json; see ifttt-plugin(5).")
  }
}

extension ValueKind<PluginPlatform> {
  fileprivate static var platform: ValueKind {
    .parsed(
      "PLATFORM",
      completion: .choices(([.any] + PluginPlatform.known).map { Choice($0.description, nil) }),
      expected: "a platform such as linux-x86_64, linux-aarch64, macos-arm64 or any"
    ) { PluginPlatform(parsing: $0) }
  }
}

/// The files of a published version: the archive, its signature, the list of checksums, and the index.
struct PluginPublication {
  private let package: PluginPackage
  private let platform: PluginPlatform
  private let folder: String
  private let session: Session
  /// The contents of the archive.
  let bytes: [UInt8]
  var signature: [UInt8]?
  /// The path of the index to add the entry to; nil for none.
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
        platform: platform, url: try relativeFolder() + name, sha256: SHA256.hash(bytes).hex,
        contentSHA256: package.sha256)
    }
  }

  /// Performs all checks that can fail, so that they fail before a file is written.
  func check() throws {
    if let existing = try read(archive, limit: PluginArchive.sizeLimit), existing != bytes {
      throw Problem(
        .refused, "\(archive) exists with other contents", reason: "a published version must not change",
        hint: "Increase 'version' in plugin.json; if this version was never published, remove the file.")
    }
    _ = try (checksums(), newIndex())
  }

  /// Writes the files. The index is last, because it refers to the others.
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
    let (indexFolder, ownFolder) = (try segments(index).dropLast(), try segments(folder))
    guard ownFolder.starts(with: indexFolder) else {
      throw Problem(
        .usage, "the archive is not below the folder of the index",
        reason: "\(folder) is not in the folder of \(index)",
        hint: "Pass --directory with the index's folder, or one below it.")
    }
    return ownFolder.dropFirst(indexFolder.count).map { "\($0)/" }.joined()
  }

  /// The segments of an absolute path.
  private func segments(_ path: String) throws -> [Substring] {
    try session.world.absolutePath(path).split(separator: "/").filter { $0 != "." }
  }

  private func checksums() throws -> ChecksumList {
    let path = "\(folder)/\(ChecksumList.fileName)"
    var list = try read(path, limit: ChecksumList.sizeLimit).map { try ChecksumList(parsing: $0) } ?? ChecksumList()
    list.set(name, SHA256.hash(bytes).hex)
    return list
  }

  private func newIndex() throws -> [UInt8]? {
    guard let index else { return nil }
    let (existing, entry) = try (read(session.world.path(index), limit: PluginIndex.sizeLimit), entry)
    do throws(PluginContentsError) {
      return try PluginIndex.adding(entry, to: existing, named: "plugins")
    } catch {
      throw Problem(
        .refused, "the entry cannot be added to \(index)", reason: error.description, hint: "See ifttt-plugin(5).")
    }
  }

  private func read(_ path: String, limit: Int) throws -> [UInt8]? {
    guard files.exists(path) else { return nil }
    return try files.readRegular(path, limit: limit)
  }
}

extension PluginPackage {
  /// The platform of the executable: the current one if it is native, any if it is a script.
  fileprivate var platform: PluginPlatform {
    let bytes = files.first { $0.path == manifest.executable }?.bytes ?? []
    // ELF and the variants of Mach-O.
    let magicNumbers: [[UInt8]] = [
      [0x7f, 0x45, 0x4c, 0x46], [0xcf, 0xfa, 0xed, 0xfe], [0xce, 0xfa, 0xed, 0xfe], [0xca, 0xfe, 0xba, 0xbe],
    ]
    return magicNumbers.contains { bytes.starts(with: $0) } ? .current : .any
  }
}
