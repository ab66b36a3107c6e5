/// A plugin's description of itself: the `plugin.json` beside its executable.
///
/// Everything shown of a plugin without running it (help, man pages, completion, lists) comes from the manifest. Read
/// one with ``init(parsing:)``; `ifttt-plugin(5)` describes the file.
public struct Manifest: Sendable, Equatable {
  /// How a plugin is used.
  public enum Kind: String, Sendable, CaseIterable {
    /// A plugin that speaks the protocol over its stdin and stdout.
    case provider
    /// A plugin that is executed with the arguments after its name.
    case command
  }

  /// The only version of the file format so far.
  public static let schemaVersion = 1
  /// The name of the file, beside the executable.
  public static let fileName = "plugin.json"
  /// The maximum size of a manifest, in bytes.
  public static let sizeLimit = 1 << 20

  /// The name after `ifttt` on the command line.
  public var name: PluginName
  /// The version of the plugin, not of the protocol.
  public var version: String
  /// A one-line description of its purpose.
  public var summary: String
  /// The author of the plugin.
  public var vendor: String?
  /// Whether the plugin uses the protocol or is only executed.
  public var kind: Kind
  /// The name of a file in the manifest's folder.
  public var executable: String
  /// The protocol versions that it supports.
  public var protocols: [String]
  /// The requests that it supports: `connections/list`, `command/run`. A host never sends those that it does not
  /// know.
  public var capabilities: [String]
  /// The names of the credentials that it may request; a final `*` matches any suffix.
  public var credentials: [String]
  /// The destinations of its requests, for display: origins, or a short description if they are not known in advance.
  public var hosts: [String]
  /// The variables that it may see in addition to those that every plugin sees.
  public var environment: [String]
  /// Whether it opens pages in the user's browser.
  public var usesBrowser: Bool
  /// The files and folders that it reads and writes outside its own folder.
  public var files: [FileAccess]
  /// The command with the plugin's name, including its subcommands. Nil if none is described; a command plugin then
  /// accepts any arguments.
  public var commands: ManifestCommand?

  /// Creates a manifest without checking it.
  public init(
    name: PluginName, version: String, summary: String, vendor: String? = nil, kind: Kind, executable: String? = nil,
    protocols: [String] = [], capabilities: [String] = [], credentials: [String] = [], hosts: [String] = [],
    environment: [String] = [], usesBrowser: Bool = false, files: [FileAccess] = [], commands: ManifestCommand? = nil
  ) {
    (self.name, self.version, self.summary, self.vendor, self.kind) = (name, version, summary, vendor, kind)
    self.executable = executable ?? "ifttt-\(name)"
    (self.protocols, self.capabilities, self.credentials) = (protocols, capabilities, credentials)
    (self.hosts, self.environment, self.commands) = (hosts, environment, commands)
    (self.usesBrowser, self.files) = (usesBrowser, files)
  }

  /// The declared paths with this access.
  package func paths(for mode: FileAccess.Mode) -> [String] { files.filter { $0.mode == mode }.map(\.path) }

  /// Whether the manifest lists this credential among those that the plugin may request.
  public func mayAsk(for credential: String) -> Bool {
    credentials.contains { pattern in
      pattern.hasSuffix("*") ? credential.hasPrefix(pattern.dropLast()) : credential == pattern
    }
  }
}

/// The reason why a `plugin.json` is not a valid manifest.
public struct ManifestError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Each problem as a lowercase sentence without a full stop: "'kind' is missing".
  public let problems: [String]
  /// All problems in one line.
  public var description: String { problems.joined(separator: "; ") }
  /// Creates an error from a lowercase sentence without a full stop.
  public init(_ description: String) { problems = [description] }
  /// Creates an error with several problems.
  public init(problems: [String]) { self.problems = problems }
}
