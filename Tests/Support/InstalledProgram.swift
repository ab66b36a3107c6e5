import CChildProgram
package import Foundation

/// The built program in its installed layout: `bin/ifttt`, and the bundled plugins in `libexec/ifttt`.
package struct InstalledProgram: Sendable {
  private let prefix: ScratchFolder
  package var path: String { "\(prefix.path)/bin/ifttt" }

  package init() throws {
    prefix = try ScratchFolder()
    let files = FileManager.default
    let (bin, libexec) = (prefix.url.appending(path: "bin"), prefix.url.appending(path: "libexec/ifttt"))
    for folder in [bin, libexec] {
      try files.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    }
    // A hard link suffices if the file system supports it.
    let (built, installed) = (BuiltProduct.path("ifttt"), bin.appending(path: "ifttt").path)
    do { try files.linkItem(atPath: built, toPath: installed) } catch {
      try files.copyItem(atPath: built, toPath: installed)
      _ = child_program_wait_for_writers(installed)
    }
  }

  /// Add a bundled plugin.
  /// - Parameter manifest: The file to install as its `plugin.json`.
  package func bundle(_ name: String, executable: String, manifest: URL) throws {
    let files = FileManager.default
    let folder = prefix.url.appending(path: "libexec/ifttt/\(name)")
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    let program = "\(folder.path)/\(URL(fileURLWithPath: executable).lastPathComponent)"
    try files.copyItem(atPath: executable, toPath: program)
    try files.copyItem(atPath: manifest.path, toPath: "\(folder.path)/plugin.json")
    for (path, mode) in [(folder.path, 0o755), (program, 0o755), ("\(folder.path)/plugin.json", 0o644)] {
      try files.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
    _ = child_program_wait_for_writers(program)
  }
}
