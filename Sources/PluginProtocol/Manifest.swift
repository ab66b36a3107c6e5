/// What a plugin says of itself in the `plugin.json` beside its executable.
///
/// Everything that is shown of a plugin without running it (help, man pages, completion, lists) comes from here. Read one
/// with ``init(parsing:)``; `ifttt-plugin(5)` describes the file.
public struct Manifest: Sendable, Equatable {
  /// How a plugin is used.
  public enum Kind: String, Sendable, CaseIterable {
    /// It speaks the protocol over its standard input and output.
    case provider
    /// It is simply run, with the words behind its name.
    case command
  }

  /// The only version of the file's form so far.
  public static let schemaVersion = 1
  /// The name of the file, beside the executable.
  public static let fileName = "plugin.json"
  /// A longer file is no manifest, in bytes.
  public static let sizeLimit = 1 << 20

  /// The word behind `ifttt` that stands for it.
  public var name: PluginName
  /// As it counts its releases; not that of the protocol.
  public var version: String
  /// One line on what it is for.
  public var summary: String
  /// Who made it.
  public var vendor: String?
  /// Whether it is talked with or run.
  public var kind: Kind
  /// The name of a file in the manifest's folder.
  public var executable: String
  /// The versions of the protocol that it speaks.
  public var protocols: [String]
  /// The requests that it answers: `connections/list`, `command/run`. Those unknown to a host are never made.
  public var capabilities: [String]
  /// The names of credentials that it may ask for; one that ends in `*` stands for all that begin so.
  public var credentials: [String]
  /// Where it sends requests, for people to read: origins, or a few words where they are not known beforehand.
  public var hosts: [String]
  /// The variables that it may see besides those that every plugin sees.
  public var environment: [String]
  /// Its commands, or rather the one that has its name, with all that is below. Nil where none is described: a command
  /// plugin then takes any words.
  public var commands: ManifestCommand?

  /// A manifest as if it had been read; nothing is checked.
  public init(
    name: PluginName, version: String, summary: String, vendor: String? = nil, kind: Kind, executable: String? = nil,
    protocols: [String] = [], capabilities: [String] = [], credentials: [String] = [], hosts: [String] = [],
    environment: [String] = [], commands: ManifestCommand? = nil
  ) {
    (self.name, self.version, self.summary, self.vendor, self.kind) = (name, version, summary, vendor, kind)
    self.executable = executable ?? "ifttt-\(name)"
    (self.protocols, self.capabilities, self.credentials) = (protocols, capabilities, credentials)
    (self.hosts, self.environment, self.commands) = (hosts, environment, commands)
  }

  /// Whether the manifest names this credential among those that the plugin may ask for.
  public func mayAsk(for credential: String) -> Bool {
    credentials.contains { pattern in
      pattern.hasSuffix("*") ? credential.hasPrefix(pattern.dropLast()) : credential == pattern
    }
  }
}

/// Why a `plugin.json` is not a manifest.
public struct ManifestError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A sentence without a full stop, in lower case: "'kind' is missing".
  public let description: String
  /// As a sentence without a full stop, in lower case.
  public init(_ description: String) { self.description = description }
}
