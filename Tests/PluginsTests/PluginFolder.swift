import CommandLine
import Foundation
import PluginProtocol
import Plugins
import Store
import Support
import Testing
import World

/// A folder of plugins for one test.
final class PluginFolder {
  let folder = TemporaryFolder()
  let files: any Files = LiveFiles(interruption: TestInterruption())

  static let manifest =
    #"{"schema_version":1,"name":"NAME","version":"1.2.0","summary":"Things","kind":"command","executable":"run"}"#

  /// Adds a plugin that is valid except for the given changes.
  @discardableResult
  func add(_ name: String, in parent: String = "plugins", manifest: String = manifest) throws -> String {
    let path = folder["\(parent)/\(name)"]
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: attributes)
    try FileManager.default.setAttributes(attributes, ofItemAtPath: folder[parent])
    folder.write("\(parent)/\(name)/plugin.json", manifest.replacingOccurrences(of: "NAME", with: name))
    folder.write("\(parent)/\(name)/run", "#!/bin/sh\necho hello\n", mode: 0o700)
    return path
  }

  func catalog(_ commands: [String] = ["connections", "help"]) -> PluginCatalog {
    PluginCatalog(
      files: files, folders: PluginFolders(installed: folder["plugins"], bundled: folder["libexec"]),
      rules: ReservedNames(
        commands: { commands },
        options: {
          [
            OptionSchema(name: "json", help: "x"), OptionSchema(name: "quiet", short: "q", help: "x"),
            OptionSchema(name: "color", help: "x", isNegatable: true),
          ]
        }))
  }

  func contents(_ path: String) throws -> PluginContents { try PluginContents(of: path, in: files) }

  func record(_ path: String) throws -> PluginTrust {
    let contents = try contents(path)
    return PluginTrust(
      name: "shelf", version: "1.2.0", kind: "command", sha256: try ContentHash.of(contents, in: path, files),
      files: TrustedFiles(contents).stored, origin: path, installedAt: Timestamp(milliseconds: 0))
  }
}
