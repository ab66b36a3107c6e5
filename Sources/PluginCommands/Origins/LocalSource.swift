import CommandContext
import Hints
import PluginProtocol
import Plugins
import Store
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
          .notFound, "no plugin at \(path)", reason: error.description, hint: "Pass a folder or an archive.")
      }
      if PluginArchive(fileName: path) != nil {
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
