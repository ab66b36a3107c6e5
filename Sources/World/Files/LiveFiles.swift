import Text

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The real file system.
package final class LiveFiles: Files {
  private let interruption: any Interruption

  package init(interruption: any Interruption) { self.interruption = interruption }

  package func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    try bytes(of: reader(path), path, limit: limit)
  }

  package func readRegular(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    // Without O_NONBLOCK, opening a pipe blocks until it has a writer. The flag has no effect on a regular file.
    let reader = FileReader(try opened(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), path, interruption)
    var status = stat()
    guard fstat(reader.descriptor, &status) == 0 else { throw .last("read \(path)") }
    guard FileStatus.Kind(status) == .file else {
      throw SystemError(number: SystemError.notRegular, call: "read \(path)")
    }
    return try bytes(of: reader, path, limit: limit)
  }

  private func bytes(of reader: FileReader, _ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    while let more = try reader.read(waits: true) {
      bytes += more
      guard bytes.count <= limit else { throw SystemError(number: EFBIG, call: "read \(path)") }
    }
    return bytes
  }

  package func reader(_ path: String) throws(SystemError) -> FileReader {
    FileReader(try opened(path, O_RDONLY | O_CLOEXEC), path, interruption)
  }

  package func scratchFile(in folder: String) throws(SystemError) -> ScratchFile {
    _ = try checked(folder)
    return try ScratchFile(in: folder)
  }

  package func replace(_ path: String, mode: UInt32, writing body: FileWriting) throws(SystemError) {
    _ = try checked(path)
    try FileReplacement(of: path).write(mode: mode, body)
  }

  package func append(_ bytes: [UInt8], to path: String) throws(SystemError) {
    // Without O_NONBLOCK, opening a pipe that has no reader would block.
    let descriptor = try opened(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_CLOEXEC)
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .last("fstat \(path)") }
    guard status.st_mode & S_IFMT == S_IFREG else { throw SystemError(number: EINVAL, call: "append to \(path)") }
    try writeFully(bytes, to: descriptor, call: "write \(path)")
  }

  package func makeFolder(_ path: String) throws(SystemError) {
    guard mkdir(try checked(path), 0o700) != 0 else { return }
    switch errno {
    case EEXIST:
      // Accept a link to a folder, as `mkdir -p` does.
      var status = stat()
      guard stat(try checked(path), &status) == 0 else { throw .last("stat \(path)") }
      guard status.st_mode & S_IFMT == S_IFDIR else { throw SystemError(number: ENOTDIR, call: "mkdir \(path)") }
    case ENOENT where parent(of: path) != path:
      try makeFolder(parent(of: path))
      try makeFolder(path)
    default:
      throw .last("mkdir \(path)")
    }
  }

  package func makeNewFolder(_ path: String) throws(SystemError) {
    let name = try checked(path)
    if parent(of: path) != path { try makeFolder(parent(of: path)) }
    // rmdir(2) only removes an empty folder, so this loses nothing even if another process is changing it.
    if mkdir(name, 0o700) == 0 || errno == EEXIST && rmdir(name) == 0 && mkdir(name, 0o700) == 0 { return }
    throw .last("create the folder \(path)")
  }

  package func removeFolder(_ path: String) throws(SystemError) {
    guard try status(path).kind != .link else { return try remove(path) }
    for name in try names(in: path) {
      let inner = "\(path)/\(name)"
      if try status(inner).kind == .folder { try removeFolder(inner) } else { try remove(inner) }
    }
    guard rmdir(try checked(path)) == 0 else { throw .last("rmdir \(path)") }
  }

  package func resolved(_ path: String) throws(SystemError) -> String {
    guard let resolved = realpath(try checked(path), nil) else { throw .last("realpath \(path)") }
    defer { free(resolved) }
    return FileName.text(of: UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
  }

  package func remove(_ path: String) throws(SystemError) {
    guard unlink(try checked(path)) == 0 else { throw .last("unlink \(path)") }
  }

  /// Runs `body` while holding a lock from flock(2), which is released whenever the process exits. The lock file is
  /// never removed: otherwise two processes could lock different files with the same name.
  /// - Throws: ``SystemError`` if the lock cannot be acquired, with `EINTR` once interrupted; also rethrows the
  ///   errors of `body`.
  package func locked<T>(_ path: String, after notice: LockNotice?, _ body: () throws -> T) throws -> T {
    let descriptor = try opened(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW)
    defer { close(descriptor) }
    // Check before the first wait: this installs the signal handlers that can interrupt it.
    guard !interruption.isInterrupted else { throw SystemError(number: EINTR, call: "flock \(path)") }
    if let notice, try !acquire(descriptor, within: notice.delay, path) { notice.give() }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR, !interruption.isInterrupted else { throw SystemError.last("flock \(path)") }
    }
    return try body()
  }

  /// Tries to acquire the lock until `limit` has passed.
  /// - Returns: Whether the lock was acquired.
  private func acquire(_ descriptor: Int32, within limit: Duration, _ path: String) throws(SystemError) -> Bool {
    let clock = LiveClock(interruption: interruption)
    let end = clock.monotonic() + limit
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else { throw .last("flock \(path)") }
      guard !interruption.isInterrupted else { throw SystemError(number: EINTR, call: "flock \(path)") }
      guard clock.monotonic() < end else { return false }
      clock.sleep(for: .milliseconds(20))
    }
    return true
  }

  package func lockedAtOnce<T>(_ path: String, _ body: () throws -> T) throws -> T? {
    guard let lock = try lock(path) else { return nil }
    defer { lock.release() }
    return try body()
  }

  package func lock(_ path: String) throws(SystemError) -> FileLock? { try lock(path, LOCK_EX) }

  package func sharedLock(_ path: String) throws(SystemError) -> FileLock? { try lock(path, LOCK_SH) }

  private func lock(_ path: String, _ kind: Int32) throws(SystemError) -> FileLock? {
    // On some file systems, the inode number of a file changes, so limit the attempts.
    var attemptsLeft = 16
    while true {
      attemptsLeft -= 1
      let descriptor = try opened(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW)
      while flock(descriptor, kind | LOCK_NB) != 0 {
        let number = errno
        if number == EINTR { continue }
        close(descriptor)
        if number == EWOULDBLOCK { return nil }
        throw SystemError(number: number, call: "flock \(path)")
      }
      // Another process may have removed the file before it was locked. Its lock would then exclude no other process.
      var (open, named) = (stat(), stat())
      let isSame =
        fstat(descriptor, &open) == 0 && lstat(path, &named) == 0 && open.st_ino == named.st_ino
        && open.st_dev == named.st_dev
      if isSame || attemptsLeft == 0 { return FileLock(descriptor) }
      close(descriptor)
    }
  }

  /// Opens the file. Opening a pipe waits for its other end.
  private func opened(_ path: String, _ flags: Int32) throws(SystemError) -> Int32 {
    let name = try checked(path)
    while true {
      let descriptor = open(name, flags, 0o600)
      if descriptor >= 0 { return descriptor }
      guard errno == EINTR, !interruption.isInterrupted else { throw .last("open \(path)") }
    }
  }

  /// The path for a function in C, which would treat a NUL as its end.
  func checked(_ path: String) throws(SystemError) -> [CChar] {
    guard !path.utf8.contains(0) else { throw SystemError(number: EINVAL, call: "open") }
    return cPath(path)
  }
}

