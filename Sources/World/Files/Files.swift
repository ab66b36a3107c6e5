#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The file system for the program's own reads and writes. SQLite opens its files itself.
package protocol Files: AnyObject {
  /// Reads a whole file. It follows links and reads pipes, because a user may pass `/dev/stdin` or `<(command)`.
  /// - Throws: ``SystemError``: `EFBIG` if there are more than `limit` bytes, `EINTR` once interrupted.
  func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8]
  /// Reads a file that the user did not name in this run. Unlike ``read(_:limit:)``, it never waits for a pipe or
  /// device.
  /// - Throws: ``SystemError/isNotRegular`` for anything but a regular file.
  func readRegular(_ path: String, limit: Int) throws(SystemError) -> [UInt8]
  /// Opens a file that is read piece by piece.
  func reader(_ path: String) throws(SystemError) -> FileReader
  /// Creates a private temporary file without a name.
  func scratchFile(in folder: String) throws(SystemError) -> ScratchFile
  /// Writes a temporary file next to the old one, syncs it and renames it into place.
  /// - Parameters:
  ///   - mode: As in chmod.
  ///   - body: Writes the contents piece by piece.
  func replace(_ path: String, mode: UInt32, writing body: FileWriting) throws(SystemError)
  /// Appends to a regular file, which is created if it does not exist.
  func append(_ bytes: [UInt8], to path: String) throws(SystemError)
  /// Creates the folder and its missing parents, each with mode 0700.
  func makeFolder(_ path: String) throws(SystemError)
  /// Creates a folder with mode 0700 that does not exist or is empty. Missing parents are created as in
  /// ``makeFolder(_:)``.
  func makeNewFolder(_ path: String) throws(SystemError)
  /// Removes a folder and its contents. Links are removed, not followed.
  func removeFolder(_ path: String) throws(SystemError)
  /// Returns the metadata of a file, a folder or a link itself, as from `lstat`.
  func status(_ path: String) throws(SystemError) -> FileStatus
  /// Returns the absolute path of an existing file or folder, with symbolic links resolved.
  func resolved(_ path: String) throws(SystemError) -> String
  func remove(_ path: String) throws(SystemError)
  /// Returns the names in a folder, in byte order.
  func names(in folder: String) throws(SystemError) -> [String]
  /// Moves a folder to another path. If that path already has a folder, the two are swapped, atomically if the system
  /// supports it.
  /// - Returns: Whether the other path already had a folder.
  func exchange(_ folder: String, with other: String) throws(SystemError) -> Bool
  /// Runs `body` while holding an exclusive lock on `path`, which is created with mode 0600.
  /// - Parameter notice: An action for when another process holds the lock for too long.
  func locked<T>(_ path: String, after notice: LockNotice?, _ body: () throws -> T) throws -> T
  /// Like `locked`, but returns nil immediately if another process holds the lock.
  func lockedAtOnce<T>(_ path: String, _ body: () throws -> T) throws -> T?
  /// Acquires the lock of ``locked(_:after:_:)`` until it is released or the process ends. Returns nil immediately if
  /// another holder has it.
  func lock(_ path: String) throws(SystemError) -> FileLock?
  /// Like `lock`, but several processes can hold the lock together. It excludes only the locks of the other methods.
  func sharedLock(_ path: String) throws(SystemError) -> FileLock?
}

/// Calls its argument with each piece of a file's contents.
package typealias FileWriting = (_ write: ([UInt8]) throws(SystemError) -> Void) throws(SystemError) -> Void

extension Files {
  package func replace(_ path: String, with bytes: [UInt8], mode: UInt32) throws(SystemError) {
    try replace(path, mode: mode) { (write) throws(SystemError) in try write(bytes) }
  }

  /// Whether the path is that of a file, a folder or a link, even a broken link.
  package func exists(_ path: String) -> Bool { (try? status(path)) != nil }

  /// Runs `body` while holding the lock, without a notice.
  package func locked<T>(_ path: String, _ body: () throws -> T) throws -> T { try locked(path, after: nil, body) }
}

/// An action that runs once if waiting for a lock takes too long.
package struct LockNotice {
  package var delay: Duration
  package var give: () -> Void
  package init(after delay: Duration, _ give: @escaping () -> Void) { (self.delay, self.give) = (delay, give) }
}

/// File metadata that distinguishes the file from any other file, and from itself after a change, with the permissions
/// and owner that control who can change it.
package struct FileStatus: Sendable, Equatable {
  package enum Kind: Sendable { case file, folder, link, other }
  package var kind: Kind
  /// The permission bits, such as `0o755`.
  package var mode: UInt32
  /// The owner's user id.
  package var owner: UInt32
  /// The group's id.
  package var group: UInt32
  package var device: UInt64
  package var inode: UInt64
  package var size: Int
  /// The time of the last content change, in nanoseconds since 1970.
  package var modified: Int64
  /// The time of the last change to content, permissions or owner, in nanoseconds since 1970. No system call can set
  /// it back.
  package var changed: Int64

  package init(
    kind: Kind, mode: UInt32, owner: UInt32, group: UInt32, device: UInt64, inode: UInt64, size: Int, modified: Int64,
    changed: Int64
  ) {
    (self.kind, self.mode, self.owner, self.group) = (kind, mode, owner, group)
    (self.device, self.inode) = (device, inode)
    (self.size, self.modified, self.changed) = (size, modified, changed)
  }

  /// The effective user id of this process.
  package static var user: UInt32 { geteuid() }
}

extension FileStatus {
  init(_ status: stat) {
    #if canImport(Darwin)
      let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (modified, changed) = (status.st_mtim, status.st_ctim)
    #endif
    self.init(
      kind: Kind(status), mode: UInt32(status.st_mode & 0o7777), owner: UInt32(status.st_uid),
      group: UInt32(status.st_gid),
      device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino), size: Int(status.st_size),
      modified: Self.nanoseconds(modified), changed: Self.nanoseconds(changed))
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

extension FileStatus.Kind {
  init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .folder
    case S_IFLNK: self = .link
    default: self = .other
    }
  }
}
