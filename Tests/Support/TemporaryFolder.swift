import Foundation

/// A new folder for one test, with mode 0700, removed with everything in it when the last reference goes, and with the
/// process at the latest.
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
    // A test may have taken away the permission to list a folder, without which nothing in it can be removed.
    let folders = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    for folder in folders { chmod("\(path)/\(folder)", 0o700) }
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of a name in it, whether or not there is such a file.
  package subscript(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file, with mode 0600 unless told otherwise, and returns its path.
  @discardableResult
  package func write(_ name: String, _ text: String, mode: Int = 0o600) -> String {
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: mode]
    guard FileManager.default.createFile(atPath: self[name], contents: Data(text.utf8), attributes: attributes) else {
      fatalError("\(self[name]) could not be written")
    }
    return self[name]
  }

  /// What a file holds; nil where there is none.
  package func text(_ name: String) -> String? {
    FileManager.default.contents(atPath: self[name]).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The names in it, sorted, with those of the folders below.
  package var names: [String] {
    (try? FileManager.default.subpathsOfDirectory(atPath: path))?.sorted() ?? []
  }
}

/// The folders that are not removed yet. A test whose closures hold the very thing that holds them never lets go of its
/// folder: those are removed when the process ends.
private final class FoldersInUse: @unchecked Sendable {
  // Unchecked: the lock keeps the paths.
  static let all = FoldersInUse()
  private let lock = NSLock()
  private var paths: Set<String> = []
  /// A copy of this process that a test made must leave them alone.
  private let process = getpid()

  private init() { atexit { FoldersInUse.all.removeAll() } }

  func insert(_ path: String) { lock.withLock { _ = paths.insert(path) } }
  func remove(_ path: String) { lock.withLock { _ = paths.remove(path) } }

  private func removeAll() {
    guard process == getpid() else { return }
    for path in lock.withLock({ paths }) { TemporaryFolder.remove(path) }
  }
}
