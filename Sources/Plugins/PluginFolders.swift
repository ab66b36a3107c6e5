package import Text
package import World

/// The folders of plugins: those that the user installed, and those that came with the program.
package struct PluginFolders: Sendable, Equatable {
  package let installed: String
  /// The folder of bundled plugins; nil if the program's own location is unknown.
  package let bundled: String?

  /// The lock file that the installation of the program has for its bundled plugins.
  package var bundledLock: String? { bundled.map { "\($0)/\(PluginsLock.fileName)" } }

  package init(installed: String, bundled: String?) { (self.installed, self.bundled) = (installed, bundled) }

  /// Locates the folders. Only the program's own location decides which plugins are bundled, because bundled plugins
  /// run without a trust check.
  ///
  /// - Parameter program: the file that this process was started from.
  package init(directories: AppDirectories, program: String?) {
    installed = directories.data + "/plugins"
    bundled = program.flatMap(Self.folder).flatMap(Self.folder).map { $0 + "/libexec/ifttt" }
  }

  /// The folder that contains a file.
  private static func folder(of path: String) -> String? {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) }
  }

  /// The problem with a link. A link could lead to another user's folder, where that user could add other plugins.
  package static func linkProblem(_ path: String) -> String { "\(path) is a symbolic link" }

  /// A command that replaces the link by a copy of its target.
  package static func linkAdvice(_ path: String) -> Hint {
    let copy = path + ".new"
    let line: SuggestedCommand =
      "cp -RLp \(path: path) \(path: copy) && rm \(path: path) && mv \(path: copy) \(path: path)"
    return "Run: \(shell: line)"
  }
}
