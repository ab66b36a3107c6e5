package import PluginProtocol
package import Text

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
  /// A description of the command or plugin that has precedence for this name; nil if the name refers to this plugin.
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

extension Manifest {
  /// Whether two plugins have the same vendor, so that a replacement inherits the stored credentials. The names are
  /// compared byte by byte. Plugins without a vendor, or with an unreadable manifest, count as plugins of one vendor.
  package static func areOfSameVendor(_ first: Manifest?, _ second: Manifest?) -> Bool {
    ExactText.same(first?.vendor ?? "", second?.vendor ?? "")
  }
}

/// A plugin in one of the plugin folders, with only those parts of its manifest that a list of commands needs.
package struct OutlinedPlugin: Sendable, Equatable {
  /// The folder's name, which must match the name in the manifest.
  package let name: String
  /// The outline; nil if even this part of the manifest is invalid.
  package let outline: ManifestOutline?
}

/// Whether a plugin can be used, and if not, why.
package enum PluginStatus: String, Sendable, CaseIterable {
  /// Installed by the user and unchanged since.
  case ready
  /// Included in the program.
  case bundled
  /// Runs from its author's folder, where its content may change.
  case linked
  /// Its name is also the name of a command of the program or of an included plugin, which has precedence.
  case shadowed
  /// Its manifest or its folder is invalid.
  case broken
  /// It is in the folder but was never installed.
  case untrusted
  /// Its content has changed since it was installed.
  case changed
  /// Other users could change it.
  case unsafe
  /// It was installed, but its files are missing.
  case missing

  package var isUsable: Bool { self == .ready || self == .bundled || self == .linked }
}

/// The result of checking a plugin before it is used.
package struct PluginVerdict: Sendable, Equatable {
  package var status: PluginStatus
  /// The problem, as a sentence without a full stop; nil if there is none.
  package var problem: String?
  /// How to fix the problem, as a sentence.
  package var advice: Hint?
  /// The hash of its content, if that was read or is known to be unchanged.
  package var sha256: String?
  /// The new file attributes, if they changed but the content did not.
  package var changedAttributes: TrustedFiles?
  /// The state of the folder at the time of the check; nil if it could not be read.
  package var contents: PluginContents?

  /// Whether the plugin may be run.
  package var isUsable: Bool { status.isUsable && problem == nil }

  package init(_ status: PluginStatus, _ problem: String? = nil, advice: Hint? = nil, sha256: String? = nil) {
    (self.status, self.problem, self.advice, self.sha256) = (status, problem, advice, sha256)
  }
}

/// The reason why a plugin is not run.
package struct PluginTrustError: Error, Sendable, Equatable {
  package let plugin: String
  package let verdict: PluginVerdict
  package init(_ plugin: String, _ verdict: PluginVerdict) { (self.plugin, self.verdict) = (plugin, verdict) }
}
