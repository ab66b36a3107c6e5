import Text
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The structure for fcntl(2), which has the same name as the function flock(2).
#if canImport(Glibc)
  private typealias Lock = Glibc.flock
#else
  private typealias Lock = Darwin.flock
#endif

/// Files that only their owner can access from the moment they are created.
enum PrivateFiles {
  /// Creates the folder and its missing parents, each with mode 0700.
  static func makeFolder(_ path: String) throws(StoreError) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex else {
      throw StoreError(system: errno, doing: "create", path: path)
    }
    try makeFolder(String(path[..<slash]))
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw StoreError(system: errno, doing: "create", path: path)
    }
  }

  /// Writes a new file and syncs it to disk. Fails if the path exists or is a link.
  /// - Parameter name: The path to show in errors, if it is different.
  static func create(_ path: String, with bytes: [UInt8], shownAs name: String? = nil) throws(StoreError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StoreError(system: errno, doing: "create", path: name ?? path) }
    let number = fill(descriptor, with: bytes)
    close(descriptor)
    guard number == 0 else {
      unlink(path)
      throw StoreError(system: number, doing: "write", path: name ?? path)
    }
  }

  /// Replaces a file, or creates it, completely or not at all, and syncs it to disk.
  static func replace(_ path: String, with bytes: [UInt8], _ world: World) throws(StoreError) {
    try TemporaryFile.use(for: path, world) { temporary throws(StoreError) in
      try create(temporary, with: bytes)
      guard rename(temporary, path) == 0 else { throw StoreError(system: errno, doing: "write", path: path) }
    }
    synchronizeFolder(folder(of: path))
  }

  /// Returns the parent folder of a path; `.` for a name without a slash.
  static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Gives a finished file its final name, unless that name is taken.
  /// - Returns: false if the name was taken. The temporary file is removed in either case.
  static func publish(_ temporary: String, as path: String) throws(StoreError) -> Bool {
    defer { unlink(temporary) }
    if link(temporary, path) != 0 {
      guard errno != EEXIST else { return false }
      // Some file systems lack hard links. The folder's lock prevents a race with other processes.
      guard rename(temporary, path) == 0 else { throw StoreError(system: errno, doing: "create", path: path) }
    }
    return true
  }

  /// Gives a file an additional name.
  static func hardLink(_ path: String, as name: String) throws(StoreError) {
    if link(path, name) == 0 { return }
    guard errno != EEXIST else { throw StoreError(system: errno, doing: "create", path: name) }
    // Some file systems lack hard links.
    try copy(path, to: name)
    try synchronize(name)
  }

  /// Copies a regular file to a new one.
  /// - Parameter isChecked: Whether the source must be inaccessible to other users.
  static func copy(_ source: String, to target: String, checking isChecked: Bool = false) throws(StoreError) {
    let input = open(source, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (isChecked ? O_NOFOLLOW : 0))
    guard input >= 0 else { throw StoreError(system: errno, doing: "read", path: source) }
    defer { close(input) }
    _ = try regularFile(input, source, isChecked: isChecked)
    let output = open(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard output >= 0 else { throw StoreError(system: errno, doing: "create", path: target) }
    defer { close(output) }
    while true {
      let bytes = try readSome(input, limit: 1 << 20, source)
      guard !bytes.isEmpty else { return }
      let number = writeAll(bytes[...], to: output)
      guard number == 0 else { throw StoreError(system: number, doing: "write", path: target) }
    }
  }

  /// Syncs a file's content to disk.
  static func synchronize(_ path: String) throws(StoreError) {
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw StoreError(system: errno, doing: "write", path: path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw StoreError(system: errno, doing: "write", path: path) }
  }

  /// Syncs the names in a folder to disk, if the file system supports it.
  static func synchronizeFolder(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  static func read(_ path: String, limit: Int) throws(StoreError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StoreError(system: errno, doing: "read", path: path) }
    defer { close(descriptor) }
    return try readSome(descriptor, limit: limit, path)
  }

  /// Returns the facts about an open file.
  /// - Throws: ``StoreError`` if it is not a regular file, or is accessible to other users.
  private static func regularFile(
    _ descriptor: Int32, _ path: String, isChecked: Bool
  ) throws(StoreError) -> stat {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      throw StoreError(code: .unreadable, message: "\(path) is not a regular file", hint: "Pass a regular file.")
    }
    if isChecked { try Permissions.checkIsPrivate(facts, path, mode: "600") }
    return facts
  }

  /// Reads up to `limit` bytes; fewer only at the end.
  private static func readSome(_ descriptor: Int32, limit: Int, _ path: String) throws(StoreError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit)
    var count = 0
    while count < limit {
      let readCount = bytes.withUnsafeMutableBytes { buffer in
        #if canImport(Glibc)
          Glibc.read(descriptor, buffer.baseAddress.map { $0 + count }, limit - count)
        #else
          Darwin.read(descriptor, buffer.baseAddress.map { $0 + count }, limit - count)
        #endif
      }
      if readCount < 0 && errno == EINTR { continue }
      guard readCount >= 0 else { throw StoreError(system: errno, doing: "read", path: path) }
      if readCount == 0 { break }
      count += readCount
    }
    return [UInt8](bytes[..<count])
  }

  /// Returns the names in a folder; an empty list if it cannot be read.
  static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names
  }

  static func exists(_ path: String) -> Bool {
    var facts = stat()
    return lstat(path, &facts) == 0
  }

  /// Returns the size in bytes; 0 if the file does not exist.
  static func size(_ path: String) -> Int {
    var facts = stat()
    return lstat(path, &facts) == 0 ? Int(facts.st_size) : 0
  }

  /// Locks a range of a file against all other processes with fcntl(2).
  /// - Returns: A descriptor that holds the lock until it is closed; nil if another process has a conflicting lock.
  static func lockRange(of path: String, from start: Int64, count: Int64) throws(StoreError) -> Int32? {
    let descriptor = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw StoreError(system: errno, doing: "lock", path: path) }
    var range = Lock()
    range.l_type = Int16(F_WRLCK)
    range.l_whence = Int16(SEEK_SET)
    range.l_start = off_t(start)
    range.l_len = off_t(count)
    guard fcntl(descriptor, F_SETLK, &range) == 0 else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  /// Locks a file with flock(2).
  /// - Returns: A descriptor that holds the lock until it is closed; nil if the file does not exist or another process
  ///   holds its lock.
  static func tryLock(_ path: String) -> Int32? {
    let lock = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard lock >= 0 else { return nil }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      close(lock)
      return nil
    }
    return lock
  }

  /// Runs `body` while holding a lock on the folder.
  ///
  /// If the file system does not support locks on folders, `body` runs without one.
  static func lockingFolder<Result>(
    _ folder: String, _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    if descriptor >= 0 { while flock(descriptor, LOCK_EX) != 0 && errno == EINTR {} }
    let result = try body()
    // Names created or changed in the folder must survive a power failure.
    if descriptor >= 0 { fsync(descriptor) }
    return result
  }

  /// - Returns: 0 or an `errno` value.
  private static func fill(_ descriptor: Int32, with bytes: [UInt8]) -> Int32 {
    let number = writeAll(bytes[...], to: descriptor)
    return number != 0 ? number : fsync(descriptor) == 0 ? 0 : errno
  }

  /// - Returns: 0 or an `errno` value.
  private static func writeAll(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int32 {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { return errno }
      rest = rest.dropFirst(count)
    }
    return 0
  }
}

