import PluginProtocol
import Session
import Text
import World

/// The executable of a plugin in a folder, which a build may have to create first.
struct BuiltExecutable {
  /// The script of the templates in compiled languages, and the folder that it assembles.
  private static let script = "make-plugin"
  private static let product = "plugin"

  /// The folder, as the user typed it.
  let path: String
  let session: Session

  /// - Parameter command: the command that needs the plugin, such as `plugin link`.
  /// - Throws: ``Problem`` if the executable is missing.
  func check(for manifest: Manifest, in folder: String, by command: [String]) throws {
    let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    func exists(_ name: String) -> Bool { (try? session.world.files.facts("\(folder)/\(name)")) != nil }
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
          Build it with \(shell: "\(path: "\(path)/\(Self.script)")"), then: \(ifttt: "\(command: command) \(path: product)")
          """)
    }
    throw Problem(
      .pluginFailed, "this is the folder of the source code of plugin '\(manifest.name)'",
      reason: "there is no '\(manifest.executable)' in \(path)",
      hint: "Pass the folder that was built: \(ifttt: "\(command: command) \(path: product)")")
  }
}
