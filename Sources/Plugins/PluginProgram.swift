package import PluginProtocol

/// A plugin that may be run, and with what.
package struct PluginProgram: Sendable, Equatable {
  package let manifest: Manifest
  package let folder: String
  /// The names, or their beginnings before a `*`, of credentials that the user let it ask for.
  package let credentials: [String]
  /// The variables that the user let it see.
  package let environment: [String]

  package init(manifest: Manifest, folder: String, credentials: [String], environment: [String]) {
    (self.manifest, self.folder) = (manifest, folder)
    (self.credentials, self.environment) = (credentials, environment)
  }

  package var name: String { manifest.name.description }
  package var executable: String { "\(folder)/\(manifest.executable)" }

  /// Whether it may ask for a credential: the manifest names it, and the user agreed.
  package func mayAsk(for credential: String) -> Bool {
    var granted = manifest
    granted.credentials = credentials
    return manifest.mayAsk(for: credential) && granted.mayAsk(for: credential)
  }
}
