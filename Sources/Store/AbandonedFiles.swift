import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// Files that killed processes left beside the store's own.
extension Store {
  /// The temporary files and the locks of batches that no process uses.
  package var abandonedFiles: [String] { abandonedFiles(removing: false) }

  /// Removes them.
  /// - Returns: The removed files.
  @discardableResult
  package func removeAbandonedFiles() -> [String] { abandonedFiles(removing: true) }

  private func abandonedFiles(removing: Bool) -> [String] {
    let databases = [file.schema.fileName, cacheFile.schema.fileName]
    return TemporaryFile.abandoned(in: directories.data, for: { databases.contains($0) }, removing: removing)
      + TemporaryFile.abandoned(in: directories.state, for: Self.isKeyFile, removing: removing)
      + abandonedLocks(removing: removing)
  }

  /// Whether a file in the state folder contains a key or tells where keys are.
  private static func isKeyFile(_ name: String) -> Bool {
    name.hasPrefix("store") && (name.hasSuffix(".key") || name.hasSuffix(".json"))
  }

  /// The locks of batches that ended without removing them.
  private func abandonedLocks(removing: Bool) -> [String] {
    PrivateFiles.names(in: directories.data).filter { $0.hasPrefix("run-") && $0.hasSuffix(".lock") }.sorted()
      .map { "\(directories.data)/\($0)" }
      .filter { path in
        guard let lock = PrivateFiles.freeLock(path) else { return false }
        defer { close(lock) }
        // A process that opened the file in the meantime notices that it has no name any more.
        if removing { unlink(path) }
        return true
      }
  }
}
