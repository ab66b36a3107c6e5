package import Hints
package import World

/// Where plugins lie: what the user installed, and what came with the program.
package struct PluginFolders: Sendable, Equatable {
  package let installed: String
  /// Nil where the program does not know where it was started from.
  package let bundled: String?

  package init(installed: String, bundled: String?) { (self.installed, self.bundled) = (installed, bundled) }

  /// Only the program's own location decides which plugins are bundled, since those run without a trust check.
  ///
  /// - Parameter program: the file that this process was started from.
  package init(places: AppDirectories, program: String?) {
    installed = places.data + "/plugins"
    bundled = program.flatMap(Self.folder).flatMap(Self.folder).map { $0 + "/libexec/ifttt" }
  }

  /// The one that a file lies in.
  private static func folder(of path: String) -> String? {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) }
  }

  /// A link could lead to another user's folder, where that user could put other plugins.
  package static func linkProblem(_ path: String) -> String { "\(path) is a symbolic link" }

  /// Has a copy of what the link leads to take its place.
  package static func linkAdvice(_ path: String) -> Hint {
    let copy = path + ".new"
    let line: SuggestedCommand =
      "cp -RLp \(path: path) \(path: copy) && rm \(path: path) && mv \(path: copy) \(path: path)"
    return "Run: \(shell: line)"
  }
}
