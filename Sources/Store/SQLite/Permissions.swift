import Text

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

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
