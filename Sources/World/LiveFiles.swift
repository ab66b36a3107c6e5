#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The real file system.
package final class LiveFiles: Files {
  private let interruption: any Interruption

  package init(interruption: any Interruption) { self.interruption = interruption }

  /// Links are followed and pipes read, because a user may name `/dev/stdin` or `<(command)`.
  /// - Throws: ``SystemError``; `EFBIG` for more than `limit` bytes, `EINTR` once interrupted.
  package func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    let descriptor = try opened(path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    return try bytes(of: descriptor, path, limit: limit)
  }

  package func readRegular(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    // Without O_NONBLOCK, opening a pipe waits until something writes to it; a regular file is read the same either way.
    let descriptor = try opened(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .last("read \(path)") }
    guard FileFacts.Kind(status) == .file else {
      throw SystemError(number: SystemError.notRegular, call: "read \(path)")
    }
    return try bytes(of: descriptor, path, limit: limit)
  }

  private func bytes(of descriptor: Int32, _ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    while let more = try piece(of: descriptor, path) {
      bytes += more
      guard bytes.count <= limit else { throw SystemError(number: EFBIG, call: "read \(path)") }
    }
    return bytes
  }

  package func read(_ path: String, each body: ([UInt8]) throws -> Void) throws {
    let descriptor = try opened(path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    while let more = try piece(of: descriptor, path) { try body(more) }
  }

  /// What comes next; nil at the end.
  private func piece(of descriptor: Int32, _ path: String) throws(SystemError) -> [UInt8]? {
    while true {
      let ready = Readiness.wait(
        for: [.init(descriptor, .reading), .init(interruption.descriptor, .reading)], atMost: nil)
      if ready[1] { throw SystemError(number: EINTR, call: "read \(path)") }
      guard ready[0] else { continue }
      switch Chunk.read(from: descriptor, call: "read \(path)") {
      case .bytes(let more): return more
      case .end: return nil
      case .nothing: continue
      case .failed(let error): throw error
      }
    }
  }

  package func replace(_ path: String, with bytes: [UInt8], mode: UInt32) throws(SystemError) {
    try FileReplacement(of: checked(path)).write(bytes, mode: mode)
  }

  package func append(_ bytes: [UInt8], to path: String) throws(SystemError) {
    // Without O_NONBLOCK, opening a pipe without a reader would block.
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
      // A link to a folder will do, as it does for mkdir -p.
      var status = stat()
      guard stat(path, &status) == 0 else { throw .last("stat \(path)") }
      guard status.st_mode & S_IFMT == S_IFDIR else { throw SystemError(number: ENOTDIR, call: "mkdir \(path)") }
    case ENOENT where parent(of: path) != path:
      try makeFolder(parent(of: path))
      try makeFolder(path)
    default:
      throw .last("mkdir \(path)")
    }
  }

  package func makeNewFolder(_ path: String) throws(SystemError) {
    let path = try checked(path)
    if parent(of: path) != path { try makeFolder(parent(of: path)) }
    // rmdir(2) takes no folder that holds something, so nothing is lost, whoever else is at it.
    if mkdir(path, 0o700) == 0 || errno == EEXIST && rmdir(path) == 0 && mkdir(path, 0o700) == 0 { return }
    throw .last("make the folder \(path)")
  }

  package func removeFolder(_ path: String) throws(SystemError) {
    guard try facts(path).kind != .link else { return try remove(path) }
    for name in try names(in: path) {
      let inner = "\(path)/\(name)"
      if try facts(inner).kind == .folder { try removeFolder(inner) } else { try remove(inner) }
    }
    guard rmdir(path) == 0 else { throw .last("rmdir \(path)") }
  }

  package func facts(_ path: String) throws(SystemError) -> FileFacts {
    var status = stat()
    guard lstat(try checked(path), &status) == 0 else { throw .last("lstat \(path)") }
    return FileFacts(
      kind: FileFacts.Kind(status), mode: UInt32(status.st_mode & 0o7777), isOwn: status.st_uid == geteuid(),
      size: Int(status.st_size))
  }

  package func remove(_ path: String) throws(SystemError) {
    guard unlink(try checked(path)) == 0 else { throw .last("unlink \(path)") }
  }

  /// The lock is flock(2)'s: it ends with the process, however that ends. The file stays, because removing it would
  /// let two processes lock different files of one name.
  /// - Throws: ``SystemError`` when the lock cannot be had, `EINTR` once interrupted; else what `body` throws.
  package func locked<T>(_ path: String, after notice: LockNotice?, _ body: () throws -> T) throws -> T {
    let descriptor = try opened(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW)
    defer { close(descriptor) }
    // Asked before the first wait, so that the signal handlers are there to end it.
    guard !interruption.isInterrupted else { throw SystemError(number: EINTR, call: "flock \(path)") }
    if let notice, try !locks(descriptor, within: notice.delay, path) { notice.give() }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR, !interruption.isInterrupted else { throw SystemError.last("flock \(path)") }
    }
    return try body()
  }

  /// - Returns: whether it has the lock; false after `limit`.
  private func locks(_ descriptor: Int32, within limit: Duration, _ path: String) throws(SystemError) -> Bool {
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
    let descriptor = try opened(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW)
    defer { close(descriptor) }
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return nil }
      guard errno == EINTR else { throw SystemError.last("flock \(path)") }
    }
    return try body()
  }

  package func lock(_ path: String) throws(SystemError) -> (any FileLock)? {
    let descriptor = try opened(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW)
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let number = errno
      if number == EINTR { continue }
      close(descriptor)
      if number == EWOULDBLOCK { return nil }
      throw SystemError(number: number, call: "flock \(path)")
    }
    return AdvisoryFileLock(descriptor)
  }

  /// Waits where the other end of a pipe is not there yet.
  private func opened(_ path: String, _ flags: Int32) throws(SystemError) -> Int32 {
    let path = try checked(path)
    while true {
      let descriptor = open(path, flags, 0o600)
      if descriptor >= 0 { return descriptor }
      guard errno == EINTR, !interruption.isInterrupted else { throw .last("open \(path)") }
    }
  }

  /// C would take a NUL for the end of the path.
  func checked(_ path: String) throws(SystemError) -> String {
    guard !path.utf8.contains(0) else { throw SystemError(number: EINVAL, call: "open") }
    return path
  }
}

/// `.` for a relative name without a slash, `/` for the root.
func parent(of path: String) -> String {
  var bytes = Substring(path).utf8
  while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
  guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "." }
  var parent = bytes[..<slash]
  while parent.last == UInt8(ascii: "/") { parent.removeLast() }
  return parent.isEmpty ? "/" : String(Substring(parent))
}
