/// The version of a plugin that the installed one replaced.
package struct PreviousPlugin: Sendable, Equatable {
  package let trust: PluginTrust
  /// The name of the folder with its files, in the folder of plugins.
  package let folder: String

  /// What an installation does with the record.
  package enum Change: Sendable {
    /// The replaced version becomes the previous one. Its files are in this folder from now on.
    case replaced(folder: String)
    case kept
    case removed
  }
}

extension Store {
  /// Returns the version that a plugin replaced; nil if none is kept.
  package func previousPlugin(_ name: String) throws(StoreError) -> PreviousPlugin? {
    guard let database = try existing() else { return nil }
    let statement = try database.prepare("SELECT \(Self.columns), folder FROM previous_plugin WHERE name = ?")
    try statement.bind([.text(name)])
    guard try statement.step() else { return nil }
    return PreviousPlugin(trust: Self.plugin(in: statement), folder: statement.text(13))
  }

  /// Returns the folders of all versions that are kept.
  package func previousPluginFolders() throws(StoreError) -> [String] {
    guard let database = try existing() else { return [] }
    return try database.prepare("SELECT folder FROM previous_plugin").texts()
  }

  /// Trusts the version that a plugin replaced in place of the plugin. It can be restored once.
  /// - Parameters:
  ///   - files: The state of its files at their new place.
  ///   - inheriting: Whether it keeps the stored credentials. If false, they are removed in the same transaction.
  package func restorePreviousPlugin(_ name: String, files: String, inheriting: Bool) throws(StoreError) {
    try write { database throws(StoreError) in
      if !inheriting { _ = try Self.removeCredentials(of: name, in: database) }
      try database.run(
        """
        INSERT OR REPLACE INTO plugin (\(Self.columns), provenance)
        SELECT \(Self.columns), provenance FROM previous_plugin WHERE name = ?
        """, .text(name))
      try database.run("UPDATE plugin SET files = ? WHERE name = ?", .text(files), .text(name))
      try database.run("DELETE FROM previous_plugin WHERE name = ?", .text(name))
    }
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
