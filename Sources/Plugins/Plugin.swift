package import PluginProtocol

/// A plugin that lies in one of the folders, as far as its manifest tells.
package struct Plugin: Sendable, Equatable {
  /// The folder's name, which its manifest has to give it too.
  package let name: String
  package let folder: String
  /// Whether it came with the program.
  package let isBundled: Bool
  /// Or why there is none.
  package let manifest: Result<Manifest, ManifestError>
  /// What has its name before it, in words; nil where it is found under its name.
  package let shadow: String?

  package init(
    name: String, folder: String, isBundled: Bool, manifest: Result<Manifest, ManifestError>, shadow: String? = nil
  ) {
    (self.name, self.folder, self.isBundled) = (name, folder, isBundled)
    (self.manifest, self.shadow) = (manifest, shadow)
  }

  package var isReadable: Bool { if case .success = manifest { true } else { false } }

  /// The path of its executable; nil without a manifest.
  package var executable: String? { (try? manifest.get()).map { "\(folder)/\($0.executable)" } }
}

/// A plugin that lies in one of the folders, as far as a list of commands shows it.
package struct OutlinedPlugin: Sendable, Equatable {
  /// The folder's name, which its manifest has to give it too.
  package let name: String
  /// Nil where the manifest is not good even so far.
  package let outline: ManifestOutline?
}
