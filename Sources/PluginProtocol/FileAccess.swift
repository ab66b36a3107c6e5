/// A path that a plugin declares that it reads or writes.
public struct FileAccess: Sendable, Equatable {
  /// What the plugin does with the path.
  public enum Mode: String, Sendable, CaseIterable {
    case read
    /// It also reads what it writes.
    case write
  }

  /// A path that is absolute or begins with `~`, `.` for the current folder, `$IFTTT_HOME` for the host's own folders, or
  /// another variable that the plugin receives. A folder includes its contents.
  public var path: String
  /// What the plugin does with it.
  public var mode: Mode

  /// Creates an access without checking it.
  public init(_ mode: Mode, _ path: String) { (self.mode, self.path) = (mode, path) }
}

extension FileAccess: CustomStringConvertible {
  /// The access in words: `read ~/feeds.opml`.
  public var description: String {
    let words =
      switch root {
      case .program: "the data of ifttt with all stored credentials"
      case .absolute where path == "/": "all files"
      case .home where rest.isEmpty: "your home folder"
      case .workingFolder where rest.isEmpty: "the current folder"
      default: path
      }
    return "\(mode.rawValue) \(words)"
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

  /// Found in the bytes: for Swift, a slash and a combining character after it are one other character.
  private var firstSlash: String.Index { path.utf8.firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex }

  /// Why a path cannot be declared, phrased to follow the path; nil if it can.
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
