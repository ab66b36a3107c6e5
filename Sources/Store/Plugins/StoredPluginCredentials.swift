import JSON
import Text

/// The credentials of plugins. Each plugin has its own credential kind, which separates its credentials from those of
/// other plugins and of this program.
///
/// The encrypted value is a JSON string, because a plugin's value may contain line feeds or be empty.
extension Store {
  private static func kind(of plugin: String) -> String { "plugin/\(plugin)" }

  /// Returns a plugin's credential; nil if absent.
  /// - Throws: ``StoreError`` with `store_wrong_key` if it cannot be decrypted. It stays stored in that case.
  package func pluginCredential(_ name: String, of plugin: String, profile: String) throws(StoreError) -> String? {
    try credential(ofKind: Self.kind(of: plugin), userID: name, profile: profile).flatMap(Self.value)
  }

  /// Reads and removes a credential in one transaction. Only one of several concurrent callers receives it.
  package func takePluginCredential(_ name: String, of plugin: String, profile: String) throws(StoreError) -> String? {
    guard try openIfExists() != nil else { return nil }
    return try write { database throws(StoreError) -> String? in
      let kind = Self.kind(of: plugin)
      guard let secret = try opened(kind, userID: name, profile: profile, in: database) else { return nil }
      try database.run(
        "DELETE FROM credential WHERE profile = ? AND kind = ? AND user_id = ?", .text(profile), .text(kind),
        .text(name))
      return Self.value(secret)
    }
  }

  /// Returns the names of a plugin's credentials in byte order, without their values. This requires no key.
  package func pluginCredentialNames(of plugin: String, profile: String) throws(StoreError) -> [String] {
    guard let database = try openIfExists() else { return [] }
    let statement = try database.prepare(
      "SELECT user_id FROM credential WHERE profile = ? AND kind = ? ORDER BY user_id")
    return try statement.texts(.text(profile), .text(Self.kind(of: plugin)))
  }

  /// Returns the names of a plugin's credentials in all profiles, without their values. This requires no key.
  package func pluginCredentialNames(of plugin: String) throws(StoreError) -> [(profile: String, name: String)] {
    guard let database = try openIfExists() else { return [] }
    let statement = try database.prepare(
      "SELECT profile, user_id FROM credential WHERE kind = ? ORDER BY profile, user_id")
    try statement.bind([.text(Self.kind(of: plugin))])
    var names: [(profile: String, name: String)] = []
    while try statement.step() { names.append((statement.text(0), statement.text(1))) }
    return names
  }

  /// Returns the plugins that have credentials in the profile.
  package func pluginsKeepingCredentials(profile: String) throws(StoreError) -> [String] {
    guard let database = try openIfExists() else { return [] }
    // '0' is the character after '/', so the range can use the index.
    let statement = try database.prepare(
      "SELECT DISTINCT substr(kind, 8) FROM credential WHERE profile = ? AND kind >= 'plugin/' AND kind < 'plugin0'")
    return try statement.texts(.text(profile))
  }

  /// Writes and removes credentials in one transaction.
  /// - Parameter recovering: Whether values that cannot be written go to a recovery file, as JSON. The error names
  ///   the file.
  /// - Returns: The number of credentials removed.
  @discardableResult
  package func changePluginCredentials(
    saving values: [(name: String, value: String)], removing names: [String], of plugin: String, profile: String,
    recovering: Bool = false
  ) throws(StoreError) -> Int {
    do throws(StoreError) { return try change(values, names, of: plugin, profile: profile) } catch {
      guard recovering, !values.isEmpty else { throw error }
      let all = JSONObject(members: values.map { (key: $0.name, value: .string($0.value)) })
      throw self.recovering(
        JSONValue.object(all).text, named: plugin, as: "new secret of plugin \(plugin)", from: error)
    }
  }

  private func change(
    _ values: [(name: String, value: String)], _ names: [String], of plugin: String, profile: String
  ) throws(StoreError) -> Int {
    if values.isEmpty, try openIfExists() == nil { return 0 }
    return try write { database throws(StoreError) -> Int in
      let kind = Self.kind(of: plugin)
      var removed = 0
      for name in names {
        removed += try database.run(
          "DELETE FROM credential WHERE profile = ? AND kind = ? AND user_id = ?", .text(profile), .text(kind),
          .text(name))
      }
      for (name, value) in values {
        guard let secret = Secret(parsing: JSONValue.string(value).text) else { continue }
        try seal(secret, asKind: kind, userID: name, profile: profile, in: database)
      }
      return removed
    }
  }

  /// Removes all credentials of a plugin, in all profiles.
  package func removePluginCredentials(of plugin: String) throws(StoreError) -> Int {
    guard try openIfExists() != nil else { return 0 }
    return try write { database throws(StoreError) -> Int in
      try Self.removeCredentials(of: plugin, in: database)
    }
  }

  static func removeCredentials(of plugin: String, in database: Database) throws(StoreError) -> Int {
    try database.run("DELETE FROM credential WHERE kind = ?", .text(kind(of: plugin)))
  }

  private static func value(_ secret: Secret) -> String? {
    (try? JSONValue(parsing: Array(secret.revealed.utf8)))?.string
  }
}
