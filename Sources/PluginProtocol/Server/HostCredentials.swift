// Credentials that the program keeps for the plugin, sealed, for one profile. Only names that the manifest asks for and
// the user granted can be read or written.
extension PluginHost {
  /// Nil where none is kept.
  public func credential(_ name: String) throws -> String? {
    try ask("credential/get", ["name": Value(name)])["value"]?.string
  }

  /// Reads it and deletes it in one go, so that nobody else gets it too.
  public func takeCredential(_ name: String) throws -> String? {
    try ask("credential/get", ["name": Value(name), "take": true])["value"]?.string
  }

  /// The names of those that are kept, in order.
  public func credentialNames(prefix: String = "") throws -> [String] {
    try ask("credential/list", ["prefix": Value(prefix)])["names"]?.array?.compactMap(\.string) ?? []
  }

  /// Writes and deletes in one transaction. A value has at most 256 KiB.
  /// - Parameter recovering: whether the program puts the values into a file of their own where they cannot be saved, and
  ///   names it: for what was obtained with something that works only once.
  public func saveCredentials(
    _ values: [String: String], deleting names: [String] = [], recovering: Bool = false
  ) throws {
    let values = values.sorted { $0.key < $1.key }.map { (name: $0.key, value: Value($0.value)) }
    _ = try ask(
      "credential/put",
      [
        "values": Value(members: values), "delete": Value(names.map { Value($0) }), "recover": Value(recovering),
      ])
  }

  /// - Returns: false where there was none.
  @discardableResult
  public func deleteCredential(_ name: String) throws -> Bool {
    try ask("credential/delete", ["name": Value(name)])["deleted"]?.bool ?? false
  }

  // MARK: Locks

  /// Waits until no other process holds the lock. It ends with the plugin, however that ends.
  /// - Throws: ``PluginError`` with `conflict` once the time is up.
  public func acquireLock(_ name: String, timeout: Duration = .seconds(30)) throws {
    _ = try ask("lock/acquire", ["name": Value(name), "timeout_ms": Value(timeout.milliseconds)])
  }

  /// Lets others have it.
  public func releaseLock(_ name: String) throws { _ = try ask("lock/release", ["name": Value(name)]) }

  /// Runs `body` with the lock.
  public func withLock<Result>(
    _ name: String, timeout: Duration = .seconds(30), _ body: () throws -> Result
  ) throws -> Result {
    try acquireLock(name, timeout: timeout)
    defer { try? releaseLock(name) }
    return try body()
  }
}
