import JSON
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

extension Store {
  /// The tables with the plugins that this machine trusts. A restored backup does not change them.
  static let trustTables = [
    "plugin", "plugin_link", "previous_plugin", "plugin_change", "plugin_version", "plugin_index", "plugin_signer",
  ]

  /// Returns all trusted plugins, sorted by name.
  package func trustedPlugins() throws(StoreError) -> [PluginTrust] { try readPlugins() }

  /// Returns a trusted plugin; nil if it is not installed.
  package func trustedPlugin(_ name: String) throws(StoreError) -> PluginTrust? {
    try readPlugins(from: "plugin", "WHERE name = ?", name).first
  }

  /// Records an installed plugin, replacing any plugin with the same name.
  ///
  /// - Parameter previous: What becomes of the record of the version before it.
  static func record(
    _ plugin: PluginTrust, _ provenance: PluginProvenance?, _ previous: PreviousPlugin.Change, in database: Database,
    at time: Timestamp
  ) throws(StoreError) {
    try rememberRecords(of: plugin.name, in: database)
    if case .restored = previous { try markRolledBack(plugin.name, at: time, in: database) }
    try change(previous, of: plugin.name, database)
    let marks = Array(repeating: "?", count: 14).joined(separator: ", ")
    try database.run(
      "INSERT OR REPLACE INTO plugin (\(columns), provenance) VALUES (\(marks))",
      with: values(of: plugin) + [provenance.map { .text($0.json) } ?? .null])
    try remember(plugin, provenance, in: database)
  }

  /// Updates the recorded state of a plugin's files, if this content is still the trusted one.
  package func renewTrust(in name: String, of sha256: String, files: String) throws(StoreError) {
    _ = try write { database throws(StoreError) in
      try database.run(
        "UPDATE plugin SET files = ? WHERE name = ? AND sha256 = ?", .text(files), .text(name), .text(sha256))
    }
  }

  /// Removes the record of a plugin and of the version before it.
  static func forget(_ name: String, in database: Database) throws(StoreError) {
    try rememberRecords(of: name, in: database)
    try database.run("DELETE FROM previous_plugin WHERE name = ?", .text(name))
    try database.run("DELETE FROM plugin WHERE name = ?", .text(name))
  }

  /// - Parameter table: a table, or a query in parentheses, with the columns of installed plugins.
  func readPlugins(
    from table: String = "plugin", _ condition: String = "", _ value: String? = nil
  ) throws(StoreError) -> [PluginTrust] {
    guard let database = try openIfExists() else { return [] }
    let statement = try database.prepare("SELECT \(Self.columns) FROM \(table) \(condition) ORDER BY name")
    if let value { try statement.bind([.text(value)]) }
    var plugins: [PluginTrust] = []
    while try statement.step() { plugins.append(Self.plugin(in: statement)) }
    return plugins
  }

  /// The columns that ``plugin(in:)`` reads.
  static let columns = """
    name, version, kind, sha256, files, origin, installed_at, credentials, environment, capabilities, uses_browser,
    read_paths, write_paths
    """

  /// The values of ``columns``.
  static func values(of plugin: PluginTrust) -> [SQLValue] {
    [
      .text(plugin.name), .text(plugin.version), .text(plugin.kind), .text(plugin.sha256), .text(plugin.files),
      .text(plugin.origin), .integer(plugin.installedAt.milliseconds), .text(list(plugin.credentials)),
      .text(list(plugin.environment)), .text(list(plugin.capabilities)), .integer(plugin.usesBrowser ? 1 : 0),
      .text(list(plugin.readPaths)), .text(list(plugin.writePaths)),
    ]
  }

  /// The trust record in the current row.
  static func plugin(in statement: borrowing Statement) -> PluginTrust {
    PluginTrust(
      name: statement.text(0), version: statement.text(1), kind: statement.text(2), sha256: statement.text(3),
      files: statement.text(4), origin: statement.text(5),
      installedAt: Timestamp(milliseconds: statement.integer(6)), credentials: list(statement.text(7)),
      environment: list(statement.text(8)), capabilities: list(statement.text(9)),
      usesBrowser: statement.integer(10) != 0, readPaths: list(statement.text(11)),
      writePaths: list(statement.text(12)))
  }

