import JSON
import Text
package import World

/// A plugin that the user has installed, with its trusted content and its permissions.
package struct PluginTrust: Sendable, Equatable {
  package var name: String
  package var version: String
  /// The kind: `provider` or `command`.
  package var kind: String
  /// The checksum of its content, 64 hexadecimal digits.
  package var sha256: String
  /// The state of its files when their content was last verified, in the verifier's format.
  package var files: String
  /// The source it was installed from, as the user entered it.
  package var origin: String
  package var installedAt: Timestamp
  /// The names of the credentials it may request. A name that ends in `*` is a prefix.
  package var credentials: [String]
  /// The environment variables that are visible to it.
  package var environment: [String]
  /// The capabilities that its manifest declares.
  package var capabilities: [String]
  /// Whether it may open pages in the browser.
  package var usesBrowser: Bool
  /// The paths that it may read, and those that it may also write.
  package var readPaths: [String]
  package var writePaths: [String]

  package init(
    name: String, version: String, kind: String, sha256: String, files: String, origin: String, installedAt: Timestamp,
    credentials: [String] = [], environment: [String] = [], capabilities: [String] = [], usesBrowser: Bool = false,
    readPaths: [String] = [], writePaths: [String] = []
  ) {
    (self.name, self.version, self.kind, self.sha256, self.files) = (name, version, kind, sha256, files)
    (self.origin, self.installedAt, self.credentials, self.environment) = (
      origin, installedAt, credentials, environment
    )
    self.capabilities = capabilities
    (self.usesBrowser, self.readPaths, self.writePaths) = (usesBrowser, readPaths, writePaths)
  }

  /// Whether it requests any credential. It is then usable only in a profile that stores one of its credentials.
  package var needsCredentials: Bool { !credentials.isEmpty }
}

/// The records of the plugins that this machine trusts.
package struct PluginRecords {
  let store: Store

  package init(_ store: Store) { self.store = store }

  /// The tables with the plugins that this machine trusts. A restored backup does not change them.
  static let tables = [
    "plugin", "plugin_link", "previous_plugin", "plugin_change", "plugin_version", "plugin_index", "plugin_signer",
  ]

  /// Returns all trusted plugins, sorted by name.
  package func trusted() throws(StoreError) -> [PluginTrust] { try read(from: "plugin") }

  /// Returns a trusted plugin; nil if it is not installed.
  package func trusted(_ name: String) throws(StoreError) -> PluginTrust? { try read(from: "plugin", name).first }

  /// Updates the recorded state of a plugin's files, if this content is still the trusted one.
  package func renewTrust(in name: String, of sha256: String, files: String) throws(StoreError) {
    try store.run(
      "UPDATE plugin SET files = :files WHERE name = :name AND sha256 = :sha256",
      [":files": files, ":name": name, ":sha256": sha256])
  }

  /// - Parameters:
  ///   - table: A table, or a query in parentheses, with the columns of installed plugins.
  ///   - name: The only plugin; nil for all.
  private func read(from table: String, _ name: String? = nil) throws(StoreError) -> [PluginTrust] {
    try store.openIfExists()?.rows(
      """
      SELECT \(PluginTrust.columns) FROM \(table) \(name == nil ? "" : "WHERE name = :name") ORDER BY name
      """, name.map { [":name": $0] } ?? [:]
    ) { PluginTrust($0) } ?? []
  }

  // Linked plugins: they run from their authors' folders, and their content is not checked.

  /// Returns all linked plugins, sorted by name. The origin of each is its folder; it has no checksum.
  package func linked() throws(StoreError) -> [PluginTrust] {
    // Few users link plugins, so check for any link first.
    guard try store.openIfExists()?.integer("SELECT 1 FROM plugin_link LIMIT 1") != nil else { return [] }
    return try read(from: Self.links)
  }

  /// Returns a linked plugin; nil if none has this name.
  package func linked(_ name: String) throws(StoreError) -> PluginTrust? { try read(from: Self.links, name).first }

  /// The links, with the columns of installed plugins.
  private static let links = """
    (SELECT name, version, kind, '' AS sha256, '' AS files, folder AS origin, linked_at AS installed_at, credentials,
       environment, capabilities, uses_browser, read_paths, write_paths
     FROM plugin_link)
    """
}

extension PluginTrust {
  /// The columns that ``init(_:)`` reads.
  static let columns = """
    name, version, kind, sha256, files, origin, installed_at, credentials, environment, capabilities, uses_browser,
    read_paths, write_paths
    """

  /// The parameters for ``columns``, in the same order.
  static let parameters = """
    :name, :version, :kind, :sha256, :files, :origin, :installed_at, :credentials, :environment, :capabilities,
    :uses_browser, :read_paths, :write_paths
    """

  /// The values of ``parameters``.
  var values: SQLParameters { sharedValues + [":sha256": sha256, ":files": files] }

  /// The values that a link has too.
  fileprivate var sharedValues: SQLParameters {
    [
      ":name": name, ":version": version, ":kind": kind, ":origin": origin, ":installed_at": installedAt,
      ":credentials": Self.list(credentials), ":environment": Self.list(environment),
      ":capabilities": Self.list(capabilities), ":uses_browser": usesBrowser, ":read_paths": Self.list(readPaths),
      ":write_paths": Self.list(writePaths),
    ]
  }

