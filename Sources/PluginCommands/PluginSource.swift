import CommandContext
import Hints
import PluginProtocol
import Plugins
import World

/// The source of an installation: a plugin's folder, its executable or manifest, or an archive of its folder.
struct PluginSource {
  let path: String
  let session: Session

  private var files: any Files { session.world.files }

  /// Reads the whole package without writing anything.
  /// - Throws: `not_found` if nothing exists at the path; ``ManifestError`` and ``PluginContentsError`` if it is not
  ///   a valid plugin.
  func package() throws -> PluginPackage {
    // The dot follows a symbolic link that the user named.
    if (try? files.facts(path + "/."))?.kind == .folder { return try PluginPackage(folder: path, in: files) }
    do throws(SystemError) { _ = try files.facts(path) } catch {
      throw Problem(.notFound, "no plugin at \(path)", reason: error.description, hint: "Pass a folder or an archive.")
    }
    if let archive = PluginArchive(fileName: path) {
      return try PluginPackage(archive.files(in: read(path, limit: PluginArchive.sizeLimit)))
    }
    // A file's folder may hold unrelated files, so only those named in the manifest are read.
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? session.world.workingFolder
    let manifest = try Manifest(inFolder: folder, files)
    guard name == manifest.executable || name == Manifest.fileName else {
      throw PluginContentsError("the manifest in its folder is for '\(manifest.executable)', not for '\(name)'")
    }
    return try PluginPackage(folder: folder, only: [Manifest.fileName, manifest.executable], in: files)
  }

  private func read(_ path: String, limit: Int) throws -> [UInt8] {
    do throws(SystemError) { return try files.readRegular(path, limit: limit) } catch {
      guard !session.world.interruption.isInterrupted else { throw Problem.interrupted }
      throw PluginContentsError(error.description)
    }
  }
}
