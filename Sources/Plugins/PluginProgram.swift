package import PluginProtocol

/// A plugin that may be run: its executable, and what it was granted.
package struct PluginProgram: Sendable, Equatable {
  package var name: PluginName
  /// As its manifest has it.
  package var version: String
  /// Of the executable.
  package var path: String
  /// That the manifest and the executable lie in.
  package var folder: String
  /// What the manifest says it can be asked.
  package var capabilities: Set<String>
  /// The names of credentials that it may ask for; a final `*` stands for any rest.
  package var credentials: [String]
  /// All variables that it is started with, `NAME=value`.
  package var environment: [String]

  package init(
    name: PluginName, version: String, path: String, folder: String, capabilities: Set<String>, credentials: [String],
    environment: [String]
  ) {
    (self.name, self.version, self.path, self.folder) = (name, version, path, folder)
    (self.capabilities, self.credentials, self.environment) = (capabilities, credentials, environment)
  }

  /// Whether a credential of this name was granted.
  package func mayUse(credential name: String) -> Bool {
    credentials.contains { granted in
      granted.utf8.last == UInt8(ascii: "*")
        ? name.utf8.starts(with: granted.utf8.dropLast()) : name.utf8.elementsEqual(granted.utf8)
    }
  }
}
