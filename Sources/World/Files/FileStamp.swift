#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// File metadata that changes whenever the file does, with the permissions and owner that control who can change it.
package struct FileStamp: Sendable, Equatable {
  package var kind: FileFacts.Kind
  /// The permission bits, such as `0o755`.
  package var mode: UInt32
  /// The owner's user id.
  package var owner: UInt32
  package var device: UInt64
  package var inode: UInt64
  package var size: Int
  /// The time of the last content change, in nanoseconds since 1970.
  package var modified: Int64
  /// The time of the last change to content, permissions or owner, in nanoseconds since 1970. No system call can set
  /// it back.
  package var changed: Int64

  package init(
    kind: FileFacts.Kind, mode: UInt32, owner: UInt32, device: UInt64, inode: UInt64, size: Int, modified: Int64,
    changed: Int64
  ) {
    (self.kind, self.mode, self.owner, self.device, self.inode) = (kind, mode, owner, device, inode)
    (self.size, self.modified, self.changed) = (size, modified, changed)
  }

  /// The effective user id of this process.
  package static var user: UInt32 { geteuid() }
}

extension FileStamp {
  init(_ status: stat) {
    #if canImport(Darwin)
      let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (modified, changed) = (status.st_mtim, status.st_ctim)
    #endif
    self.init(
      kind: FileFacts.Kind(status), mode: UInt32(status.st_mode & 0o7777), owner: UInt32(status.st_uid),
      device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino), size: Int(status.st_size),
      modified: Self.nanoseconds(modified), changed: Self.nanoseconds(changed))
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

extension FileFacts.Kind {
  init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .folder
    case S_IFLNK: self = .link
    default: self = .other
    }
  }
}
