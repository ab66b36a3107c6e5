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
  struct Options: Sendable {
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
      Writes NAME-VERSION-PLATFORM.tar.gz, adds it to the SHA256SUMS beside it, and prints its entry for an index. With \
      --index, the entry is added to that file, which is created if it does not exist. Upload the files to any web \
      server. Equal files give equal archives. An archive that exists with other contents is not replaced, because a \
      published version must not change.
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
      .value("directory", .directory, into: \.folder, defaultText: ".", help: "Folder to write to"),
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
  static func defaults() -> Options { Options() }

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

  /// - Throws: ``Problem`` for a plugin that no user of this version could install.
  private static func check(_ package: PluginPackage, in session: Session) throws {
    let manifest = package.manifest
    var reason =
      session.plugins.problem(ofName: manifest.name.description)
      ?? session.plugins.reserved.problem(of: manifest)?.description
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
