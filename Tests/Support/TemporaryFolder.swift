import CChildProgram
import Foundation

/// A new folder for one test, with mode 0700. It is removed with its contents when the last reference is released,
/// and at the latest when the process exits.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() {
    let template = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path + "/ifttt-test-XXXXXX"
    var bytes = Array(template.utf8CString)
    guard mkdtemp(&bytes) != nil else { fatalError("no temporary folder at \(template): errno \(errno)") }
    path = String(decoding: bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    FoldersInUse.all.insert(path)
  }

  deinit {
    Self.remove(path)
    FoldersInUse.all.remove(path)
  }

  fileprivate static func remove(_ path: String) {
    // A test may have removed the permission to list a folder, which is required to remove its contents.
    let folders = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    for folder in folders where isFolder("\(path)/\(folder)") { chmod("\(path)/\(folder)", 0o700) }
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Whether a path is a folder. A link is not: chmod follows it, and it may lead out of the folder, even to the
  /// system's shell.
  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The path of a name in the folder, whether or not the file exists.
  package subscript(_ name: String) -> String { "\(path)/\(name)" }

  /// Write a file, with mode 0600 by default, and return its path.
  @discardableResult
  package func write(_ name: String, _ text: String, mode: Int = 0o600) -> String {
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: mode]
    guard FileManager.default.createFile(atPath: self[name], contents: Data(text.utf8), attributes: attributes) else {
      fatalError("\(self[name]) could not be written")
    }
    if mode & 0o100 != 0 { _ = child_program_wait_for_writers(self[name]) }
    return self[name]
  }

  /// The contents of a file, or nil if it does not exist.
  package func text(_ name: String) -> String? {
    FileManager.default.contents(atPath: self[name]).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The names in the folder and its subfolders, sorted.
  package var names: [String] {
    (try? FileManager.default.subpathsOfDirectory(atPath: path))?.sorted() ?? []
  }
}

/// The folders that have not been removed yet. A test with a reference cycle in its closures never releases its
/// folder; such folders are removed when the process exits.
private final class FoldersInUse: @unchecked Sendable {
  // All mutable state is guarded by `lock`.
  static let all = FoldersInUse()
  private let lock = NSLock()
  private var paths: Set<String> = []
  /// The process that created the folders. A fork of it must not remove them.
  private let process = getpid()

  private init() { atexit { FoldersInUse.all.removeAll() } }

  func insert(_ path: String) { lock.withLock { _ = paths.insert(path) } }
  func remove(_ path: String) { lock.withLock { _ = paths.remove(path) } }

  private func removeAll() {
    guard process == getpid() else { return }
    for path in lock.withLock({ paths }) { TemporaryFolder.remove(path) }
  }
}
