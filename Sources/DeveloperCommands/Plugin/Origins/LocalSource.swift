import PluginProtocol
import Plugins
import Session
import Store
import Text
import World

/// A plugin on this machine: its folder, its executable or manifest, or an archive of its folder.
struct LocalSource {
  let path: String
  let session: Session
  /// The command that reads the plugin, for hints.
  var command = ["plugin", "install"]

  private var files: any Files { session.world.files }
  /// The path, resolved against the working folder.
  private var resolvedPath: String { session.world.path(path) }

  /// Reads the whole plugin without writing anything.
  /// - Parameter sha256: the expected checksum of an archive; nil to accept any.
  /// - Throws: `not_found` if nothing exists at the path; ``ManifestError`` and ``PluginContentsError`` if it is not
  ///   a valid plugin.
  func candidate(sha256: String?) throws -> PluginCandidate {
    var provenance = PluginProvenance(.path, (try? session.world.absolutePath(path)) ?? path)
    // The dot at the end makes the call follow a symbolic link to a folder.
    let isFolder = (try? files.status(resolvedPath + "/."))?.kind == .folder
    if !isFolder {
      do throws(SystemError) { _ = try files.status(resolvedPath) } catch {
        throw Problem(
          .notFound, "no plugin at \(path)", reason: error.description, hint: hint)
      }
      if PluginArchive(fileName: path) != nil || PluginArchive.unsupportedKind(fileName: path) != nil {
        let archive = try ArchiveSource(location: .file(resolvedPath), session: session).contents(sha256: sha256)
        provenance.archiveSHA256 = archive.sha256
        return PluginCandidate(archive.package, origin: path, provenance, signature: archive.signature)
      }
    }
    if sha256 != nil {
      throw Problem(.usage, "--sha256 is the checksum of an archive, and \(path) is not an archive")
    }
    return PluginCandidate(isFolder ? try wholeFolder() : try executableAndManifest(), origin: path, provenance)
  }

  private func wholeFolder() throws -> PluginPackage {
    // If the manifest is invalid, `PluginPackage` reports it together with all other problems.
    if let manifest = try? Manifest(inFolder: resolvedPath, files) {
      try BuiltExecutable(path: path, session: session).check(for: manifest, in: resolvedPath, by: command)
    }
    return try PluginPackage(folder: resolvedPath, in: files)
  }

  /// The hint for a path that does not exist. The path may be a repository in the notation of another program.
  private var hint: Hint {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let isPlain = path.utf8.allSatisfy { byte in
      byte != UInt8(ascii: "@") && byte > 0x20 && byte < 0x7f && !#"\'"$`;&|<>(){}[]*?!#~:"#.utf8.contains(byte)
    }
    if isPlain, parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") && !$0.hasPrefix("-") }) {
      if parts.count == 2 {
        return "If it is a repository at GitHub, run: \(ifttt: "plugin install \("git+https://github.com/\(path)")")"
      }
      if parts.count > 2, parts[0].contains(".") {
        return "If it is a Git repository, run: \(ifttt: "plugin install \("git+https://\(path)")")"
      }
    }
    // The notation of ssh and scp: USER@HOST:PATH.
    if let colon = path.firstIndex(of: ":"), path[..<colon].contains("@"),
      let git = try? GitReference(parsing: "git+ssh://\(path[..<colon])/\(path[path.index(after: colon)...])")
    {
      return "If it is a Git repository, run: \(ifttt: "plugin install \("git+\(git.repository)")")"
    }
    return "Pass a folder or an archive."
  }

  /// The package of a plugin whose executable or manifest is at the path. It contains only these two files, because the
  /// folder may contain unrelated files.
  private func executableAndManifest() throws -> PluginPackage {
    let slash = resolvedPath.utf8.lastIndex(of: UInt8(ascii: "/"))
    let name = slash.map { String(resolvedPath[resolvedPath.utf8.index(after: $0)...]) } ?? resolvedPath
    let folder =
      slash.map { $0 == resolvedPath.startIndex ? "/" : String(resolvedPath[..<$0]) } ?? session.world.workingFolder
    let manifest = try Manifest(inFolder: folder, files)
    guard name == manifest.executable || name == Manifest.fileName else {
      throw PluginContentsError("the manifest in its folder is for '\(manifest.executable)', not for '\(name)'")
    }
    try BuiltExecutable(path: folder, session: session).check(for: manifest, in: folder, by: command)
    return try PluginPackage(folder: folder, only: [Manifest.fileName, manifest.executable], in: files)
  }
}

/// The check that a plugin's folder contains its executable. Plugins in compiled languages must be built first.
struct BuiltExecutable {
  /// The build script of the templates in compiled languages, and the folder that it creates.
  private static let script = "make-plugin"
  private static let product = "plugin"

  /// The folder as it was typed.
  let path: String
  let session: Session

  /// - Parameter command: the command that needs the plugin, such as `plugin link`.
  /// - Throws: ``Problem`` if the executable is missing.
  func check(for manifest: Manifest, in folder: String, by command: [String]) throws {
    let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    func exists(_ name: String) -> Bool { session.world.files.exists("\(folder)/\(name)") }
    guard !exists(manifest.executable) else { return }
    guard exists(Self.script) else {
      throw Problem(
        .pluginFailed, "the executable of plugin '\(manifest.name)' is missing",
        reason: "there is no '\(manifest.executable)' in \(path)",
        hint: "Create it, or name another file in 'executable' in plugin.json.")
    }
    let product = "\(path)/\(Self.product)"
    guard exists("\(Self.product)/\(manifest.executable)"), exists("\(Self.product)/\(Manifest.fileName)") else {
      throw Problem(
        .pluginFailed, "plugin '\(manifest.name)' is not built",
        reason: "there is no '\(manifest.executable)' in \(path)",
        hint: """
          Build it with \(shell: "\(path: "\(path)/\(Self.script)")"), \
          then: \(ifttt: "\(command: command) \(path: product)")
          """)
    }
    throw Problem(
      .pluginFailed, "this is the folder of the source code of plugin '\(manifest.name)'",
      reason: "there is no '\(manifest.executable)' in \(path)",
      hint: "Pass the folder that was built: \(ifttt: "\(command: command) \(path: product)")")
  }
}

extension Problem {
  /// The problem of a plugin whose manifest is missing or invalid, with all errors in the manifest.
  /// - Parameter folder: the folder that should contain the manifest; nil if the manifest is known to exist.
  static func invalidManifest(
    _ message: String, _ error: ManifestError, in folder: String? = nil, _ files: (any Files)? = nil
  ) -> Problem {
    if let folder, let files, !files.exists("\(folder)/\(Manifest.fileName)") {
      return Problem(
        .pluginFailed, message, reason: "there is no \(Manifest.fileName) in \(folder)",
        hint: "Create a plugin with \(ifttt: "plugin new NAME"), or pass the folder of another one.")
    }
    let hint: Hint = "See ifttt-plugin(5); for checks in an editor: \(ifttt: "schema plugin-manifest")"
    guard error.problems.count > 1 else {
      return Problem(.pluginFailed, "\(message): its manifest is invalid", reason: error.description, hint: hint)
    }
    return Problem(
      .pluginFailed, "\(message): its manifest has \(error.problems.count) problems", hint: hint,
      details: error.problems.map { Problem.Detail(parameter: nil, message: $0) })
  }
}
