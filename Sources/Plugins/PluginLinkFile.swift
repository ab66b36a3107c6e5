package import PluginProtocol
package import World

/// The file that names the folder of a linked plugin: `plugins/NAME.link`, with the absolute path.
///
/// It makes the plugin's commands known without opening the store. The plugin runs only if the store has the same
/// folder for it.
package struct PluginLinkFile: Sendable {
  package let path: String
  private static let suffix = ".link"

  package init(of name: PluginName, in folders: PluginFolders) { path = "\(folders.installed)/\(name)\(Self.suffix)" }

  /// The plugin's name in the name of a link file; nil for any other file.
  static func pluginName(in fileName: String) -> PluginName? {
    guard fileName.hasSuffix(suffix) else { return nil }
    return PluginName(parsing: String(fileName.dropLast(suffix.count)))
  }

  /// The folder of the plugin; nil if the file is missing or invalid.
  package func folder(in files: any Files) -> String? {
    guard let bytes = try? files.readRegular(path, limit: Self.limit),
      let line = String(validating: bytes, as: UTF8.self), line.hasPrefix("/"), line.last == "\n"
    else { return nil }
    return String(line.dropLast())
  }

  package func write(_ folder: String, in files: any Files) throws(SystemError) {
    try files.replace(path, with: Array((folder + "\n").utf8), mode: 0o600)
  }

  private static let limit = 8192
}
