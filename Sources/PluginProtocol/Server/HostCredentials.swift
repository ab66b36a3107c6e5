// Credentials that the program stores encrypted for the plugin, separately for each profile. Access is limited to the
// names that the manifest lists and the user granted.
extension PluginHost {
  /// A stored credential; nil if absent.
  public func credential(_ name: String) throws -> String? {
    try request("credential/get", ["name": Value(name)])["value"]?.string
  }

  /// Reads and deletes a credential atomically, so that no other process gets it too.
  public func takeCredential(_ name: String) throws -> String? {
    try request("credential/get", ["name": Value(name), "take": true])["value"]?.string
  }

  /// The names of the stored credentials, sorted.
  public func credentialNames(prefix: String = "") throws -> [String] {
    try request("credential/list", ["prefix": Value(prefix)])["names"]?.array?.compactMap(\.string) ?? []
  }

  /// Writes and deletes credentials in one transaction. The maximum size of a value is 256 KiB.
  /// - Parameter recovering: whether the program writes the values to a separate file, and reports its name, if they
  ///   cannot be saved. Use it for values obtained with a single-use code or token.
  public func saveCredentials(
    _ values: [String: String], deleting names: [String] = [], recovering: Bool = false
  ) throws {
    let values = values.sorted { $0.key < $1.key }.map { (name: $0.key, value: Value($0.value)) }
    _ = try request(
      "credential/put",
      [
        "values": Value(members: values), "delete": Value(names.map { Value($0) }), "recover": Value(recovering),
      ])
  }

  /// Deletes a credential.
  /// - Returns: false if there was none.
  @discardableResult
  public func deleteCredential(_ name: String) throws -> Bool {
    try request("credential/delete", ["name": Value(name)])["deleted"]?.bool ?? false
  }

  // MARK: Locks

  /// Acquires a lock, waiting for other processes to release it. The lock is released when the plugin ends for any
  /// reason.
  /// - Throws: ``PluginError`` with `conflict` after the timeout.
  public func acquireLock(_ name: String, timeout: Duration = .seconds(30)) throws {
    _ = try request("lock/acquire", ["name": Value(name), "timeout_ms": Value(timeout.milliseconds)])
  }

  /// Releases a lock.
  public func releaseLock(_ name: String) throws { _ = try request("lock/release", ["name": Value(name)]) }

  /// Runs `body` while holding the lock.
  public func withLock<Result>(
    _ name: String, timeout: Duration = .seconds(30), _ body: () throws -> Result
  ) throws -> Result {
    try acquireLock(name, timeout: timeout)
    defer { try? releaseLock(name) }
    return try body()
  }
}
