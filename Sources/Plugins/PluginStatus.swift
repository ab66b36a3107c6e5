package import Hints

/// Whether a plugin can be used, and why not.
package enum PluginStatus: String, Sendable, CaseIterable {
  /// Installed by the user, and still what was installed.
  case ready
  /// Came with the program.
  case bundled
  /// Something else has its name: a command of the program, or a plugin that came with it.
  case shadowed
  /// Its manifest or its folder is not as it has to be.
  case broken
  /// It lies there and nobody installed it.
  case untrusted
  /// It is not what was installed any more.
  case changed
  /// Others could change it.
  case unsafe
  /// It was installed, but its files are missing.
  case missing

  package var isUsable: Bool { self == .ready || self == .bundled }
}

/// What was found out about a plugin before it is used.
package struct PluginVerdict: Sendable, Equatable {
  package var status: PluginStatus
  /// What is wrong, as a sentence without a full stop; nil where nothing is.
  package var problem: String?
  /// What to do about it, as a sentence.
  package var advice: Hint?
  /// Of its content, where that was read or is known to be what it was.
  package var sha256: String?
  /// Where the files are what they were and look otherwise: how they look now.
  package var renewed: TrustedFiles?
  /// How the folder looked when this was found out; nil where it could not be read.
  package var contents: PluginContents?

  /// Whether the plugin may be run.
  package var isGood: Bool { status.isUsable && problem == nil }

  package init(_ status: PluginStatus, _ problem: String? = nil, advice: Hint? = nil, sha256: String? = nil) {
    (self.status, self.problem, self.advice, self.sha256) = (status, problem, advice, sha256)
  }
}

/// Why a plugin is not run.
package struct PluginTrustError: Error, Sendable, Equatable {
  package let plugin: String
  package let verdict: PluginVerdict
  package init(_ plugin: String, _ verdict: PluginVerdict) { (self.plugin, self.verdict) = (plugin, verdict) }
}