/// The bytes of a path, for a function in C.
func cPath(_ path: String) -> [CChar] { FileName.bytes(of: path).map { CChar(bitPattern: $0) } + [0] }

/// Returns the parent folder: `.` for a relative name without a slash, `/` for the root.
func parent(of path: String) -> String {
  var bytes = Substring(path).utf8
  while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
  guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "." }
  var parent = bytes[..<slash]
  while parent.last == UInt8(ascii: "/") { parent.removeLast() }
  return parent.isEmpty ? "/" : String(Substring(parent))
}

extension LiveFiles {
  package func names(in folder: String) throws(SystemError) -> [String] {
    guard let listing = opendir(try checked(folder)) else { throw .last("open \(folder)") }
    defer { closedir(listing) }
    var names: [String] = []
    while let entry = readdir(listing) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) {
          FileName.text(of: UnsafeRawBufferPointer(start: $0, count: strlen($0)))
        }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  package func status(_ path: String) throws(SystemError) -> FileStatus {
    var status = stat()
    guard lstat(try checked(path), &status) == 0 else { throw .last("lstat \(path)") }
    return FileStatus(status)
  }

  package func exchange(_ folder: String, with other: String) throws(SystemError) -> Bool {
    var status = stat()
    guard lstat(try checked(other), &status) == 0 else {
      guard rename(try checked(folder), cPath(other)) == 0 else { throw .last("rename \(folder)") }
      return false
    }
    if RenameSwap.atOnce(folder, other) { return true }
    // Without an atomic swap, neither folder is in place for a moment. If the second step fails, undo the first.
    let aside = folder + ".aside"
    guard rename(cPath(other), cPath(aside)) == 0 else { throw .last("rename \(other)") }
    guard rename(cPath(folder), cPath(other)) == 0 else {
      let error = SystemError.last("rename \(folder)")
      rename(cPath(aside), cPath(other))
      throw error
    }
    guard rename(cPath(aside), cPath(folder)) == 0 else { throw .last("rename \(aside)") }
    return true
  }
}

/// An atomic swap of two names on one file system.
private enum RenameSwap {
  /// Returns false if the system or the file system does not support it.
  static func atOnce(_ one: String, _ other: String) -> Bool {
    #if canImport(Darwin)
      return renamex_np(cPath(one), cPath(other), UInt32(RENAME_SWAP)) == 0
    #else
      // glibc declares renameat2 only for C programs that define _GNU_SOURCE, and older versions lack it.
      typealias Function = @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
      guard let symbol = dlsym(nil, "renameat2") else { return false }
      let exchange: UInt32 = 2
      return unsafeBitCast(symbol, to: Function.self)(AT_FDCWD, cPath(one), AT_FDCWD, cPath(other), exchange) == 0
    #endif
  }
}

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
