/// A path that a plugin declares that it reads or writes.
public struct FileAccess: Sendable, Equatable {
  /// What the plugin does with the path.
  public enum Mode: String, Sendable, CaseIterable {
    case read
    /// It also reads what it writes.
    case write
  }

  /// An absolute path, or one that begins with the name of a ``Root``. A folder includes its contents.
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
  /// A folder that a path begins with.
  package enum Root: String, CaseIterable {
    case absolute = ""
    case home = "~"
    /// The folder that the program was started in.
    case workingFolder = "."
    case temporaryFolder = "$TMPDIR"
    /// The folders of the host itself, for a plugin that runs `ifttt`.
    case program = "$IFTTT_HOME"
  }

  package var root: Root { Root(rawValue: firstName) ?? .absolute }

  /// The path below its root: empty, or with a leading slash.
  package var rest: String { String(path.dropFirst(firstName.count)) }

  private var firstName: String { String(path.prefix { $0 != "/" }) }

  /// Why a path cannot be declared, phrased to follow the path; nil if it can.
  static func problem(ofPath path: String) -> String? {
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard let root = Root(rawValue: parts[0]), !path.isEmpty else {
      return "does not begin with '/', '~', '.', '$TMPDIR' or '$IFTTT_HOME'"
    }
    if path == "/" { return nil }
    let names = parts.dropFirst()
    if root == .program, !names.isEmpty { return "names a part of $IFTTT_HOME" }
    // Two spellings of one path would hide a change of the manifest.
    return names.allSatisfy { !["", ".", ".."].contains($0) } ? nil : "has an empty name, '.' or '..'"
  }
}
