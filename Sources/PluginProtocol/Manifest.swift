import Text

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
  /// The environment variables that it receives in addition to the variables that every plugin receives.
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
  public func mayAsk(for credential: String) -> Bool { Self.isCredential(credential, among: credentials) }

  /// Whether a credential matches one of the names, in which a final `*` matches any suffix. The names are compared
  /// byte by byte, as in the store.
  package static func isCredential(_ name: String, among patterns: [String]) -> Bool {
    patterns.contains { pattern in
      pattern.utf8.last == UInt8(ascii: "*")
        ? name.utf8.starts(with: pattern.utf8.dropLast()) : name.utf8.elementsEqual(pattern.utf8)
    }
  }
}

/// The reason why a `plugin.json` is not a valid manifest.
public struct ManifestError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Each problem as a lowercase sentence without a period: "'kind' is missing".
  public let problems: [String]
  /// All problems in one line.
  public var description: String { problems.joined(separator: "; ") }
  /// Creates an error from a lowercase sentence without a period.
  public init(_ description: String) { problems = [description] }
  /// Creates an error with several problems.
  public init(problems: [String]) { self.problems = problems }
}

/// The name of a plugin: the name after `ifttt` on a command line, and the end of the executable's file name.
public struct PluginName: Sendable, Hashable, CustomStringConvertible {
  /// The name as text.
  public let description: String

  /// Parses a name; nil unless it is a lowercase letter followed by at most 31 lowercase letters, digits and hyphens.
  public init?(parsing text: String) {
    guard text.utf8.first?.isLowercase == true, text.utf8.count <= 32,
      text.utf8.allSatisfy({ $0.isLowercase || $0.isDigit || $0 == UInt8(ascii: "-") })
    else { return nil }
    description = text
  }
}

extension PluginName: Comparable {
  /// Compares names byte by byte.
  public static func < (left: PluginName, right: PluginName) -> Bool { left.description < right.description }
}

/// A path that a plugin reads or writes, as its manifest declares it.
public struct FileAccess: Sendable, Equatable {
  /// The kind of access to a path.
  public enum Mode: String, Sendable, CaseIterable {
    case read
    /// Write access, which includes read access.
    case write
  }

  /// A path that is absolute or begins with `~`, `.` for the current folder, `$IFTTT_HOME` for the host's own folders, or
  /// another variable that the plugin receives. A folder includes its contents.
  public var path: String
  /// The kind of access to the path.
  public var mode: Mode

  /// Creates an access without checking it.
  public init(_ mode: Mode, _ path: String) { (self.mode, self.path) = (mode, path) }
}

extension FileAccess: CustomStringConvertible {
  /// The access in words: `read ~/feeds.opml`.
  public var description: String {
    let location =
      switch root {
      case .program: "the data of ifttt with all stored credentials"
      case .absolute where path == "/": "all files"
      case .home where rest.isEmpty: "your home folder"
      case .workingFolder where rest.isEmpty: "the current folder"
      default: path
      }
    return "\(mode.rawValue) \(location)"
  }
}

extension FileAccess {
  /// The folder that a path begins with.
  package enum Root: Equatable {
    case absolute, home
    /// The folder that the program was started in.
    case workingFolder
    case temporaryFolder
    /// The folders of the host itself, for a plugin that runs `ifttt`.
    case program
    /// The file or folder that another environment variable of the plugin names.
    case variable(String)
  }

  package var root: Root { Self.root(firstName) ?? .absolute }

  private static func root(_ name: String) -> Root? {
    switch name {
    case "": .absolute
    case "~": .home
    case ".": .workingFolder
    case "$TMPDIR": .temporaryFolder
    case "$IFTTT_HOME": .program
    default: name.hasPrefix("$") && String(name.dropFirst()).isVariableName ? .variable(String(name.dropFirst())) : nil
    }
  }

  /// The path below its root: empty, or with a leading slash.
  package var rest: String { String(path[firstSlash...]) }

  private var firstName: String { String(path[..<firstSlash]) }

  /// The index of the first slash. It is searched in the bytes, because Swift combines a slash and a following
  /// combining character into one character.
  private var firstSlash: String.Index { path.utf8.firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex }

  /// The reason why a path cannot be declared, phrased to follow the path; nil if it can.
  static func problem(ofPath path: String) -> String? {
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard let root = root(parts[0]), !path.isEmpty else {
      return "does not begin with '/', '~', '.' or '$' and the name of a variable"
    }
    if path == "/" { return nil }
    let names = parts.dropFirst()
    if root == .program, !names.isEmpty { return "names a part of $IFTTT_HOME" }
    // Two spellings of one path would hide a change of the manifest.
    return names.allSatisfy { !["", ".", ".."].contains($0) } ? nil : "has an empty name, '.' or '..'"
  }
}
