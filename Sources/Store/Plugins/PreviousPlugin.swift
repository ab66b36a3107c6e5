/// The version of a plugin that the installed one replaced.
package struct PreviousPlugin: Sendable, Equatable {
  package let trust: PluginTrust
  package let provenance: PluginProvenance?
  /// The name of the folder with its files, in the folder of plugins.
  package let folder: String

  /// What an installation does with the record.
  package enum Change: Sendable {
    /// The replaced version becomes the previous one. Its files are in this folder from now on.
    case replaced(folder: String)
    case kept
    case removed
    /// The previous version replaces the installed one. Its files are no longer kept.
    case restored
  }
}

extension Store {
  /// Returns the version that a plugin replaced; nil if none is kept.
  package func previousPlugin(_ name: String) throws(StoreError) -> PreviousPlugin? {
    guard let database = try existing() else { return nil }
    let statement = try database.prepare(
      "SELECT \(Self.columns), folder, provenance FROM previous_plugin WHERE name = ?")
    try statement.bind([.text(name)])
    guard try statement.step() else { return nil }
    return PreviousPlugin(
      trust: Self.plugin(in: statement), provenance: PluginProvenance(json: statement.text(14)),
      folder: statement.text(13))
  }

  /// Returns the hidden folders in use: those of versions that are kept, and of changes that are not complete.
  package func hiddenPluginFolders() throws(StoreError) -> [String] {
    guard let database = try existing() else { return [] }
    return try database.prepare(
      "SELECT folder FROM previous_plugin UNION SELECT folder FROM plugin_change"
    ).texts()
  }

  /// Changes the record of the previous version before the plugin's own record is replaced.
  static func change(_ change: PreviousPlugin.Change, of name: String, _ database: Database) throws(StoreError) {
    if case .kept = change { return }
    try database.run("DELETE FROM previous_plugin WHERE name = ?", .text(name))
    guard case .replaced(let folder) = change else { return }
    try database.run(
      """
      INSERT INTO previous_plugin (\(columns), provenance, folder)
      SELECT \(columns), provenance, ? FROM plugin WHERE name = ?
      """, .text(folder), .text(name))
  }
}
