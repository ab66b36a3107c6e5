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
  /// The command that reads it, which a hint repeats.
  var command = ["plugin", "install"]

  private var files: any Files { session.world.files }
  /// The path in the working folder.
  private var place: String { session.world.path(path) }

  /// Reads the whole plugin without writing anything.
  /// - Parameter sha256: the expected checksum of an archive; nil to accept any.
  /// - Throws: `not_found` if nothing exists at the path; ``ManifestError`` and ``PluginContentsError`` if it is not
  ///   a valid plugin.
  func candidate(sha256: String?) throws -> PluginCandidate {
    var provenance = PluginProvenance(.path, (try? session.world.absolutePath(path)) ?? path)
    // The dot follows a symbolic link that the user named.
    let isFolder = (try? files.facts(place + "/."))?.kind == .folder
    if !isFolder {
      do throws(SystemError) { _ = try files.facts(place) } catch {
        throw Problem(
          .notFound, "no plugin at \(path)", reason: error.description, hint: hint)
      }
      if PluginArchive(fileName: path) != nil || PluginArchive.unsupportedKind(fileName: path) != nil {
        let archive = try ArchiveSource(location: .file(place), session: session).contents(sha256: sha256)
        provenance.archiveSHA256 = archive.sha256
        return PluginCandidate(archive.package, origin: path, provenance, signature: archive.2)
      }
    }
    if sha256 != nil {
      throw Problem(.usage, "--sha256 is the checksum of an archive, and \(path) is not an archive")
    }
    return PluginCandidate(isFolder ? try wholeFolder() : try listedFiles(), origin: path, provenance)
  }

  private func wholeFolder() throws -> PluginPackage {
    // An invalid manifest is reported with the other contents.
    if let manifest = try? Manifest(inFolder: place, files) {
      try BuiltExecutable(path: path, session: session).check(for: manifest, in: place, by: command)
    }
    return try PluginPackage(folder: place, in: files)
  }

  /// Advice about a path that does not exist: it may be a repository as other programs write it.
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
    // As ssh and scp write it: USER@HOST:PATH.
    if let colon = path.firstIndex(of: ":"), path[..<colon].contains("@"),
      let git = try? GitReference(parsing: "git+ssh://\(path[..<colon])/\(path[path.index(after: colon)...])")
    {
      return "If it is a Git repository, run: \(ifttt: "plugin install \("git+\(git.repository)")")"
    }
    return "Pass a folder or an archive."
  }

  /// The files that the manifest names. The folder of a file may hold unrelated files.
  private func listedFiles() throws -> PluginPackage {
    let slash = place.utf8.lastIndex(of: UInt8(ascii: "/"))
    let name = slash.map { String(place[place.utf8.index(after: $0)...]) } ?? place
    let folder = slash.map { $0 == place.startIndex ? "/" : String(place[..<$0]) } ?? session.world.workingFolder
    let manifest = try Manifest(inFolder: folder, files)
    guard name == manifest.executable || name == Manifest.fileName else {
      throw PluginContentsError("the manifest in its folder is for '\(manifest.executable)', not for '\(name)'")
    }
    try BuiltExecutable(path: folder, session: session).check(for: manifest, in: folder, by: command)
    return try PluginPackage(folder: folder, only: [Manifest.fileName, manifest.executable], in: files)
  }
}
