package import PluginProtocol
package import World

/// A plugin that is about to be installed, completely read into memory, so that the inspected, approved and written
/// files are the same.
package struct PluginPackage: Sendable {
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
    if let (one, other) = PluginContents.twins(among: files.map(\.path)) {
      throw PluginContentsError("'\(one)' and '\(other)' differ only in case")
    }
    for file in files {
      // File names are shown before the plugin is installed, so they must be printable.
      if let problem = ManifestText.problem(in: file.path) {
        throw PluginContentsError("the file name '\(file.path)' has \(problem)")
      }
    }
    guard let text = files.first(where: { $0.path == Manifest.fileName }) else {
      throw PluginContentsError("it has no \(Manifest.fileName)")
    }
    let manifest = try Manifest(forAuthor: text.bytes, acceptingUnknown: true)
    guard files.contains(where: { $0.path == manifest.executable }) else {
      throw PluginContentsError("its executable '\(manifest.executable)' is missing")
    }
    // Not every archive format stores permissions.
    self.files = files.map { file in
      File(path: file.path, isExecutable: file.isExecutable || file.path == manifest.executable, bytes: file.bytes)
    }.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    var hash = ContentHash()
    for file in self.files { hash.add(file.path, isExecutable: file.isExecutable, file.bytes) }
    (self.manifest, sha256) = (manifest, hash.text)
  }

  /// Rejects members of the manifest that this version does not know.
  package func rejectUnknownMembers() throws(ManifestError) {
    for file in files where file.path == Manifest.fileName { try UnknownMembers().reject(in: file.bytes) }
  }

  /// Reads a folder. Hidden files (`.git`, `.DS_Store`) belong to the author and are skipped.
  /// - Parameter names: the only files to read; nil for all.
  package init(folder: String, only names: [String]? = nil, in world: any Files) throws {
    var files: [File] = []
    if let names {
      for name in names { files.append(try Self.file(name, in: folder, world)) }
    } else {
      // The final dot follows a link that the user named; inside the folder, links are not followed.
      let contents = try PluginContents(of: "\(folder)/.", in: world, leavingOutHidden: true)
      for entry in contents.files { files.append(try Self.file(entry.path, in: folder, world)) }
    }
    try self.init(files)
  }

  private static func file(_ path: String, in folder: String, _ files: any Files) throws -> File {
    let full = "\(folder)/\(path)"
    let facts = try files.facts(full)
    guard facts.kind == .file else { throw PluginContentsError("'\(path)' is neither a file nor a folder") }
    return File(
      path: path, isExecutable: facts.mode & 0o100 != 0,
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
