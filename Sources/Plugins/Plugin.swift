package import PluginProtocol
package import Text

/// A plugin in one of the plugin folders, as described by its manifest.
package final class Plugin: Sendable, Equatable {
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

  package static func == (a: Plugin, b: Plugin) -> Bool {
    (a.name, a.folder, a.isBundled, a.isLinked) == (b.name, b.folder, b.isBundled, b.isLinked)
      && a.manifest == b.manifest && a.shadow == b.shadow
  }

  package var isReadable: Bool { if case .success = manifest { true } else { false } }

  /// The path of the plugin's executable; nil without a manifest.
  package var executable: String? { (try? manifest.get()).map { "\(folder)/\($0.executable)" } }
}

extension Manifest {
  /// Whether two plugins have the same vendor, so that one inherits the stored credentials of the other.
  ///
  /// The names are compared byte by byte. Plugins without a vendor count as plugins of one vendor. The vendor of an
  /// unreadable manifest is unknown, so it never matches.
  package static func areOfSameVendor(_ first: Manifest?, _ second: Manifest?) -> Bool {
    guard let first, let second else { return false }
    return ExactText.same(first.vendor ?? "", second.vendor ?? "")
  }

  /// Whether the plugin would replace that of another vendor, or get the credentials of an unknown one.
  /// - Parameters:
  ///   - old: the manifest of the plugin with the same name; nil if it is missing or unreadable.
  ///   - hasCredentials: whether credentials are stored for the name.
  package func isOfAnotherVendor(than old: Manifest?, hasCredentials: Bool) -> Bool {
    (old != nil || hasCredentials) && !Self.areOfSameVendor(old, self)
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
  /// The problem, as a sentence without a period; nil if there is none.
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
