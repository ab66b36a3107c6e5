import Text
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file that gets its final name once it is complete.
///
/// Its owner holds a lock on a second file beside it. The lock distinguishes a file in use from a file that a killed
/// process left behind, even if another process has the same id by now. The second file is needed because SQLite's own
/// locks and those of flock(2) exclude each other on some network file systems.
final class TemporaryFile {
  let path: String
  private var lock: Int32

  /// Reserves an unused name beside a file, without creating the file.
  /// - Parameters:
  ///   - target: The final name of the file, or the file that it replaces.
  ///   - name: The path to show in errors, if it is different.
  init(for target: String, _ world: World, shownAs name: String? = nil) throws(StoreError) {
    while true {
      let path = "\(target)\(Self.infix)\(world.random.bytes(6).hex)-\(getpid())"
      let lock = open(path + Self.lockSuffix, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard lock >= 0 else { throw StoreError(system: errno, doing: "create", path: name ?? target) }
      // Without locks, as on some file systems, nothing is ever removed.
      let isRemoved = flock(lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
      var facts = stat()
      // Another process may have taken the file for an abandoned one before it was locked.
      if !isRemoved, fstat(lock, &facts) == 0, facts.st_nlink > 0 {
        (self.path, self.lock) = (path, lock)
        return
      }
      unlink(path + Self.lockSuffix)
      close(lock)
    }
  }

  deinit { end() }

  /// Removes the file, if it still has its temporary name, and the files that SQLite created beside it. Repeated calls
  /// have no effect.
  func end() {
    guard lock >= 0 else { return }
    for suffix in Self.suffixes { unlink(path + suffix) }
    close(lock)
    lock = -1
  }

  /// Runs `body` with the path of a temporary file, which is removed at the end if it still exists. The parameters are as
  /// in the initializer.
  static func use<Result>(
    for target: String, _ world: World, shownAs name: String? = nil,
    _ body: (String) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let file = try TemporaryFile(for: target, world, shownAs: name)
    defer { file.end() }
    return try body(file.path)
  }

  private static let infix = ".new-"
  private static let lockSuffix = ".lock"
  /// The lock is removed last: a file without a lock is not in use.
  private static let suffixes = ["", "-wal", "-shm", "-journal", lockSuffix]
}

extension TemporaryFile {
  /// Finds the temporary files in a folder that killed processes left behind.
  /// - Parameters:
  ///   - isTarget: Returns whether to include the temporary files for the file with this name.
  ///   - removes: Whether to remove them.
  /// - Returns: Their paths.
  @discardableResult
  static func abandoned(in folder: String, for isTarget: (String) -> Bool, removing removes: Bool) -> [String] {
    var groups: [String: [String]] = [:]
    for name in PrivateFiles.names(in: folder) {
      guard let parts = parts(of: name), isTarget(parts.target) else { continue }
      groups[parts.stem, default: []].append("\(folder)/\(name)")
    }
    var paths: [String] = []
    for (stem, files) in groups.inOrder {
      guard let lock = tryLock("\(folder)/\(stem)") else { continue }
      if removes { for suffix in suffixes { unlink("\(folder)/\(stem)\(suffix)") } }
      if lock >= 0 { close(lock) }
      let data = files.filter { !$0.hasSuffix(lockSuffix) }
      paths += (data.isEmpty ? files : data).sorted()
    }
    return paths
  }

  /// Removes the temporary files that killed processes left behind beside a file.
  static func removeAbandoned(beside path: String) {
    let target = part(of: path, after: "/") ?? path
    abandoned(in: PrivateFiles.folder(of: path), for: { $0 == target }, removing: true)
  }

  /// Acquires the lock of a temporary file.
  /// - Returns: The descriptor of the lock; nil if a process uses the file; -1 if the file has no lock, as in earlier
  ///   versions.
  private static func tryLock(_ stem: String) -> Int32? {
    guard !PrivateFiles.exists(stem + lockSuffix) else { return PrivateFiles.tryLock(stem + lockSuffix) }
    guard let process = part(of: stem, after: "-").flatMap({ pid_t($0) }) else { return nil }
    // If another process has the id by now, the file is removed once that process has ended.
    return kill(process, 0) != 0 && errno == ESRCH ? -1 : nil
  }

  /// Returns the target of a temporary file or of a file beside it, and its name without a suffix; nil for other names.
  private static func parts(of name: String) -> (target: String, stem: String)? {
    let (bytes, infixBytes) = (Array(name.utf8), Array(infix.utf8))
    guard bytes.count > infixBytes.count else { return nil }
    for start in (1..<bytes.count - infixBytes.count).reversed() where bytes[start...].starts(with: infixBytes) {
      var end = start + infixBytes.count
      while end < bytes.count, bytes[end].isLowercaseHexadecimal {
        end += 1
      }
      guard end == start + infixBytes.count + 12, end < bytes.count, bytes[end] == UInt8(ascii: "-") else { return nil }
      let first = end + 1
      end = first
      while end < bytes.count, bytes[end].isDigit { end += 1 }
      guard end > first, suffixes.contains(String(decoding: bytes[end...], as: UTF8.self)) else { return nil }
      return (String(decoding: bytes[..<start], as: UTF8.self), String(decoding: bytes[..<end], as: UTF8.self))
    }
    return nil
  }

  private static func part(of text: String, after separator: Character) -> String? {
    text.lastIndex(of: separator).map { String(text[text.index(after: $0)...]) }
  }
}
