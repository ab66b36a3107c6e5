import JSON
package import Time
import World

/// A plugin that the user installed: which content of it is trusted, and what it may ask for and see.
package struct PluginTrust: Sendable, Equatable {
  package var name: String
  package var version: String
  /// `provider` or `command`.
  package var kind: String
  /// Of its content, 64 hexadecimal digits.
  package var sha256: String
  /// How its files looked when they were last found to be that content, as whoever looks at them writes it down.
  package var files: String
  /// Where it was installed from, as the user named it.
  package var origin: String
  package var installedAt: Timestamp
  /// The names, or their beginnings before a `*`, of the credentials that it may ask for.
  package var credentials: [String]
  /// The variables that it may see.
  package var environment: [String]
  /// What its manifest says it can be asked.
  package var capabilities: [String]

  package init(
    name: String, version: String, kind: String, sha256: String, files: String, origin: String, installedAt: Timestamp,
    credentials: [String] = [], environment: [String] = [], capabilities: [String] = []
  ) {
    (self.name, self.version, self.kind, self.sha256, self.files) = (name, version, kind, sha256, files)
    (self.origin, self.installedAt, self.credentials, self.environment) = (
      origin, installedAt, credentials, environment
    )
    self.capabilities = capabilities
  }

  /// Whether it asks for any credential, and so is of use only to a profile that keeps one of its.
  package var needsCredentials: Bool { !credentials.isEmpty }
}

extension Store {
  /// By name.
  package func trustedPlugins() throws(StoreError) -> [PluginTrust] { try readPlugins() }

  /// Those of one kind, by name: a list of connections asks only for providers, and reads nothing of the others.
  package func trustedPlugins(ofKind kind: String) throws(StoreError) -> [PluginTrust] {
    try readPlugins("WHERE kind = ?", kind)
  }

  /// Nil for one that was not installed.
  package func trustedPlugin(_ name: String) throws(StoreError) -> PluginTrust? {
    try readPlugins("WHERE name = ?", name).first
  }

  /// In the place of what was trusted under its name before.
  ///
  /// - Parameter inheriting: whether it gets the credentials that a plugin of its name has stored; they are removed otherwise,
  ///   in the same transaction.
  package func trust(_ plugin: PluginTrust, inheriting: Bool = true) throws(StoreError) {
    _ = try write { database throws(StoreError) in
      if !inheriting { _ = try Self.removeCredentials(of: plugin.name, in: database) }
      return try database.run(
        """
        INSERT OR REPLACE INTO plugin
        (name, version, kind, sha256, files, origin, installed_at, credentials, environment, capabilities)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """, .text(plugin.name), .text(plugin.version), .text(plugin.kind), .text(plugin.sha256), .text(plugin.files),
        .text(plugin.origin), .integer(plugin.installedAt.milliseconds), .text(Self.list(plugin.credentials)),
        .text(Self.list(plugin.environment)), .text(Self.list(plugin.capabilities)))
    }
  }

  /// Notes how the files of a plugin look now, where its trusted content is still this one.
  package func renewTrust(in name: String, of sha256: String, files: String) throws(StoreError) {
    _ = try write { database throws(StoreError) in
      try database.run(
        "UPDATE plugin SET files = ? WHERE name = ? AND sha256 = ?", .text(files), .text(name), .text(sha256))
    }
  }

  /// - Returns: whether it was trusted.
  package func distrustPlugin(_ name: String) throws(StoreError) -> Bool {
    guard try trustedPlugin(name) != nil else { return false }
    return try write { database throws(StoreError) in
      try database.run("DELETE FROM plugin WHERE name = ?", .text(name)) > 0
    }
  }

  private func readPlugins(_ condition: String = "", _ value: String? = nil) throws(StoreError) -> [PluginTrust] {
    guard let database = try existing() else { return [] }
    let statement = try database.prepare(
      """
      SELECT name, version, kind, sha256, files, origin, installed_at, credentials, environment, capabilities
      FROM plugin
      \(condition) ORDER BY name
      """)
    if let value { try statement.bind([.text(value)]) }
    var plugins: [PluginTrust] = []
    while try statement.step() {
      plugins.append(
        PluginTrust(
          name: statement.text(0), version: statement.text(1), kind: statement.text(2), sha256: statement.text(3),
          files: statement.text(4), origin: statement.text(5),
          installedAt: Timestamp(milliseconds: statement.integer(6)), credentials: Self.list(statement.text(7)),
          environment: Self.list(statement.text(8)), capabilities: Self.list(statement.text(9))))
    }
    return plugins
  }

  private static func list(_ texts: [String]) -> String { JSONValue.array(texts.map(JSONValue.string)).text }

  /// What cannot be read grants nothing.
  private static func list(_ text: String) -> [String] {
    (try? JSONValue(parsing: Array(text.utf8)))?.array?.compactMap(\.string) ?? []
  }
}