  static func list(_ texts: [String]) -> String { JSONValue.array(texts.map(JSONValue.string)).text }

  /// Decodes a list. An invalid list grants nothing.
  static func list(_ text: String) -> [String] {
    (try? JSONValue(parsing: Array(text.utf8)))?.array?.compactMap(\.string) ?? []
  }
}

// Linked plugins: they run from their authors' folders, and their content is not checked.

extension Store {
  /// Returns all linked plugins, sorted by name. The origin of each is its folder; it has no checksum.
  package func linkedPlugins() throws(StoreError) -> [PluginTrust] {
    // Few users link plugins, so ask for one first.
    guard try openIfExists()?.integer("SELECT 1 FROM plugin_link LIMIT 1") != nil else { return [] }
    return try readPlugins(from: Self.links)
  }

  /// Returns a linked plugin; nil if none has this name.
  package func linkedPlugin(_ name: String) throws(StoreError) -> PluginTrust? {
    try readPlugins(from: Self.links, "WHERE name = ?", name).first
  }

  /// Records a link, replacing the link of the same name. An installed plugin of the same name keeps its record.
  static func recordLink(_ plugin: PluginTrust, in database: Database) throws(StoreError) {
    try database.run(
      """
      INSERT OR REPLACE INTO plugin_link
      (name, version, kind, folder, linked_at, credentials, environment, capabilities, uses_browser, read_paths,
       write_paths)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, .text(plugin.name), .text(plugin.version), .text(plugin.kind), .text(plugin.origin),
      .integer(plugin.installedAt.milliseconds), .text(list(plugin.credentials)), .text(list(plugin.environment)),
      .text(list(plugin.capabilities)), .integer(plugin.usesBrowser ? 1 : 0), .text(list(plugin.readPaths)),
      .text(list(plugin.writePaths)))
  }

  /// Removes the link of a plugin.
  static func forgetLink(_ name: String, in database: Database) throws(StoreError) {
    try database.run("DELETE FROM plugin_link WHERE name = ?", .text(name))
  }

  /// The links, with the columns of installed plugins.
  private static let links = """
    (SELECT name, version, kind, '' AS sha256, '' AS files, folder AS origin, linked_at AS installed_at, credentials,
       environment, capabilities, uses_browser, read_paths, write_paths
     FROM plugin_link)
    """
}

/// What a list of connections needs of a provider plugin, so that it does not decode the whole trust record.
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

extension Store {
  /// Returns the installed and linked provider plugins, sorted by name. A link hides the installed plugin of its name.
  /// - Parameter kind: The kind of provider plugins.
  package func trustedProviders(ofKind kind: String) throws(StoreError) -> [TrustedProvider] {
    guard let database = try openIfExists() else { return [] }
    // Two statements: SQLite takes longer to prepare and to step through their union.
    let links = try database.providers(
      "SELECT name, capabilities, credentials <> '[]', kind = ? FROM plugin_link", kind)
    let installed = try database.providers(
      "SELECT name, capabilities, credentials <> '[]', 1 FROM plugin WHERE kind = ? ORDER BY name", kind)
    guard !links.isEmpty else { return installed.map { $0.provider } }
    return
      (links.filter { $0.isOfKind }
      + installed.filter { one in !links.contains { $0.provider.name == one.provider.name } })
      .map { $0.provider }.sorted { $0.name < $1.name }
  }
}

extension Database {
  /// - Parameter sql: A statement with the kind as its parameter, and with the columns name, capabilities, whether
  ///   credentials are needed, and whether the plugin is of that kind.
  fileprivate func providers(
    _ sql: String, _ kind: String
  ) throws(StoreError) -> [(provider: TrustedProvider, isOfKind: Bool)] {
    let statement = try prepare(sql)
    try statement.bind([.text(kind)])
    var providers: [(provider: TrustedProvider, isOfKind: Bool)] = []
    // Most providers have the same capabilities as the one before, so decode each text only once.
    var (text, capabilities) = ("[]", [String]())
    while try statement.step() {
      let next = statement.text(1)
      if next != text { (text, capabilities) = (next, Store.list(next)) }
      let provider = TrustedProvider(
        name: statement.text(0), capabilities: capabilities, needsCredentials: statement.integer(2) != 0)
      providers.append((provider, isOfKind: statement.integer(3) != 0))
    }
    return providers
  }
}
