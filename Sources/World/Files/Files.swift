/// The file system for the program's own reads and writes. SQLite opens its files itself.
package protocol Files: AnyObject {
  func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8]
  /// Reads a file that the user did not name in this run. Unlike ``read(_:limit:)``, it never waits for a pipe or
  /// device.
  /// - Throws: ``SystemError/isNotRegular`` for anything but a regular file.
  func readRegular(_ path: String, limit: Int) throws(SystemError) -> [UInt8]
  /// Calls `body` with each piece of the file as soon as it is available, without buffering the whole file.
  /// - Throws: ``SystemError``, with `EINTR` once interrupted; also rethrows the errors of `body`.
  func read(_ path: String, each body: ([UInt8]) throws -> Void) throws
  /// Opens a file that is read piece by piece.
  func reader(_ path: String) throws(SystemError) -> any FileReader
  /// Creates a private temporary file without a name.
  func scratchFile(in folder: String) throws(SystemError) -> any ScratchFile
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
  func facts(_ path: String) throws(SystemError) -> FileFacts
  /// Returns the absolute path of an existing file or folder, with symbolic links resolved.
  func resolved(_ path: String) throws(SystemError) -> String
  func remove(_ path: String) throws(SystemError)
  /// Returns the names in a folder, in byte order.
  func names(in folder: String) throws(SystemError) -> [String]
  /// Returns metadata that distinguishes the file from any other file, and from itself after a change.
  func stamp(_ path: String) throws(SystemError) -> FileStamp
  /// Moves a folder to another path. If that path already has a folder, the two are swapped, atomically if the system
  /// supports it.
  /// - Returns: Whether there was another folder.
  func exchange(_ folder: String, with other: String) throws(SystemError) -> Bool
  /// Runs `body` while holding an exclusive lock on `path`, which is created with mode 0600.
  /// - Parameter notice: An action for when another process holds the lock for too long.
  func locked<T>(_ path: String, after notice: LockNotice?, _ body: () throws -> T) throws -> T
  /// Like `locked`, but returns nil immediately if another process holds the lock.
  func lockedAtOnce<T>(_ path: String, _ body: () throws -> T) throws -> T?
  /// Acquires the same lock until it is released or the process ends. Returns nil immediately if another holder has
  /// it.
  func lock(_ path: String) throws(SystemError) -> (any FileLock)?
  /// Like `lock`, but several processes can hold the lock together. It excludes only the locks of the other methods.
  func sharedLock(_ path: String) throws(SystemError) -> (any FileLock)?
}

/// Calls its argument with each piece of a file's contents.
package typealias FileWriting = (_ write: ([UInt8]) throws(SystemError) -> Void) throws(SystemError) -> Void

extension Files {
  package func replace(_ path: String, with bytes: [UInt8], mode: UInt32) throws(SystemError) {
    try replace(path, mode: mode) { (write) throws(SystemError) in try write(bytes) }
  }

  /// Runs `body` while holding the lock, without a notice.
  package func locked<T>(_ path: String, _ body: () throws -> T) throws -> T { try locked(path, after: nil, body) }
}

/// An action that runs once if waiting for a lock takes too long.
package struct LockNotice {
  package var delay: Duration
  package var give: () -> Void
  package init(after delay: Duration, _ give: @escaping () -> Void) { (self.delay, self.give) = (delay, give) }
}

/// The results of `lstat` that matter for trust.
package struct FileFacts: Sendable, Equatable {
  package enum Kind: Sendable { case file, folder, link, other }
  package var kind: Kind
  /// The permission bits, such as `0o600`.
  package var mode: UInt32
  package var isOwn: Bool
  package var size: Int
  package init(kind: Kind, mode: UInt32, isOwn: Bool, size: Int) {
    (self.kind, self.mode, self.isOwn, self.size) = (kind, mode, isOwn, size)
  }
}
