import JSON
import Text

/// A plugin's credentials in one profile. Each plugin has its own credential kind, which separates its credentials from
/// those of other plugins and of this program.
///
/// The encrypted value is a JSON string, because a plugin's value may contain line feeds or be empty.
package struct StoredPluginCredentials {
  private let store: Store
  private let plugin: String
  private let profile: String

  package init(_ store: Store, of plugin: String, profile: String) {
    (self.store, self.plugin, self.profile) = (store, plugin, profile)
  }

  private var kind: String { credentialKind(of: plugin) }

  /// Returns a credential; nil if absent.
  /// - Throws: ``StoreError`` with `store_wrong_key` if it cannot be decrypted. It stays stored in that case.
  package func value(_ name: String) throws(StoreError) -> String? {
    try store.credential(ofKind: kind, userID: name, profile: profile).flatMap(Self.value)
  }

  /// Reads and removes a credential in one transaction. Only one of several concurrent callers receives it.
  package func take(_ name: String) throws(StoreError) -> String? {
    try store.writeExisting { database throws(StoreError) -> String? in
      guard let secret = try store.decrypted(kind, userID: name, profile: profile, in: database) else { return nil }
      _ = try database.removeCredential(ofKind: kind, userID: name, profile: profile)
      return Self.value(secret)
    } ?? nil
  }

  /// Returns the names of the credentials in byte order, without their values. This requires no key.
  package func names() throws(StoreError) -> [String] {
    try store.openIfExists()?.texts(
      "SELECT user_id FROM credential WHERE profile = :profile AND kind = :kind ORDER BY user_id",
      [":profile": profile, ":kind": kind]) ?? []
  }

  /// Writes and removes credentials in one transaction.
  /// - Parameter recovering: Whether values that cannot be written go to a recovery file, as JSON. The error names
  ///   the file.
  /// - Returns: The number of credentials removed.
  @discardableResult
  package func change(
    saving values: [(name: String, value: String)], removing names: [String], recovering: Bool = false
  ) throws(StoreError) -> Int {
    do throws(StoreError) { return try write(values, removing: names) } catch {
      guard recovering, !values.isEmpty else { throw error }
      let all = JSONObject(members: values.map { (key: $0.name, value: .string($0.value)) })
      throw store.recovering(
        JSONValue.object(all).text, named: plugin, as: "new secret of plugin \(plugin)", from: error)
    }
  }

  private func write(
    _ values: [(name: String, value: String)], removing names: [String]
  ) throws(StoreError) -> Int {
    if values.isEmpty, try store.openIfExists() == nil { return 0 }
    return try store.write { database throws(StoreError) -> Int in
      var removed = 0
      for name in names { removed += try database.removeCredential(ofKind: kind, userID: name, profile: profile) }
      for (name, value) in values {
        guard let secret = Secret(parsing: JSONValue.string(value).text) else { continue }
        try store.seal(secret, asKind: kind, userID: name, profile: profile, in: database)
      }
      return removed
    }
  }

  private static func value(_ secret: Secret) -> String? {
    (try? JSONValue(parsing: Array(secret.revealed.utf8)))?.string
  }
}

private func credentialKind(of plugin: String) -> String { "plugin/\(plugin)" }

extension PluginRecords {
  /// Returns the names of a plugin's credentials in all profiles, without their values. This requires no key.
  package func credentialNames(of plugin: String) throws(StoreError) -> [(profile: String, name: String)] {
    try store.openIfExists()?.rows(
      "SELECT profile, user_id FROM credential WHERE kind = :kind ORDER BY profile, user_id",
      [":kind": credentialKind(of: plugin)]
    ) { ($0["profile"], $0["user_id"]) } ?? []
  }

  /// Returns the plugins that have credentials in the profile.
  package func withCredentials(profile: String) throws(StoreError) -> [String] {
    // '0' is the character after '/', so the range can use the index.
    try store.openIfExists()?.texts(
      """
      SELECT DISTINCT substr(kind, 8) FROM credential
      WHERE profile = :profile AND kind >= 'plugin/' AND kind < 'plugin0'
      """, [":profile": profile]) ?? []
  }
}

extension Database {
  /// Removes all credentials of a plugin, in all profiles.
  func removeCredentials(ofPlugin plugin: String) throws(StoreError) {
    try run("DELETE FROM credential WHERE kind = :kind", [":kind": credentialKind(of: plugin)])
  }
}