/// The identity of a file, to check later whether a path still refers to it.
struct FileIdentity: Equatable {
  let device: UInt64
  let number: UInt64
}

/// The rule that the store's files belong to their user and are inaccessible to others.
///
/// These calls do not use `World`, because SQLite accesses the same paths directly.
enum Permissions {
  /// Checks a folder.
  /// - Returns: false if the folder does not exist.
  /// - Throws: ``StoreError`` if other users own or can access the folder.
  static func checkFolder(_ path: String) throws(StoreError) -> Bool {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return try missing(path) }
    guard facts.st_mode & S_IFMT == S_IFDIR else {
      throw StoreError(
        code: .unreadable, message: "\(path) is not a folder",
        hint: "Move it away, or set IFTTT_HOME to another folder."
      )
    }
    try checkIsPrivate(facts, path, mode: "700")
    return true
  }

  /// Checks a file.
  /// - Returns: nil if the file does not exist.
  /// - Throws: ``StoreError`` if it is not a regular file, or if other users own or can access it.
  static func checkFile(_ path: String) throws(StoreError) -> FileIdentity? {
    var facts = stat()
    guard lstat(path, &facts) == 0 else {
      _ = try missing(path)
      return nil
    }
    guard facts.st_mode & S_IFMT == S_IFREG else {
      let kind = facts.st_mode & S_IFMT == S_IFLNK ? "a symbolic link" : "not a regular file"
      throw StoreError(
        code: .unsafePermissions, message: "\(path) is \(kind)",
        hint: "Replace it with the file itself, or move it away.")
    }
    try checkIsPrivate(facts, path, mode: "600")
    return FileIdentity(device: UInt64(facts.st_dev), number: UInt64(facts.st_ino))
  }

  static func checkIsPrivate(_ facts: stat, _ path: String, mode: String) throws(StoreError) {
    guard facts.st_uid == geteuid() else {
      throw StoreError(
        code: .unsafePermissions, message: "\(path) belongs to another user (uid \(facts.st_uid))",
        hint: "Run the command as that user, or run: \(shell: "chown \(geteuid()) \(path: path)")")
    }
    guard facts.st_mode & 0o077 == 0 else {
      throw StoreError(
        code: .unsafePermissions,
        message: "other users can access \(path) (mode \(String(facts.st_mode & 0o7777, radix: 8)))",
        hint: "Run: \(shell: "chmod \(mode) \(path: path)")")
    }
  }

  private static func missing(_ path: String) throws(StoreError) -> Bool {
    let number = errno
    guard number == ENOENT else { throw StoreError(system: number, doing: "access", path: path) }
    return false
  }
}
