import World

/// Files of which one belongs to another user, which a test without root privileges cannot create.
final class ForeignFiles: Files {
  private let files: any Files
  private let foreign: String

  init(_ files: any Files, foreign: String) { (self.files, self.foreign) = (files, foreign) }

  func status(_ path: String) throws(SystemError) -> FileStatus {
    var stamp = try files.status(path)
    if path == foreign { stamp.owner = FileStatus.user + 1 }
    return stamp
  }

  func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] { try files.read(path, limit: limit) }
  func readRegular(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    try files.readRegular(path, limit: limit)
  }
  func reader(_ path: String) throws(SystemError) -> FileReader { try files.reader(path) }
  func scratchFile(in folder: String) throws(SystemError) -> ScratchFile { try files.scratchFile(in: folder) }
  func replace(_ path: String, mode: UInt32, writing body: FileWriting) throws(SystemError) {
    try files.replace(path, mode: mode, writing: body)
  }
  func append(_ bytes: [UInt8], to path: String) throws(SystemError) { try files.append(bytes, to: path) }
  func makeFolder(_ path: String) throws(SystemError) { try files.makeFolder(path) }
  func makeNewFolder(_ path: String) throws(SystemError) { try files.makeNewFolder(path) }
  func removeFolder(_ path: String) throws(SystemError) { try files.removeFolder(path) }
  func resolved(_ path: String) throws(SystemError) -> String { try files.resolved(path) }
  func remove(_ path: String) throws(SystemError) { try files.remove(path) }
  func names(in folder: String) throws(SystemError) -> [String] { try files.names(in: folder) }
  func exchange(_ folder: String, with other: String) throws(SystemError) -> Bool {
    try files.exchange(folder, with: other)
  }
  func locked<T>(_ path: String, after notice: LockNotice?, _ body: () throws -> T) throws -> T {
    try files.locked(path, after: notice, body)
  }
  func lockedAtOnce<T>(_ path: String, _ body: () throws -> T) throws -> T? { try files.lockedAtOnce(path, body) }
  func lock(_ path: String) throws(SystemError) -> FileLock? { try files.lock(path) }
  func sharedLock(_ path: String) throws(SystemError) -> FileLock? { try files.sharedLock(path) }
}
