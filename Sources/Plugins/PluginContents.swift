package import World

/// What lies in a plugin's folder: every file of it, and how each looks to the file system.
package struct PluginContents: Sendable, Equatable {
  package struct Entry: Sendable, Equatable {
    /// From the plugin's folder, without a slash at its beginning. Empty for the folder itself.
    package let path: String
    package let stamp: FileStamp
  }

  package static let fileLimit = 1000
  /// In bytes, of all files together.
  package static let sizeLimit = 64 << 20

  /// In the order of the bytes of their paths.
  package let files: [Entry]
  package let folders: [Entry]
  /// In bytes.
  package var size: Int { files.reduce(0) { $0 + $1.stamp.size } }

  /// - Parameter leavesOutHidden: whether names that begin with a dot are passed over.
  /// - Throws: ``PluginContentsError`` for what is no folder, and for one that holds anything but files and folders, or too
  ///   much of them.
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

  /// The first of files and folders that somebody else could change: it belongs to none of `owners`, or others may write
  /// to it.
  package func exposed(toAllBut owners: Set<UInt32>) -> Entry? {
    (folders + files).first { !owners.contains($0.stamp.owner) || $0.stamp.mode & 0o022 != 0 }
  }

  /// The first two paths that a file system without upper and lower case would take for one.
  package static func twins(among paths: some Sequence<String>) -> (String, String)? {
    var seen: [String: String] = [:]
    for path in paths {
      if let other = seen.updateValue(path, forKey: path.lowercased()) { return (other, path) }
    }
    return nil
  }
}

/// Why a folder cannot be a plugin's.
package struct PluginContentsError: Error, Sendable, Equatable, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}

extension SystemError {
  /// Stands for what no plugin may hold until it is put into words.
  fileprivate static let notOfAPlugin = SystemError(number: 0, call: "")
}
