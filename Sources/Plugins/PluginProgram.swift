import HTTP
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
    Manifest.isCredential(name, among: credentials)
  }
}

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
  private func confinement(in world: World, reading named: [String]) -> Confinement? {
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

/// The environment variables that a plugin sees. There are few, so that the secrets of the user's shell stay private.
package enum PluginEnvironment {
  /// The variables that every plugin sees if they are set.
  package static var allowed: [String] { EnvironmentVariable.inherited(by: .plugins).map(\.name) }

  /// The variables that a plugin is started with.
  /// - Parameters:
  ///   - granted: variables that the plugin's manifest names and the user agreed to.
  ///   - folder: the plugin's own folder.
  ///   - more: variables set by the program itself.
  package static func variables(
    of plugin: String, from environment: Environment, granted: [String], folder: String,
    adding more: [(name: String, value: String)] = []
  ) -> [(name: String, value: String)] {
    // Running a plugin must not change its folder, because its content is trusted.
    let set: [(variable: EnvironmentVariable, value: String)] = [
      (.pythonWritesNoBytecode, "1"), (.pluginFolder, folder),
    ]
    let own = set.map { (name: $0.variable.name, value: $0.value) } + more
    var seen = Set(own.map(\.name))
    var variables: [(name: String, value: String)] = []
    for name in allowed + granted where !isWithheld(name, from: plugin) {
      guard seen.insert(name).inserted, let value = environment[named: name] else { continue }
      // A plugin reaches a proxy that needs a password only if its manifest names the variable.
      let isShortened = EnvironmentVariable(named: name)?.isProxy == true && !granted.contains(name)
      variables.append((name, isShortened ? ProxySettings.withoutCredentials(value) : value))
    }
    return variables + own
  }

  /// Whether a variable is hidden from the plugin. This applies to all variables of the program, except those that
  /// contain locations and those that begin with the plugin's own name.
  package static func isWithheld(_ name: String, from plugin: String) -> Bool {
    switch EnvironmentVariable.pluginVisibility(named: name) {
    case .any: return false
    case .none: return true
    case .namesake:
      let uppercaseName = plugin.uppercased().split(separator: "-").joined(separator: "_")
      return !name.hasPrefix("\(EnvironmentVariable.ownPrefix)\(uppercaseName)_")
    }
  }
}
