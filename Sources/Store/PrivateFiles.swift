import Hints
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The structure of fcntl(2), which shares its name with the function flock(2).
#if canImport(Glibc)
  private typealias Lock = Glibc.flock
#else
  private typealias Lock = Darwin.flock
#endif

/// Files that only their owner can read, made so from the first moment.
enum PrivateFiles {
  /// Makes the folder and those above it that are missing, each with mode 0700.
  static func makeFolder(_ path: String) throws(StoreError) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex else {
      throw StoreError(system: errno, doing: "make", path: path)
    }
    try makeFolder(String(path[..<slash]))
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw StoreError(system: errno, doing: "make", path: path)
    }
  }

  /// Writes a new file to the disk. It follows no link and takes no file that is there.
  static func create(_ path: String, with bytes: [UInt8]) throws(StoreError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StoreError(system: errno, doing: "make", path: path) }
    let number = fill(descriptor, with: bytes)
    close(descriptor)
    guard number == 0 else {
      unlink(path)
      throw StoreError(system: number, doing: "write", path: path)
    }
  }

  /// Gives a finished file its name unless that is taken.
  /// - Returns: false where it was taken; the temporary file is gone either way.
  static func publish(_ temporary: String, as path: String) throws(StoreError) -> Bool {
    defer { unlink(temporary) }
    if link(temporary, path) != 0 {
      guard errno != EEXIST else { return false }
      // Some file systems have no hard links. What others could do in between is prevented by the folder's lock.
      guard rename(temporary, path) == 0 else { throw StoreError(system: errno, doing: "make", path: path) }
    }
    return true
  }

  /// Gives a file another name beside the one it has.
  static func keep(_ path: String, as name: String) throws(StoreError) {
    if link(path, name) == 0 { return }
    guard errno != EEXIST else { throw StoreError(system: errno, doing: "make", path: name) }
    // Some file systems have no hard links.
    try copy(path, to: name)
    try synchronise(name)
  }

  /// Copies a regular file to a new one.
  /// - Parameter isChecked: whether it must be the user's alone.
  static func copy(_ source: String, to target: String, checking isChecked: Bool = false) throws(StoreError) {
    let input = open(source, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (isChecked ? O_NOFOLLOW : 0))
    guard input >= 0 else { throw StoreError(system: errno, doing: "read", path: source) }
    defer { close(input) }
    var facts = stat()
    guard fstat(input, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      throw StoreError(code: .unreadable, message: "\(source) is not a regular file", hint: "name a file")
    }
    if isChecked { try Permissions.checkIsPrivate(facts, source, mode: "600") }
    let output = open(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard output >= 0 else { throw StoreError(system: errno, doing: "make", path: target) }
    defer { close(output) }
    while true {
      let bytes = try readSome(input, limit: 1 << 20, source)
      guard !bytes.isEmpty else { return }
      let number = writeAll(bytes[...], to: output)
      guard number == 0 else { throw StoreError(system: number, doing: "write", path: target) }
    }
  }

  /// Has what was written to a file reach the disk.
  static func synchronise(_ path: String) throws(StoreError) {
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw StoreError(system: errno, doing: "write", path: path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw StoreError(system: errno, doing: "write", path: path) }
  }

  /// Has the names in a folder reach the disk, on file systems that know how to.
  static func synchroniseFolder(_ path: String) {
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

  /// Up to `limit` bytes, fewer only at the end.
  private static func readSome(_ descriptor: Int32, limit: Int, _ path: String) throws(StoreError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit)
    var count = 0
    while count < limit {
      let got = bytes.withUnsafeMutableBytes { buffer in
        #if canImport(Glibc)
          Glibc.read(descriptor, buffer.baseAddress.map { $0 + count }, limit - count)
        #else
          Darwin.read(descriptor, buffer.baseAddress.map { $0 + count }, limit - count)
        #endif
      }
      if got < 0 && errno == EINTR { continue }
      guard got >= 0 else { throw StoreError(system: errno, doing: "read", path: path) }
      if got == 0 { break }
      count += got
    }
    return [UInt8](bytes[..<count])
  }

  /// The names in a folder; none where it cannot be read.
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

  /// In bytes; 0 where there is no such file.
  static func size(_ path: String) -> Int {
    var facts = stat()
    return lstat(path, &facts) == 0 ? Int(facts.st_size) : 0
  }

  /// Locks a range of a file against every other process, as fcntl(2) does.
  /// - Returns: a descriptor that holds the lock until it is closed; nil where another process has a lock there.
  static func locking(_ path: String, from start: Int64, count: Int64) throws(StoreError) -> Int32? {
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

  /// Runs `body` while no other process that asks for the same lock does.
  ///
  /// On file systems where a folder cannot be locked it runs all the same.
  static func lockingFolder<Result>(
    _ folder: String, _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    if descriptor >= 0 { while flock(descriptor, LOCK_EX) != 0 && errno == EINTR {} }
    let result = try body()
    // What was made or renamed in the folder must outlive a loss of power.
    if descriptor >= 0 { fsync(descriptor) }
    return result
  }

  /// - Returns: 0 or the number of the error.
  private static func fill(_ descriptor: Int32, with bytes: [UInt8]) -> Int32 {
    let number = writeAll(bytes[...], to: descriptor)
    return number != 0 ? number : fsync(descriptor) == 0 ? 0 : errno
  }

  /// - Returns: 0 or the number of the error.
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

/// Makes a name that no other process is using.
func temporaryName(for path: String, _ world: World) -> String {
  "\(path).new-\(hexadecimal(world.random.bytes(6)))-\(getpid())"
}

func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  var text = ""
  for byte in bytes { text += (byte < 16 ? "0" : "") + String(byte, radix: 16) }
  return text
}
