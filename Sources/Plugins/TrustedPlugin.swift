package import PluginProtocol

/// A plugin that may be run: it is what it was, nobody else could change it, and the user agreed to what it sees.
package struct TrustedPlugin: Sendable, Equatable {
  package let manifest: Manifest
  package let folder: String
  /// The names, or their beginnings before a `*`, of credentials that it may ask for.
  package let credentials: [String]
  /// The names of variables that it may see besides those that every plugin sees.
  package let environment: [String]
  /// How its folder looked.
  package var contents: PluginContents?

  package init(manifest: Manifest, folder: String, credentials: [String], environment: [String]) {
    (self.manifest, self.folder) = (manifest, folder)
    (self.credentials, self.environment) = (credentials, environment)
  }

  package var name: String { manifest.name.description }
  package var executable: String { "\(folder)/\(manifest.executable)" }
}
