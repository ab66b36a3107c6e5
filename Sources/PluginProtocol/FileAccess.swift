/// A path that a plugin declares that it reads or writes.
public struct FileAccess: Sendable, Equatable {
  /// What the plugin does with the path.
  public enum Mode: String, Sendable, CaseIterable {
    case read
    /// It also reads what it writes.
    case write
  }

  /// An absolute path, or one that begins with `~/` for the user's home folder. A folder includes its contents.
  public var path: String
  /// What the plugin does with it.
  public var mode: Mode

  /// Creates an access without checking it.
  public init(_ mode: Mode, _ path: String) { (self.mode, self.path) = (mode, path) }
}

extension FileAccess: CustomStringConvertible {
  /// The access in words: `read ~/feeds.opml`.
  public var description: String { "\(mode.rawValue) \(path)" }
}

extension FileAccess {
  /// Why a path cannot be declared, phrased to follow the path; nil if it can.
  static func problem(ofPath path: String) -> String? {
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Array($0) }
    guard parts.count > 1, parts[0].isEmpty || parts[0] == [UInt8(ascii: "~")] else {
      return "does not begin with '/' or '~/'"
    }
    // Two spellings of one path would hide a change of the manifest.
    let names = parts.dropFirst()
    let isPlain = names.allSatisfy { !$0.isEmpty && $0 != Array(".".utf8) && $0 != Array("..".utf8) }
    return isPlain ? nil : "has an empty name, '.' or '..'"
  }
}
