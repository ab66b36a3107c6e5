#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A location in the file system, with the folders that contain it.
///
/// Locations are compared by the identities of files, not by the spelling of their paths: `~//bin`, a link to `~/bin`
/// and a bind mount of it are one location.
package struct FileLocation: Sendable {
  /// The absolute path, with links resolved. It may end in names that do not exist.
  package let path: String
  /// The kind of file; nil if it does not exist.
  package let kind: FileStatus.Kind?
  /// The identities of the file, if it exists, and of the folders that contain it, innermost first.
  private let lineage: [Identity]

  private struct Identity: Hashable {
    let device: UInt64
    let inode: UInt64

    init(_ status: FileStatus) { (device, inode) = (status.device, status.inode) }
  }

  /// - Returns: nil if not even a folder above the file can be found.
  package init?(_ path: String, in files: any Files) {
    var (existing, missing) = (path, [String]())
    var resolved = try? files.resolved(existing)
    while resolved == nil {
      let folder = parent(of: existing)
      guard folder != existing else { return nil }
      missing.insert(existing.lastName, at: 0)
      existing = folder
      resolved = try? files.resolved(existing)
    }
    guard let resolved else { return nil }
    self.path = missing.reduce(resolved) { $0.appending(pathName: $1) }
    kind = missing.isEmpty ? (try? files.status(resolved))?.kind : nil
    var (folder, lineage) = (resolved, [Identity]())
    while true {
      // A folder above may be inaccessible.
      if let status = try? files.status(folder) { lineage.append(Identity(status)) }
      guard folder != "/" else { break }
      folder = parent(of: folder)
    }
    self.lineage = lineage
  }

  /// The folder that contains a file, as its path names it.
  package init?(folderOf path: String, in files: any Files) { self.init(parent(of: path), in: files) }

  private init(_ path: String, _ status: FileStatus, in folder: FileLocation) {
    (self.path, kind) = (path, status.kind)
    lineage = [Identity(status)] + folder.lineage
  }

  /// Whether another location is this one, or is inside this folder.
  package func contains(_ other: FileLocation) -> Bool {
    guard kind != nil, let own = lineage.first else { return path.utf8.elementsEqual(other.path.utf8) }
    return other.lineage.contains(own)
  }

  /// Whether this location is the file with this status, or is inside that folder.
  private func isAtOrBelow(_ status: FileStatus) -> Bool { lineage.contains(Identity(status)) }

  /// The mount points at which this file or a folder that contains it also appears, as after `mount --bind`.
  /// - Parameter points: The paths at which file systems are mounted.
  package func otherMounts(_ points: [String], in files: any Files) -> [FileLocation] {
    points.compactMap { point in
      guard point != "/", path != point, !path.hasPrefix(point + "/"), let status = try? files.status(point),
        isAtOrBelow(status)
      else { return nil }
      return FileLocation(point, in: files)
    }
  }

  /// The files in a folder. A link in it is a location of its own, not that of its target.
  package func contents(in files: any Files) -> [FileLocation] {
    ((try? files.names(in: path)) ?? []).compactMap { name in
      let inner = path.appending(pathName: name)
      return (try? files.status(inner)).map { FileLocation(inner, $0, in: self) }
    }
  }

  /// The last name of the path; empty for the root.
  package var name: String { path.lastName }
  /// The path of the folder that contains it.
  package var folder: String { parent(of: path) }
}

extension FileLocation: Equatable {
  package static func == (one: FileLocation, other: FileLocation) -> Bool { one.contains(other) && other.contains(one) }
}

extension String {
  /// The path of a file in the folder at this path.
  fileprivate func appending(pathName name: String) -> String { self == "/" ? "/\(name)" : "\(self)/\(name)" }

  /// The last name, found in the bytes: Swift joins a slash and a combining character after it into one character.
  fileprivate var lastName: String {
    utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? ""
  }
}

extension World {
  /// The paths at which file systems are mounted; empty if the system does not list them in /proc.
  package var mountPoints: [String] {
    let list = (try? files.readRegular("/proc/self/mountinfo", limit: 16 << 20)) ?? []
    return list.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
      return fields.count == 6 ? Self.unescaped(fields[4]) : nil
    }
  }

  /// The kernel writes spaces and line breaks as a backslash and three octal digits.
  private static func unescaped(_ field: ArraySlice<UInt8>) -> String {
    var (bytes, rest) = ([UInt8](), field)
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let code = UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8)
      else {
        bytes.append(byte)
        continue
      }
      bytes.append(code)
      rest = rest.dropFirst(3)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Finds the location of a path from the user.
  package func location(_ path: String) -> FileLocation? { FileLocation(self.path(path), in: files) }

  /// Resolves a path from the user to one that is valid from any folder.
  package func absolutePath(_ name: String) throws(SystemError) -> String {
    let path = path(name)
    guard !path.hasPrefix("/") else { return path }
    guard let folder = getcwd(nil, 0) else { throw .last("access the working folder") }
    defer { free(folder) }
    return "\(String(cString: folder))/\(path.hasPrefix("./") ? path.dropFirst(2) : path[...])"
  }
}
