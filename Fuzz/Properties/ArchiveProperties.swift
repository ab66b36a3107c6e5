import Plugins

/// What an archive gives stays below the folder that it is written to, each file once, within the limits; and a file more
/// than its bytes could hold is never made.
enum ArchiveProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    for form in [PluginArchive.tar, .compressedTar, .zip] {
      guard let files = try? form.files(in: bytes) else { continue }
      guard files.count <= PluginContents.fileLimit else { return "too many files" }
      guard files.reduce(0, { $0 + $1.bytes.count }) <= PluginContents.sizeLimit else { return "too much in them" }
      guard Set(files.map(\.path)).count == files.count else { return "a file twice" }
      for file in files {
        let parts = file.path.split(separator: "/", omittingEmptySubsequences: false)
        if parts.contains("") || parts.contains(".") || parts.contains("..") { return "a path that leads elsewhere" }
        if files.contains(where: { $0.path.hasPrefix(file.path + "/") }) { return "a file that is a folder too" }
      }
    }
    return nil
  }
}
