import JSON
import Secrets

/// What a plugin keeps: sealed rows of a kind of its own, so that no plugin's is another's, or ours.
///
/// What is sealed is the value as a JSON string: a plugin's value may hold line feeds, or nothing.
extension Store {
  private static func kind(of plugin: String) -> String { "plugin/\(plugin)" }

  /// - Throws: ``StoreError`` with `store_wrong_key` where it does not open; it is never dropped for that.
  package func pluginCredential(_ name: String, of plugin: String, profile: String) throws(StoreError) -> String? {
    try credential(ofKind: Self.kind(of: plugin), userID: name, profile: profile).flatMap(Self.value)
  }

  /// Reads it and removes it in one transaction: of several that ask, one gets it.
  package func takePluginCredential(_ name: String, of plugin: String, profile: String) throws(StoreError) -> String? {
    guard try existing() != nil else { return nil }
    return try write { database throws(StoreError) -> String? in
      let kind = Self.kind(of: plugin)
      guard let secret = try opened(kind, userID: name, profile: profile, in: database) else { return nil }
      try database.run(
        "DELETE FROM credential WHERE profile = ? AND kind = ? AND user_id = ?", .text(profile), .text(kind),
        .text(name))
      return Self.value(secret)
    }
  }

  /// The names, in order of their bytes, without their values: no key is needed.
  package func pluginCredentialNames(of plugin: String, profile: String) throws(StoreError) -> [String] {
    guard let database = try existing() else { return [] }
    let statement = try database.prepare(
      "SELECT user_id FROM credential WHERE profile = ? AND kind = ? ORDER BY user_id")
    return try statement.texts(.text(profile), .text(Self.kind(of: plugin)))
  }

  /// The names in every profile, likewise.
  package func pluginCredentialNames(of plugin: String) throws(StoreError) -> [(profile: String, name: String)] {
    guard let database = try existing() else { return [] }
    let statement = try database.prepare(
      "SELECT profile, user_id FROM credential WHERE kind = ? ORDER BY profile, user_id")
    try statement.bind([.text(Self.kind(of: plugin))])
    var names: [(profile: String, name: String)] = []
    while try statement.step() { names.append((statement.text(0), statement.text(1))) }
    return names
  }

  /// The plugins of which the profile keeps something.
  package func pluginsKeepingCredentials(profile: String) throws(StoreError) -> [String] {
    guard let database = try existing() else { return [] }
    // '0' follows '/', so that the index finds them at once.
    let statement = try database.prepare(
      "SELECT DISTINCT substr(kind, 8) FROM credential WHERE profile = ? AND kind >= 'plugin/' AND kind < 'plugin0'")
    return try statement.texts(.text(profile))
  }

  /// Writes and removes in one transaction.
  /// - Parameter recovering: whether values that cannot be written go to a recovery file, as JSON, which the error names.
  /// - Returns: how many of those to be removed there were.
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
    if values.isEmpty, try existing() == nil { return 0 }
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

  /// Removes all that a plugin keeps, in every profile.
  package func removePluginCredentials(of plugin: String) throws(StoreError) -> Int {
    guard try existing() != nil else { return 0 }
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
