package import World

/// The contents of a plugin's folder: every file and folder with its file-system attributes.
package struct PluginContents: Sendable, Equatable {
  package struct Entry: Sendable, Equatable {
    /// The path relative to the plugin's folder, without a leading slash. Empty for the folder itself.
    package let path: String
    package let stamp: FileStamp
  }

  package static let fileLimit = 1000
  /// The limit on the total size of all files, in bytes.
  package static let sizeLimit = 64 << 20

  /// The files in byte order of their paths.
  package let files: [Entry]
  package let folders: [Entry]
  /// The total size in bytes.
  package var size: Int { files.reduce(0) { $0 + $1.stamp.size } }

  /// Reads the contents of a folder.
  /// - Parameter leavesOutHidden: whether to skip names that begin with a dot.
  /// - Throws: ``PluginContentsError`` if `folder` is not a folder, contains anything but files and folders, or
  ///   exceeds a limit.
  package init(
    of folder: String, in world: any Files, leavingOutHidden leavesOutHidden: Bool = false
  ) throws(PluginContentsError) {
    var (files, folders, waiting) = ([Entry](), [Entry](), [""])
    while let path = waiting.popLast() {
      let full = path.isEmpty ? folder : "\(folder)/\(path)"
      do throws(SystemError) {
        let entry = Entry(path: path, stamp: try world.stamp(full))
        switch entry.stamp.kind {
        case .file where !path.isEmpty: files.append(entry)
        case .folder:
          folders.append(entry)
          for name in try world.names(in: full) where !(leavesOutHidden && name.hasPrefix(".")) {
            waiting.append(path.isEmpty ? name : "\(path)/\(name)")
          }
        case .file, .link, .other:
          throw SystemError.notOfAPlugin
        }
      } catch {
        throw error == .notOfAPlugin
          ? PluginContentsError("\(path.isEmpty ? folder : "'\(path)'") is neither a file nor a folder")
          : PluginContentsError(error.description)
      }
      guard files.count <= Self.fileLimit, folders.count <= Self.fileLimit else {
        throw PluginContentsError("it has more than \(Self.fileLimit) files")
      }
    }
    self.files = files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    self.folders = folders
    guard size <= Self.sizeLimit else { throw PluginContentsError("it is larger than \(Self.sizeLimit >> 20) MiB") }
  }

  /// The first file or folder that another user could change: its owner is not in `owners`, or its mode lets others
  /// write to it.
  package func exposed(toAllBut owners: Set<UInt32>) -> Entry? {
    (folders + files).first { !owners.contains($0.stamp.owner) || $0.stamp.mode & 0o022 != 0 }
  }

  /// The first two paths that collide on a case-insensitive file system.
  package static func twins(among paths: some Sequence<String>) -> (String, String)? {
    var seen: [String: String] = [:]
    for path in paths {
      if let other = seen.updateValue(path, forKey: path.lowercased()) { return (other, path) }
    }
    return nil
  }
}

/// The reason why a folder is not a valid plugin.
package struct PluginContentsError: Error, Sendable, Equatable, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}

extension SystemError {
  /// A placeholder for an entry that plugins may not contain, until a message describes it.
  fileprivate static let notOfAPlugin = SystemError(number: 0, call: "")
}
