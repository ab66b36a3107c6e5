#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An atomic file replacement. The new content is written to a temporary file in the same folder, which is then
/// renamed. A reader therefore sees either the old content or the new.
struct FileReplacement {
  private let path: String
  private let folder: String
  private let temporary: String

  init(of path: String) {
    self.path = path
    folder = parent(of: path)
    temporary = "\(folder)/.ifttt-\(String(UInt64.random(in: .min ... .max), radix: 36))"
  }

  /// Writes the file. A program that is killed halfway leaves the temporary hidden file, and the old file unchanged.
  func write(mode: UInt32, _ body: FileWriting) throws(SystemError) {
    let descriptor = open(cPath(temporary), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .last("open a new file in \(folder)") }
    do throws(SystemError) {
      try fill(descriptor, mode: mode, body)
      guard rename(cPath(temporary), cPath(path)) == 0 else { throw .last("rename \(path)") }
    } catch {
      unlink(cPath(temporary))
      throw error
    }
    try synchronizeFolder()
  }

  /// Writes the contents and closes the descriptor, even on failure.
  private func fill(_ descriptor: Int32, mode: UInt32, _ body: FileWriting) throws(SystemError) {
    do throws(SystemError) {
      try body { (bytes) throws(SystemError) in try writeFully(bytes, to: descriptor, call: "write \(path)") }
      guard fchmod(descriptor, mode_t(mode)) == 0 else { throw .last("fchmod \(path)") }
      try synchronize(descriptor)
    } catch {
      close(descriptor)
      throw error
    }
    // Network file systems report some write failures only on close.
    guard close(descriptor) == 0 else { throw .last("close \(path)") }
  }

  private func synchronize(_ descriptor: Int32) throws(SystemError) {
    #if canImport(Darwin)
      // On macOS, fsync leaves the data in the drive's cache. Not every file system supports F_FULLFSYNC.
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
    #endif
    guard fsync(descriptor) == 0 else { throw .last("fsync \(path)") }
  }

  /// Makes the rename durable. Some file systems do not support fsync on folders and make names durable in other
  /// ways.
  private func synchronizeFolder() throws(SystemError) {
    let descriptor = open(cPath(folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last("open \(folder)") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else { throw .last("fsync \(folder)") }
  }
}
