package import World

/// Where plugins lie: what the user installed, and what came with the program.
package struct PluginFolders: Sendable, Equatable {
  package let installed: String
  /// Nil where the program does not know where it was started from.
  package let bundled: String?

  package init(installed: String, bundled: String?) { (self.installed, self.bundled) = (installed, bundled) }

  /// - Parameters:
  ///   - program: the file that this process was started from.
  ///   - libexec: the folder of those that came with the program, where it is not beside the program's own.
  package init(places: Places, program: String?, libexec: String? = nil) {
    installed = places.data + "/plugins"
    bundled = libexec ?? program.flatMap(Self.folder).flatMap(Self.folder).map { $0 + "/libexec/ifttt" }
  }

  /// The one that a file lies in.
  private static func folder(of path: String) -> String? {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) }
  }
}
