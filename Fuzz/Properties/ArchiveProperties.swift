import Plugins

/// The files of an archive stay below the destination folder, occur once each, and respect the limits. An archive
/// never produces more data than its bytes can hold.
enum ArchiveProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    for form in [PluginArchive.tar, .compressedTar, .zip] {
      guard let files = try? form.files(in: bytes) else { continue }
      guard files.count <= PluginContents.fileLimit else { return "too many files" }
      guard files.reduce(0, { $0 + $1.bytes.count }) <= PluginContents.sizeLimit else { return "too many bytes" }
      guard Set(files.map(\.path)).count == files.count else { return "a duplicate file" }
      for file in files {
        let parts = file.path.split(separator: "/", omittingEmptySubsequences: false)
        if parts.contains("") || parts.contains(".") || parts.contains("..") { return "a path outside of the folder" }
        if files.contains(where: { $0.path.hasPrefix(file.path + "/") }) { return "a file that is also a folder" }
      }
    }
    return nil
  }
}