  init(_ row: borrowing Statement) {
    self.init(
      name: row["name"], version: row["version"], kind: row["kind"], sha256: row["sha256"], files: row["files"],
      origin: row["origin"], installedAt: row["installed_at"], credentials: Self.list(row["credentials"]),
      environment: Self.list(row["environment"]), capabilities: Self.list(row["capabilities"]),
      usesBrowser: row["uses_browser"], readPaths: Self.list(row["read_paths"]),
      writePaths: Self.list(row["write_paths"]))
  }

  private static func list(_ texts: [String]) -> String { JSONValue.array(texts.map(JSONValue.string)).text }

  /// Decodes a list. An invalid list grants nothing.
  fileprivate static func list(_ text: String) -> [String] {
    (try? JSONValue(parsing: Array(text.utf8)))?.array?.compactMap(\.string) ?? []
  }
}

extension Database {
  /// Records an installed plugin, replacing any plugin with the same name.
  ///
  /// - Parameter previous: The change of the record of the version before it.
  func record(
    _ plugin: PluginTrust, _ provenance: PluginProvenance?, _ previous: PreviousPlugin.Change, at time: Timestamp
  ) throws(StoreError) {
    try rememberPluginRecords(of: plugin.name)
    if case .restored = previous { try markRolledBack(plugin.name, at: time) }
    try change(previous, of: plugin.name)
    try run(
      """
      INSERT OR REPLACE INTO plugin (\(PluginTrust.columns), provenance)
      VALUES (\(PluginTrust.parameters), :provenance)
      """, plugin.values + [":provenance": provenance?.json])
    try remember(plugin, provenance)
  }

  /// Removes the record of a plugin and of the version before it.
  func forgetPlugin(_ name: String) throws(StoreError) {
    try rememberPluginRecords(of: name)
    try run("DELETE FROM previous_plugin WHERE name = :name", [":name": name])
    try run("DELETE FROM plugin WHERE name = :name", [":name": name])
  }

  /// Records a link, replacing the link of the same name. An installed plugin of the same name keeps its record.
  func recordLink(_ plugin: PluginTrust) throws(StoreError) {
    try run(
      """
      INSERT OR REPLACE INTO plugin_link
      (name, version, kind, folder, linked_at, credentials, environment, capabilities, uses_browser, read_paths,
       write_paths)
      VALUES (:name, :version, :kind, :origin, :installed_at, :credentials, :environment, :capabilities, :uses_browser,
       :read_paths, :write_paths)
      """, plugin.sharedValues)
  }
}

/// The part of a provider plugin's trust record that a list of connections needs. Decoding the whole record would take
/// longer.
package struct TrustedProvider: Sendable, Equatable {
  package let name: String
  /// The capabilities that its manifest declares.
  package let capabilities: [String]
  /// Whether it may request any credential.
  package let needsCredentials: Bool

  package init(name: String, capabilities: [String], needsCredentials: Bool) {
    (self.name, self.capabilities, self.needsCredentials) = (name, capabilities, needsCredentials)
  }
}

extension PluginRecords {
  /// Returns the installed and linked provider plugins, sorted by name. A link hides the installed plugin of its name.
  /// - Parameter kind: The kind of provider plugins.
  package func trustedProviders(ofKind kind: String) throws(StoreError) -> [TrustedProvider] {
    guard let database = try store.openIfExists() else { return [] }
    // Two statements: SQLite takes longer to prepare and to step through their union.
    let links = try database.providers(
      """
      SELECT name, capabilities, credentials <> '[]' AS needs_credentials, kind = :kind AS is_of_kind FROM plugin_link
      """, kind)
    let installed = try database.providers(
      """
      SELECT name, capabilities, credentials <> '[]' AS needs_credentials, 1 AS is_of_kind FROM plugin
      WHERE kind = :kind ORDER BY name
      """, kind)
    guard !links.isEmpty else { return installed.map { $0.provider } }
    return
      (links.filter { $0.isOfKind }
      + installed.filter { plugin in !links.contains { $0.provider.name == plugin.provider.name } })
      .map { $0.provider }.sorted(by: \.name)
  }
}

extension Database {
  /// - Parameter sql: A statement with the kind as its parameter, and with the columns name, capabilities, whether
  ///   credentials are needed, and whether the plugin is of that kind.
  fileprivate func providers(
    _ sql: String, _ kind: String
  ) throws(StoreError) -> [(provider: TrustedProvider, isOfKind: Bool)] {
    // Most providers have the same capabilities as the one before, so decode each text only once.
    var (text, capabilities) = ("[]", [String]())
    return try rows(sql, [":kind": kind]) { row in
      let next: String = row["capabilities"]
      if next != text { (text, capabilities) = (next, PluginTrust.list(next)) }
      let provider = TrustedProvider(
        name: row["name"], capabilities: capabilities, needsCredentials: row["needs_credentials"])
      return (provider, isOfKind: row["is_of_kind"])
    }
  }
}
