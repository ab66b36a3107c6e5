import PluginProtocol
import Plugins

/// The files of an archive stay below the destination folder, occur once each, and respect the limits. An archive
/// never produces more data than its bytes can hold. What was accepted is the same when it is packed and read again.
enum ArchiveProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    for form in [PluginArchive.tar, .compressedTar, .zip] {
      guard let files = try? form.files(in: bytes) else { continue }
      guard files.count <= PluginContents.fileLimit else { return "too many files" }
      let size = files.reduce(0) { $0 + $1.bytes.count }
      guard size <= PluginContents.sizeLimit else { return "too many bytes" }
      // DEFLATE expands its input 1,032 times at most.
      guard size <= bytes.count * 1032 else { return "more bytes than the archive can hold" }
      guard Set(files.map(\.path)).count == files.count else { return "a duplicate file" }
      for file in files {
        let parts = file.path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
          String(decoding: $0, as: UTF8.self)
        }
        if parts.contains("") || parts.contains(".") || parts.contains("..") { return "a path outside of the folder" }
        if files.contains(where: { $0.path.utf8.starts(with: (file.path + "/").utf8) }) {
          return "a file that is also a folder"
        }
      }
      if let problem = packingProblem(of: files) ?? packageProblem(of: files) { return problem }
    }
    return nil
  }

  private static func packingProblem(of files: [PluginPackage.File]) -> String? {
    // The format limits the length of paths.
    guard !files.isEmpty, let tar = try? TarWriter.archive(of: files, in: "folder") else { return nil }
    guard let packed = GzipWriter.compress(tar) else { return "there is no memory" }
    guard (try? PluginArchive.tar.files(in: tar)) == files else { return "other files after packing" }
    return (try? PluginArchive.compressedTar.files(in: packed)) == files ? nil : "other files after compression"
  }

  private static func packageProblem(of files: [PluginPackage.File]) -> String? {
    guard let package = try? PluginPackage(files) else { return nil }
    guard Set(files.map { $0.path.lowercased() }).count == files.count else { return "two files that differ in case" }
    guard files.allSatisfy({ !$0.path.hasControls() }) else { return "a name that a terminal would interpret" }
    return (try? PluginPackage(files.reversed()))?.sha256 == package.sha256 ? nil : "a hash that depends on the order"
  }
}
