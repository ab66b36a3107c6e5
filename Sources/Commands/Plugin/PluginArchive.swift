import PluginProtocol
import Plugins
import World

/// An archive with a plugin's folder in it, read by the system's own programs.
///
/// What it lists is looked at before anything is unpacked, and what was unpacked is looked at again as any folder is:
/// neither archives nor the programs that read them are trusted.
struct PluginArchive {
  enum Form {
    case tar, compressedTar, zip

    init?(fileName: String) {
      let name = fileName.lowercased()
      if name.hasSuffix(".tar") {
        self = .tar
      } else if name.hasSuffix(".tar.gz") || name.hasSuffix(".tgz") {
        self = .compressedTar
      } else if name.hasSuffix(".zip") {
        self = .zip
      } else {
        return nil
      }
    }
  }

  let path: String
  let form: Form
  let session: Session

  private var files: any Files { session.world.files }

  /// - Parameter folder: one that is not there yet; it is gone afterwards.
  func package(unpackingIn folder: String) throws -> PluginPackage {
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try files.read(path, limit: PluginContents.sizeLimit) } catch {
      throw Problem(.notFound, "no plugin at \(path)", reason: error.description, hint: "Name a folder or an archive.")
    }
    try files.makeNewFolder(folder)
    defer { try? files.removeFolder(folder) }
    let inside = folder + "/inside"
    try files.makeNewFolder(inside)
    switch form {
    case .tar, .compressedTar:
      let compression = form == .tar ? "" : "z"
      // On standard input, since tar takes some names of files for those of other machines. Names are listed as they are
      // (-P), and unpacked without what leads elsewhere.
      let names = try run(["tar", "-tP\(compression)f", "-"], bytes)
      try ArchiveListing(names: names, tarDetails: run(["tar", "-tvP\(compression)f", "-"], bytes)).check()
      let unpack = ["tar", "-x\(compression)f", "-", "-C", inside, "--no-same-owner", "--no-same-permissions"]
      _ = try run(unpack, bytes)
    case .zip:
      let copy = folder + "/archive.zip"
      try files.replace(copy, with: bytes, mode: 0o600)
      try ArchiveListing(names: run(["unzip", "-Z1", copy], []), zipDetails: run(["unzip", "-Z", "-s", copy], []))
        .check()
      // With a password unzip does not ask the terminal for one.
      _ = try run(["unzip", "-qq", "-n", "-P", "", "-d", inside, copy], [])
    }
    return try PluginPackage(folder: root(of: inside), in: files)
  }

  /// The folder itself, or the only one in it, as archives of a folder have it.
  private func root(of folder: String) throws -> String {
    let names = try files.names(in: folder).filter { !$0.hasPrefix(".") }
    guard names.count == 1, try files.facts("\(folder)/\(names[0])").kind == .folder else { return folder }
    return "\(folder)/\(names[0])"
  }

  private func run(_ arguments: [String], _ input: [UInt8]) throws -> String {
    let result: ProcessResult
    do throws(SystemError) {
      result = try session.world.processes.run(arguments, input: input, limit: .seconds(60))
    } catch {
      guard !session.world.interruption.isInterrupted else { throw Problem.interrupted }
      throw Problem(
        .refused, "\(path) cannot be unpacked", reason: error.description,
        hint: "Install '\(arguments[0])', or unpack it yourself and name the folder.")
    }
    guard result.status == 0 else {
      throw Problem(
        .refused, "\(path) cannot be unpacked", reason: "\(arguments[0]) ended with status \(result.status)",
        hint: "Look whether it is whole, or unpack it yourself and name the folder.")
    }
    return String(decoding: result.output, as: UTF8.self)
  }
}
