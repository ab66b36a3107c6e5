import Text
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension DatabaseFile {
  /// Adds a hint to an error that reports corruption of this file.
  func advised(_ error: StoreError) -> StoreError {
    guard error.code == .damaged else { return error }
    var advised = error
    advised.hint =
      schema.isCache ? "It is rebuilt automatically. Run the command again." : "Nothing was changed. \(adviceToRestore)"
    return advised
  }

  /// A hint that names the newest copy made before an upgrade, or explains what to do without one.
  var adviceToRestore: Hint {
    let newest = (0..<max(1, schema.migrations.count)).reversed().map(backupPath).first(where: PrivateFiles.exists)
    if let newest {
      return "To restore the copy made before an upgrade, run: \(ifttt: "store restore \(path: newest)")"
    }
    return
      "Restore a backup with \(ifttt: "store restore FILE"). Without one, move away \(path) and the files whose names "
      + "begin with \(schema.fileName)-, and save the credentials again."
  }

  /// Renames a corrupt file, so that a new one can replace it. Only the latest such file is kept.
  /// - Parameter identity: The identity of the corrupt file. Another process may have replaced it with an intact one
  ///   since.
  func setAside(_ identity: FileIdentity?, _ world: World) throws(StoreError) {
    try PrivateFiles.lockingFolder(folder) { () throws(StoreError) in
      guard let identity, try Permissions.checkFile(path) == identity else { return }
      let prefix = "\(schema.fileName).damaged-"
      for name in PrivateFiles.names(in: folder) where name.hasPrefix(prefix) { unlink("\(folder)/\(name)") }
      for companion in companions { unlink(companion) }
      let aside = "\(folder)/\(prefix)\(world.clock.now().rfc3339.filter { $0 != ":" && $0 != "-" })"
      guard rename(path, aside) == 0 else { throw StoreError(system: errno, doing: "rename", path: path) }
    }
  }
}
