package import World

/// Where plugins lie: what the user installed, and what came with the program.
package struct PluginFolders: Sendable, Equatable {
  package let installed: String
  /// Nil where the program does not know where it was started from.
  package let bundled: String?

  package init(installed: String, bundled: String?) { (self.installed, self.bundled) = (installed, bundled) }

  /// - Parameter program: the file that this process was started from.
  package init(places: Places, program: String?) {
    installed = places.data + "/plugins"
    let folders = program?.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
    bundled = folders.map { $0.joined(separator: "/") + "/libexec/ifttt" }
  }
}
