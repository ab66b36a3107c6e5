package import Text
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Store {
  /// A folder or file of the store that other users can access, and the mode that protects it.
  package struct LoosePermission: Sendable, Equatable {
    package var path: String
    package var mode: UInt32
    /// The equivalent shell command.
    package var command: SuggestedCommand { SuggestedCommand(shell: "chmod \(String(mode, radix: 8)) \(path: path)") }
  }

  /// The permissions that can be fixed automatically. Files of other users and links are left to the user.
  package var loosePermissions: [LoosePermission] {
    let folders = Set([directories.data, directories.state]).sorted().map { ($0, S_IFDIR, UInt32(0o700)) }
    let files = [file.path, cacheFile.path] + file.companions + cacheFile.companions + keyFiles
    return (folders + files.map { ($0, S_IFREG, UInt32(0o600)) }).compactMap { path, kind, mode in
      var facts = stat()
      guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == kind, facts.st_uid == geteuid(),
        facts.st_mode & 0o077 != 0
      else { return nil }
      return LoosePermission(path: path, mode: mode)
    }
  }

  /// Removes the access of other users.
  package func tighten(_ loose: LoosePermission) throws(StoreError) {
    guard chmod(loose.path, mode_t(loose.mode)) == 0 else {
      throw StoreError(system: errno, doing: "change the mode of", path: loose.path)
    }
  }

  /// Moves the cache aside and creates an empty one, which the next commands fill.
  package func rebuildCache() throws(StoreError) {
    cacheDatabase = nil
    try cacheFile.setAside(try Permissions.checkFile(cacheFile.path), world)
    try writeCache { _ in }
  }
}
