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
  /// The record after the change; for a removal the record before it. If that record is missing, only the name is
  /// valid.
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

  /// The change of the record of the previous version.
  var previous: PreviousPlugin.Change {
    switch outcome {
    case .installed: .replaced(folder: folder)
    case .reinstalled: .unchanged
    case .rolledBack: .restored
    case .installedAlone, .removed, .linked, .unlinked: .removed
    }
  }
}

extension PluginRecords {
  /// Saves a change before the files are changed.
  package func begin(_ change: PluginChange) throws(StoreError) {
    try store.run(
      """
      INSERT OR REPLACE INTO plugin_change (\(PluginTrust.columns), provenance, outcome, folder, keeps_credentials)
      VALUES (\(PluginTrust.parameters), :provenance, :outcome, :folder, :keeps_credentials)
      """,
      change.plugin.values + [
        ":provenance": change.provenance?.json, ":outcome": change.outcome.rawValue, ":folder": change.folder,
        ":keeps_credentials": change.keepsCredentials,
      ])
  }

  /// Returns the changes that were begun and neither completed nor abandoned, sorted by name.
  package func unfinishedChanges() throws(StoreError) -> [PluginChange] {
    let changes = try store.openIfExists()?.rows(
      """
      SELECT \(PluginTrust.columns), provenance, outcome, folder, keeps_credentials FROM plugin_change ORDER BY name
      """
    ) { row in
      PluginChange.Outcome(rawValue: row["outcome"]).map { outcome in
        PluginChange(
          outcome, PluginTrust(row), from: PluginProvenance(json: row["provenance"]), folder: row["folder"],
          keepsCredentials: row["keeps_credentials"])
      }
    }
    return (changes ?? []).compactMap(\.self)
  }

  /// Records the state after a change, in one transaction.
  /// - Parameter files: The state of the plugin's files at their path; nil if it has none.
  package func complete(_ change: PluginChange, files: String? = nil) throws(StoreError) {
    var plugin = change.plugin
    if let files { plugin.files = files }
    try store.write { database throws(StoreError) in
      if !change.keepsCredentials { try database.removeCredentials(ofPlugin: plugin.name) }
      switch change.outcome {
      case .installed, .reinstalled, .installedAlone, .rolledBack:
        try database.record(plugin, change.provenance, change.previous, at: store.world.clock.now())
      case .removed: try database.forgetPlugin(plugin.name)
      case .linked: try database.recordLink(plugin)
      case .unlinked: try database.run("DELETE FROM plugin_link WHERE name = :name", [":name": plugin.name])
      }
      try database.run("DELETE FROM plugin_change WHERE name = :name", [":name": plugin.name])
    }
  }

  /// Forgets a change whose files were not changed.
  package func abandon(_ change: PluginChange) throws(StoreError) {
    try store.run("DELETE FROM plugin_change WHERE name = :name", [":name": change.plugin.name])
  }
}

/// The version of a plugin that the installed one replaced.
package struct PreviousPlugin: Sendable, Equatable {
  package let trust: PluginTrust
  package let provenance: PluginProvenance?
  /// The name of the folder with its files, in the folder of plugins.
  package let folder: String

  /// The effect of an installation on the record.
  package enum Change: Sendable {
    /// The replaced version becomes the previous one. Its files are in this folder from now on.
    case replaced(folder: String)
    case unchanged
    case removed
    /// The previous version replaces the installed one. Its files are no longer stored.
    case restored
  }
}

extension PluginRecords {
  /// Returns the version that a plugin replaced; nil if none is stored.
  package func previous(_ name: String) throws(StoreError) -> PreviousPlugin? {
    try store.openIfExists()?.first(
      "SELECT \(PluginTrust.columns), folder, provenance FROM previous_plugin WHERE name = :name", [":name": name]
    ) { row in
      PreviousPlugin(
        trust: PluginTrust(row), provenance: PluginProvenance(json: row["provenance"]), folder: row["folder"])
    }
  }

  /// Returns the hidden folders in use: those of previous versions, and of changes that are not complete.
  package func hiddenFolders() throws(StoreError) -> [String] {
    try store.openIfExists()?.texts("SELECT folder FROM previous_plugin UNION SELECT folder FROM plugin_change") ?? []
  }
}

extension Database {
  /// Changes the record of the previous version before the plugin's own record is replaced.
  func change(_ change: PreviousPlugin.Change, of name: String) throws(StoreError) {
    if case .unchanged = change { return }
    try run("DELETE FROM previous_plugin WHERE name = :name", [":name": name])
    guard case .replaced(let folder) = change else { return }
    try run(
      """
      INSERT INTO previous_plugin (\(PluginTrust.columns), provenance, folder)
      SELECT \(PluginTrust.columns), provenance, :folder FROM plugin WHERE name = :name
      """, [":folder": folder, ":name": name])
  }
}
