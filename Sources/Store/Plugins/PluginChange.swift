import World

/// A change of a plugin on this machine: the state that the store records once the change of its files is complete.
///
/// It is saved before the first file is changed. After a kill, the files show whether they were changed, and the change is
/// completed or abandoned.
package struct PluginChange: Sendable, Equatable {
  package enum Outcome: String, Sendable, CaseIterable {
    /// The plugin is installed. The version that it replaces is stored in ``PluginChange/folder``.
    case installed
    /// The same files are installed again. The record of the previous version stays as it is.
    case reinstalled
    /// The plugin is installed, and no earlier version is stored.
    case installedAlone = "installed_alone"
    /// The previous version is restored.
    case rolledBack = "rolled_back"
    case removed
    case linked, unlinked
  }

  package let outcome: Outcome
  /// The record after the change; for a removal the record before it. Without a record, only the name counts.
  package let plugin: PluginTrust
  package let provenance: PluginProvenance?
  /// The name of the hidden folder that is exchanged with that of the plugin; empty for links.
  package let folder: String
  /// Whether the stored credentials of plugins of this name stay.
  package let keepsCredentials: Bool

  package init(
    _ outcome: Outcome, _ plugin: PluginTrust, from provenance: PluginProvenance? = nil, folder: String = "",
    keepsCredentials: Bool
  ) {
    (self.outcome, self.plugin, self.provenance) = (outcome, plugin, provenance)
    (self.folder, self.keepsCredentials) = (folder, keepsCredentials)
  }

  /// What becomes of the record of the previous version.
  var previous: PreviousPlugin.Change {
    switch outcome {
    case .installed: .replaced(folder: folder)
    case .reinstalled: .unchanged
    case .rolledBack: .restored
    case .installedAlone, .removed, .linked, .unlinked: .removed
    }
  }
}

extension Store {
  /// Saves a change before the files are changed.
  package func begin(_ change: PluginChange) throws(StoreError) {
    _ = try write { database throws(StoreError) in
      try database.run(
        """
        INSERT OR REPLACE INTO plugin_change
        (\(Self.columns), provenance, outcome, folder, keeps_credentials)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        with: Self.values(of: change.plugin) + [
          change.provenance.map { .text($0.json) } ?? .null, .text(change.outcome.rawValue), .text(change.folder),
          .integer(change.keepsCredentials ? 1 : 0),
        ])
    }
  }

  /// Returns the changes that were begun and neither completed nor abandoned, sorted by name.
  package func unfinishedPluginChanges() throws(StoreError) -> [PluginChange] {
    guard let database = try openIfExists() else { return [] }
    let statement = try database.prepare(
      """
      SELECT \(Self.columns), provenance, outcome, folder, keeps_credentials FROM plugin_change ORDER BY name
      """)
    var changes: [PluginChange] = []
    while try statement.step() {
      guard let outcome = PluginChange.Outcome(rawValue: statement.text(14)) else { continue }
      changes.append(
        PluginChange(
          outcome, Self.plugin(in: statement), from: PluginProvenance(json: statement.text(13)),
          folder: statement.text(15), keepsCredentials: statement.integer(16) != 0))
    }
    return changes
  }

  /// Records the state after a change, in one transaction.
  /// - Parameter files: the state of the plugin's files at their path; nil if it has none.
  package func complete(_ change: PluginChange, files: String? = nil) throws(StoreError) {
    var plugin = change.plugin
    if let files { plugin.files = files }
    try write { database throws(StoreError) in
      if !change.keepsCredentials { _ = try Self.removeCredentials(of: plugin.name, in: database) }
      switch change.outcome {
      case .installed, .reinstalled, .installedAlone, .rolledBack:
        try Self.record(plugin, change.provenance, change.previous, in: database, at: world.clock.now())
      case .removed: try Self.forget(plugin.name, in: database)
      case .linked: try Self.recordLink(plugin, in: database)
      case .unlinked: try Self.forgetLink(plugin.name, in: database)
      }
      try database.run("DELETE FROM plugin_change WHERE name = ?", .text(plugin.name))
    }
  }

  /// Forgets a change whose files were not changed.
  package func abandon(_ change: PluginChange) throws(StoreError) {
    _ = try write { database throws(StoreError) in
      try database.run("DELETE FROM plugin_change WHERE name = ?", .text(change.plugin.name))
    }
  }
}

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
    case unchanged
    case removed
    /// The previous version replaces the installed one. Its files are no longer stored.
    case restored
  }
}

extension Store {
  /// Returns the version that a plugin replaced; nil if none is stored.
  package func previousPlugin(_ name: String) throws(StoreError) -> PreviousPlugin? {
    guard let database = try openIfExists() else { return nil }
    let statement = try database.prepare(
      "SELECT \(Self.columns), folder, provenance FROM previous_plugin WHERE name = ?")
    try statement.bind([.text(name)])
    guard try statement.step() else { return nil }
    return PreviousPlugin(
      trust: Self.plugin(in: statement), provenance: PluginProvenance(json: statement.text(14)),
      folder: statement.text(13))
  }

  /// Returns the hidden folders in use: those of previous versions, and of changes that are not complete.
  package func hiddenPluginFolders() throws(StoreError) -> [String] {
    guard let database = try openIfExists() else { return [] }
    return try database.prepare(
      "SELECT folder FROM previous_plugin UNION SELECT folder FROM plugin_change"
    ).texts()
  }

  /// Changes the record of the previous version before the plugin's own record is replaced.
  static func change(_ change: PreviousPlugin.Change, of name: String, _ database: Database) throws(StoreError) {
    if case .unchanged = change { return }
    try database.run("DELETE FROM previous_plugin WHERE name = ?", .text(name))
    guard case .replaced(let folder) = change else { return }
    try database.run(
      """
      INSERT INTO previous_plugin (\(columns), provenance, folder)
      SELECT \(columns), provenance, ? FROM plugin WHERE name = ?
      """, .text(folder), .text(name))
  }
}
