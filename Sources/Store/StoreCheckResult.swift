import World

/// One result of `store check`.
package struct StoreCheckResult: Sendable, Equatable {
  /// The subject of the check: `permissions`, `store`, `cache` or `credentials`.
  package var check: String
  package var passed: Bool
  package var detail: String
}

extension Store {
  /// Checks the integrity of both files, the permissions, and whether every credential can be decrypted. Creates,
  /// migrates and repairs nothing.
  package func check() throws(StoreError) -> [StoreCheckResult] {
    var findings = [checkPermissions()]
    for (name, file) in [("store", file), ("cache", cacheFile)] { findings.append(integrity(of: file, as: name)) }
    findings += checkCredentials()
    return findings
  }

  private func checkPermissions() -> StoreCheckResult {
    finding("permissions") { () throws(StoreError) in
      for folder in Set([directories.data, directories.state]).sorted() { _ = try Permissions.checkFolder(folder) }
      let paths = [file.path, cacheFile.path] + file.companions + cacheFile.companions + keyFiles
      var count = 0
      for path in paths where try Permissions.checkFile(path) != nil { count += 1 }
      return "\(count) files, accessible only to you"
    }
  }

  /// The key files, including those of earlier keys, which a restored store may need.
  var keyFiles: [String] {
    PrivateFiles.names(in: directories.state).filter { $0.hasPrefix("store") && $0.hasSuffix(".key") }.sorted()
      .map { "\(directories.state)/\($0)" }
  }

  private func integrity(of file: DatabaseFile, as name: String) -> StoreCheckResult {
    finding(name) { () throws(StoreError) in
      guard let (database, version) = try file.openAsItIs() else { return "\(file.path) does not exist yet" }
      try database.checkSoundness()
      return "\(file.path) is intact (schema \(version))"
    }
  }

  /// Returns one result per credential that cannot be decrypted, or a single result if all can.
  private func checkCredentials() -> [StoreCheckResult] {
    var opened = 0
    var failures: [StoreCheckResult] = []
    let summary = finding("credentials") { () throws(StoreError) in
      guard let (database, version) = try file.openAsItIs(), version > 0 else { return "none" }
      for row in try sealedRows(in: database) {
        do throws(StoreError) {
          _ = try row.get()
          opened += 1
        } catch { failures.append(StoreCheckResult(check: "credentials", passed: false, detail: error.inFull)) }
      }
      return "\(opened) decrypted"
    }
    return failures.isEmpty || !summary.passed ? failures + [summary] : failures
  }

  private func finding(_ check: String, _ body: () throws(StoreError) -> String) -> StoreCheckResult {
    do throws(StoreError) { return StoreCheckResult(check: check, passed: true, detail: try body()) } catch {
      return StoreCheckResult(check: check, passed: false, detail: error.inFull)
    }
  }
}

extension StoreError {
  fileprivate var inFull: String { "\(message); \(hint)" }
}
