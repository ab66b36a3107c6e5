package import PluginProtocol
import Text
package import World

/// The contents of a plugin's folder: every file and folder with its file-system attributes.
package struct PluginContents: Sendable, Equatable {
  package struct Entry: Sendable, Equatable {
    /// The path relative to the plugin's folder, without a leading slash. Empty for the folder itself.
    package let path: String
    package let stamp: FileStatus
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
  /// - Parameter skipsHidden: Whether to skip names that begin with a dot.
  /// - Throws: ``PluginContentsError`` if `folder` is not a folder, contains anything but files and folders, or
  ///   exceeds a limit.
  package init(
    of folder: String, in world: any Files, skippingHidden skipsHidden: Bool = false
  ) throws(PluginContentsError) {
    var (files, folders, waiting) = ([Entry](), [Entry](), [""])
    while let path = waiting.popLast() {
      let full = path.isEmpty ? folder : "\(folder)/\(path)"
      do throws(SystemError) {
        let entry = Entry(path: path, stamp: try world.status(full))
        switch entry.stamp.kind {
        case .file where !path.isEmpty: files.append(entry)
        case .folder:
          folders.append(entry)
          for name in try world.names(in: full) where !(skipsHidden && name.hasPrefix(".")) {
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
  /// Whether the executable is missing, as in a repository with the source code of a compiled language.
  package let isUnbuilt: Bool

  package init(_ description: String, isUnbuilt: Bool = false) {
    (self.description, self.isUnbuilt) = (description, isUnbuilt)
  }
}

extension SystemError {
  /// A placeholder for an entry that plugins may not contain, until a message describes it.
  fileprivate static let notOfAPlugin = SystemError(number: 0, call: "")
}

/// A hash that identifies the content of a plugin's folder: SHA-256 over all its files.
///
/// For each file, in byte order of the paths: the path, NUL, `x` for an executable or `-` for any other file, NUL,
/// the size in decimal digits, NUL, and the 32 bytes of the SHA-256 of its content.
package struct ContentHash {
  private var message: [UInt8] = []

  package init() {}

  /// Adds a file. Files must be added in byte order of their paths.
  package mutating func add(_ path: String, isExecutable: Bool, _ bytes: [UInt8]) {
    message += path.utf8
    message += [0, isExecutable ? UInt8(ascii: "x") : UInt8(ascii: "-"), 0]
    message += String(bytes.count).utf8
    message += [0]
    message += SHA256.hash(bytes)
  }

  /// 64 lowercase hexadecimal digits.
  package var text: String { SHA256.hash(message).hex }

  /// The hash of a folder's content.
  /// - Throws: ``SystemError``, and ``PluginContentsError`` for a file whose size has changed.
  package static func of(_ contents: PluginContents, in folder: String, _ files: any Files) throws -> String {
    var hash = ContentHash()
    for file in contents.files {
      let bytes = try files.readRegular("\(folder)/\(file.path)", limit: PluginContents.sizeLimit)
      guard bytes.count == file.stamp.size else {
        throw PluginContentsError("'\(file.path)' changed while it was read")
      }
      hash.add(file.path, isExecutable: file.isExecutable, bytes)
    }
    return hash.text
  }

  /// Whether a text has the form of a content hash.
  package static func isOne(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy(\.isLowercaseHexadecimal)
  }
}

extension PluginContents.Entry {
  package var isExecutable: Bool { stamp.mode & 0o100 != 0 }
}

/// A plugin that is about to be installed, completely read into memory, so that the inspected, approved and written
/// files are the same.
package final class PluginPackage: Sendable {
  package struct File: Sendable, Equatable {
    package let path: String
    package let isExecutable: Bool
    package let bytes: [UInt8]
    package init(path: String, isExecutable: Bool, bytes: [UInt8]) {
      (self.path, self.isExecutable, self.bytes) = (path, isExecutable, bytes)
    }
  }

  package let manifest: Manifest
  /// The files in byte order of their paths.
  package let files: [File]
  package let sha256: String
  /// The total size of all files, in bytes.
  package var size: Int { files.reduce(0) { $0 + $1.bytes.count } }

  /// Checks the files of a plugin.
  /// - Throws: ``PluginContentsError`` and ``ManifestError`` if the files are not a valid plugin.
  package init(_ files: [File]) throws {
    if let (first, second) = PluginContents.twins(among: files.map(\.path)) {
      throw PluginContentsError("'\(first)' and '\(second)' differ only in case")
    }
    for file in files {
      // File names are shown before the plugin is installed, so they must be printable.
      if let problem = ManifestText.problem(in: file.path) {
        throw PluginContentsError("the file name '\(file.path)' has \(problem)")
      }
    }
    guard let manifestFile = files.first(where: { $0.path == Manifest.fileName }) else {
      throw PluginContentsError("it has no \(Manifest.fileName)")
    }
    let manifest = try Manifest(forAuthor: manifestFile.bytes, acceptingUnknown: true)
    guard files.contains(where: { $0.path == manifest.executable }) else {
      throw PluginContentsError("its executable '\(manifest.executable)' is missing", isUnbuilt: true)
    }
    // Not every archive format stores permissions.
    self.files = files.map { file in
      File(path: file.path, isExecutable: file.isExecutable || file.path == manifest.executable, bytes: file.bytes)
    }.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    var hash = ContentHash()
    for file in self.files { hash.add(file.path, isExecutable: file.isExecutable, file.bytes) }
    (self.manifest, sha256) = (manifest, hash.text)
  }

  /// Rejects members of the manifest that this version does not define.
  package func rejectUnknownMembers() throws(ManifestError) {
    for file in files where file.path == Manifest.fileName { try UnknownMembers().reject(in: file.bytes) }
  }

  /// Reads a folder. Hidden files (`.git`, `.DS_Store`) belong to the author and are skipped.
  /// - Parameter names: the only files to read; nil for all.
  package convenience init(folder: String, only names: [String]? = nil, in world: any Files) throws {
    var files: [File] = []
    if let names {
      for name in names { files.append(try Self.file(name, in: folder, world)) }
    } else {
      // The final dot follows a link that the user named; inside the folder, links are not followed.
      let contents = try PluginContents(of: "\(folder)/.", in: world, skippingHidden: true)
      for entry in contents.files { files.append(try Self.file(entry.path, in: folder, world)) }
    }
    try self.init(files)
  }

  private static func file(_ path: String, in folder: String, _ files: any Files) throws -> File {
    let full = "\(folder)/\(path)"
    let status = try files.status(full)
    guard status.kind == .file else { throw PluginContentsError("'\(path)' is neither a file nor a folder") }
    return File(
      path: path, isExecutable: status.mode & 0o100 != 0,
      bytes: try files.readRegular(full, limit: PluginContents.sizeLimit))
  }

  /// Writes the files to an existing, empty folder, accessible to its owner only.
  package func write(to folder: String, in world: any Files) throws(SystemError) {
    for file in files {
      let path = "\(folder)/\(file.path)"
      if let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) { try world.makeFolder(String(path[..<slash])) }
      try world.replace(path, with: file.bytes, mode: file.isExecutable ? 0o700 : 0o600)
    }
  }
}
