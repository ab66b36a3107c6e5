package import PluginProtocol

/// A plugin in one of the plugin folders, as described by its manifest.
package struct Plugin: Sendable, Equatable {
  /// The folder's name, which must match the name in the manifest.
  package let name: String
  package let folder: String
  /// Whether the plugin came with the program.
  package let isBundled: Bool
  /// Whether it runs from its author's folder.
  package let isLinked: Bool
  /// The manifest, or the reason why it is missing or invalid.
  package let manifest: Result<Manifest, ManifestError>
  /// A description of what takes precedence over this plugin's name; nil if the name refers to this plugin.
  package let shadow: String?

  package init(
    name: String, folder: String, isBundled: Bool, isLinked: Bool = false, manifest: Result<Manifest, ManifestError>,
    shadow: String? = nil
  ) {
    (self.name, self.folder, self.isBundled, self.isLinked) = (name, folder, isBundled, isLinked)
    (self.manifest, self.shadow) = (manifest, shadow)
  }

  package var isReadable: Bool { if case .success = manifest { true } else { false } }

  /// The path of the plugin's executable; nil without a manifest.
  package var executable: String? { (try? manifest.get()).map { "\(folder)/\($0.executable)" } }
}

/// A plugin in one of the plugin folders, with only the facts that a list of commands shows.
package struct OutlinedPlugin: Sendable, Equatable {
  /// The folder's name, which must match the name in the manifest.
  package let name: String
  /// The outline; nil if even this part of the manifest is invalid.
  package let outline: ManifestOutline?
}
