package import PluginProtocol
package import World

/// A plugin that may be run: its executable and its grants.
package struct PluginProgram: Sendable, Equatable {
  package var name: PluginName
  /// The version in the manifest.
  package var version: String
  /// The path of the executable.
  package var path: String
  /// The folder of the manifest and the executable.
  package var folder: String
  /// The methods that the manifest declares.
  package var capabilities: Set<String>
  /// The names of the credentials it may request; a final `*` matches any suffix.
  package var credentials: [String]
  /// Whether it may open pages in the browser.
  package var usesBrowser: Bool
  /// All variables that it is started with, as `NAME=value`.
  package var environment: [String]
  /// The files that it may open; nil if the system cannot limit them.
  package var confinement: Confinement?
  /// The state of its folder when it passed the trust check; nil if it was not checked.
  package var contents: PluginContents?

  package init(
    name: PluginName, version: String, path: String, folder: String, capabilities: Set<String>, credentials: [String],
    usesBrowser: Bool = false, environment: [String]
  ) {
    (self.name, self.version, self.path, self.folder) = (name, version, path, folder)
    (self.capabilities, self.credentials, self.environment) = (capabilities, credentials, environment)
    self.usesBrowser = usesBrowser
  }

  /// Whether its folder is unchanged. Replacing a file, even briefly, updates its change time.
  package func isUnchanged(in files: any Files) -> Bool {
    guard let contents else { return true }
    return (try? PluginContents(of: folder, in: files)) == contents
  }

  /// The error for a page that it opens without permission; nil if it has the permission.
  package var browserProblem: PluginError? {
    usesBrowser
      ? nil
      : PluginError(
        "refused", "plugin '\(name)' must not use the browser",
        reason: "the manifest that was installed or linked does not declare \"browser\": true",
        hint: "If it does now, install it again with 'ifttt plugin install PATH', or link it again.")
  }

  /// Whether a credential of this name was granted.
  package func mayUse(credential name: String) -> Bool {
    credentials.contains { granted in
      granted.utf8.last == UInt8(ascii: "*")
        ? name.utf8.starts(with: granted.utf8.dropLast()) : name.utf8.elementsEqual(granted.utf8)
    }
  }
}
