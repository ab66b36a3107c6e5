#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// One file written whole beside the one it then replaces, so that a reader sees the old content or the new.
struct FileReplacement {
  private let path: String
  private let folder: String
  private let temporary: String

  init(of path: String) {
    self.path = path
    folder = parent(of: path)
    temporary = "\(folder)/.ifttt-\(String(UInt64.random(in: .min ... .max), radix: 36))"
  }

  /// A program killed on the way leaves the new file, under its hidden name, and the old one untouched.
  func write(_ bytes: [UInt8], mode: UInt32) throws(SystemError) {
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .last("open a new file in \(folder)") }
    do throws(SystemError) {
      try fill(descriptor, with: bytes, mode: mode)
      guard rename(temporary, path) == 0 else { throw .last("rename \(path)") }
    } catch {
      unlink(temporary)
      throw error
    }
    try synchroniseFolder()
  }

  /// Closes the descriptor, whatever happens.
  private func fill(_ descriptor: Int32, with bytes: [UInt8], mode: UInt32) throws(SystemError) {
    do throws(SystemError) {
      try writeFully(bytes, to: descriptor, call: "write \(path)")
      guard fchmod(descriptor, mode_t(mode)) == 0 else { throw .last("fchmod \(path)") }
      try synchronise(descriptor)
    } catch {
      close(descriptor)
      throw error
    }
    // Network file systems report some failed writes only here.
    guard close(descriptor) == 0 else { throw .last("close \(path)") }
  }

  private func synchronise(_ descriptor: Int32) throws(SystemError) {
    #if canImport(Darwin)
      // Where fsync leaves the bytes in the drive's own cache. Not every file system offers it.
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
    #endif
    guard fsync(descriptor) == 0 else { throw .last("fsync \(path)") }
  }

  /// Makes the new name last. Some file systems do not know how to, and keep names safe in other ways.
  private func synchroniseFolder() throws(SystemError) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last("open \(folder)") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else { throw .last("fsync \(folder)") }
  }
}
