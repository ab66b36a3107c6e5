import Foundation
package import World

/// The real file system, restricted to the test's own folder.
package final class TestFiles: Files {
  /// A closure that makes an operation on a path fail. The operations are `read`, `replace`, `append`, `makeFolder`,
  /// `makeNewFolder`, `removeFolder`, `status`, `resolved`, `remove`, `names`, `exchange`, `locked`, `lockedAtOnce`,
  /// `lock` and `scratchFile`.
  package var failure: ((_ operation: String, _ path: String) -> SystemError?)?
  /// The error to throw for a path outside of the folder; nil to fail the test instead.
  package var elsewhere: ((_ path: String) -> SystemError)?
  private let folder: TemporaryFolder?
  private let live: LiveFiles
  private let effects: Effects

  init(in folder: TemporaryFolder?, interruption: any Interruption, _ effects: Effects) {
    self.folder = folder
    self.effects = effects
    live = LiveFiles(interruption: interruption)
  }

  package func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    try check("read", path)
    return try live.read(path, limit: limit)
  }

  package func readRegular(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    try check("read", path)
    return try live.readRegular(path, limit: limit)
  }

  package func reader(_ path: String) throws(SystemError) -> FileReader {
    try check("read", path)
    return try live.reader(path)
  }

  /// A temporary file in the test's own folder, whatever the requested one is.
  package func scratchFile(in requested: String) throws(SystemError) -> ScratchFile {
    if let error = failure?("scratchFile", requested) { throw error }
    return try live.scratchFile(in: folder?.path ?? requested)
  }

  package func replace(_ path: String, mode: UInt32, writing body: FileWriting) throws(SystemError) {
    try check("replace", path)
    try live.replace(path, mode: mode, writing: body)
  }

  package func append(_ bytes: [UInt8], to path: String) throws(SystemError) {
    try check("append", path)
    try live.append(bytes, to: path)
  }

  package func makeFolder(_ path: String) throws(SystemError) {
    try check("makeFolder", path)
    try live.makeFolder(path)
  }

  package func makeNewFolder(_ path: String) throws(SystemError) {
    try check("makeNewFolder", path)
    try live.makeNewFolder(path)
  }

  package func removeFolder(_ path: String) throws(SystemError) {
    try check("removeFolder", path)
    try live.removeFolder(path)
  }

  package func resolved(_ path: String) throws(SystemError) -> String {
    try check("resolved", path)
    return try live.resolved(path)
  }

  package func status(_ path: String) throws(SystemError) -> FileStatus {
    // The search for the root of a repository goes beyond the folder, which has no repository around it.
    if let folder, !path.hasPrefix(folder.path), path.hasSuffix("/.git") {
      throw SystemError(number: ENOENT, call: "status \(path)")
    }
    try check("status", path)
    return try live.status(path)
  }

  package func remove(_ path: String) throws(SystemError) {
    try check("remove", path)
    try live.remove(path)
  }

  package func names(in folder: String) throws(SystemError) -> [String] {
    try check("names", folder)
    return try live.names(in: folder)
  }

  package func exchange(_ folder: String, with other: String) throws(SystemError) -> Bool {
    try check("exchange", folder)
    try check("exchange", other)
    return try live.exchange(folder, with: other)
  }

  package func locked<T>(_ path: String, after notice: LockNotice?, _ body: () throws -> T) throws -> T {
    try check("locked", path)
    return try live.locked(path, after: notice, body)
  }

  package func lockedAtOnce<T>(_ path: String, _ body: () throws -> T) throws -> T? {
    try check("lockedAtOnce", path)
    return try live.lockedAtOnce(path, body)
  }

  package func lock(_ path: String) throws(SystemError) -> FileLock? {
    try check("lock", path)
    return try live.lock(path)
  }

  package func sharedLock(_ path: String) throws(SystemError) -> FileLock? {
    try check("sharedLock", path)
    return try live.sharedLock(path)
  }

  private func check(_ operation: String, _ path: String) throws(SystemError) {
    if let error = failure?(operation, path) { throw error }
    guard let folder, path == folder.path || path.hasPrefix(folder.path + "/") else {
      if let elsewhere { throw elsewhere(path) }
      let scope = folder.map { "only below \($0.path)" } ?? "nowhere"
      effects.unexpected("\(operation) was asked of \(path), but the test provides files \(scope)")
      throw SystemError(number: EACCES, call: "\(operation) \(path)")
    }
  }
}
