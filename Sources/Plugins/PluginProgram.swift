package import PluginProtocol
package import World

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
  /// How its folder looked when it was found to be what it has to be; nil for one that nobody looked at.
  package var contents: PluginContents?

  package init(
    name: PluginName, version: String, path: String, folder: String, capabilities: Set<String>, credentials: [String],
    environment: [String]
  ) {
    (self.name, self.version, self.path, self.folder) = (name, version, path, folder)
    (self.capabilities, self.credentials, self.environment) = (capabilities, credentials, environment)
  }

  /// Whether its folder still looks so. A file that was replaced, and be it for a moment, has another time of its last change.
  package func isUnchanged(in files: any Files) -> Bool {
    guard let contents else { return true }
    return (try? PluginContents(of: folder, in: files)) == contents
  }

  /// Whether a credential of this name was granted.
  package func mayUse(credential name: String) -> Bool {
    credentials.contains { granted in
      granted.utf8.last == UInt8(ascii: "*")
        ? name.utf8.starts(with: granted.utf8.dropLast()) : name.utf8.elementsEqual(granted.utf8)
    }
  }
}
