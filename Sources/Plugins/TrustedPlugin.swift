package import PluginProtocol
package import World

/// A plugin that may be run: it is unchanged, no other user could change it, and the user agreed to the data it sees.
package struct TrustedPlugin: Sendable, Equatable {
  package let manifest: Manifest
  package let folder: String
  /// The names of the credentials that it may request; a final `*` matches any suffix.
  package let credentials: [String]
  /// The names of the variables that it may see in addition to those that every plugin sees.
  package let environment: [String]
  /// Whether it may open pages in the browser.
  package let usesBrowser: Bool
  /// The files that it may open in addition to its own and those of the system.
  package let files: [FileAccess]
  /// The state of its folder.
  package var contents: PluginContents?
  /// The files of the store and its keys, which it may open only with the permission for this program's data.
  package var storeFiles: [String] = []

  package init(
    manifest: Manifest, folder: String, credentials: [String], environment: [String], usesBrowser: Bool,
    files: [FileAccess]
  ) {
    (self.manifest, self.folder, self.usesBrowser, self.files) = (manifest, folder, usesBrowser, files)
    (self.credentials, self.environment) = (credentials, environment)
  }

  package var name: String { manifest.name.description }
  package var executable: String { "\(folder)/\(manifest.executable)" }
}

extension TrustedPlugin {
  /// The files that it may open; nil if the system cannot limit them.
  /// - Parameter named: the paths that the user named in this run, which it may read.
  package func confinement(in world: World, reading named: [String] = []) -> Confinement? {
    PluginConfinement(
      folder: folder, executable: executable, permitted: files, named: named, storeFiles: storeFiles, world: world
    ).confinement
  }

  /// The program to start for a session with the plugin.
  /// - Parameters:
  ///   - more: variables from the program itself.
  ///   - named: the paths that the user named in this run, which it may read.
  package func program(
    in world: World, adding more: [(name: String, value: String)] = [], reading named: [String] = []
  ) -> PluginProgram {
    var program = PluginProgram(
      name: manifest.name, version: manifest.version, path: executable, folder: folder,
      capabilities: Set(manifest.capabilities), credentials: credentials, usesBrowser: usesBrowser,
      environment: PluginEnvironment.variables(
        of: name, from: world.environment, granted: environment, folder: folder, adding: more
      )
      .map { "\($0.name)=\($0.value)" })
    program.contents = contents
    program.confinement = confinement(in: world, reading: named)
    return program
  }
}
