import World

// Linked plugins: they run from their authors' folders, and their content is not checked.

extension Store {
  /// Returns all linked plugins, sorted by name. The origin of each is its folder; it has no checksum.
  package func linkedPlugins() throws(StoreError) -> [PluginTrust] {
    // Few users link plugins, and this query takes a tenth of the time of the other.
    guard try existing()?.integer("SELECT 1 FROM plugin_link LIMIT 1") != nil else { return [] }
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
