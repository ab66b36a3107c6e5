package import Time
import World

/// An index of plugins, as last fetched.
package struct StoredPluginIndex: Sendable, Equatable {
  /// The name that the user gave it.
  package var name: String
  /// The URL or the absolute path it is fetched from.
  package var location: String
  package var updatedAt: Timestamp
  package var document: [UInt8]

  package init(name: String, location: String, updatedAt: Timestamp, document: [UInt8]) {
    (self.name, self.location, self.updatedAt, self.document) = (name, location, updatedAt, document)
  }
}

extension Store {
  /// Returns all indexes, sorted by name.
  package func pluginIndexes() throws(StoreError) -> [StoredPluginIndex] {
    guard let database = try existing() else { return [] }
    let statement = try database.prepare("SELECT name, location, updated_at, document FROM plugin_index ORDER BY name")
    var indexes: [StoredPluginIndex] = []
    while try statement.step() {
      indexes.append(
        StoredPluginIndex(
          name: statement.text(0), location: statement.text(1),
          updatedAt: Timestamp(milliseconds: statement.integer(2)), document: statement.bytes(3)))
    }
    return indexes
  }

  /// Saves an index, replacing the one with its name.
  package func savePluginIndex(_ index: StoredPluginIndex) throws(StoreError) {
    _ = try write { database throws(StoreError) in
      try database.run(
        "INSERT OR REPLACE INTO plugin_index (name, location, updated_at, document) VALUES (?, ?, ?, ?)",
        .text(index.name), .text(index.location), .integer(index.updatedAt.milliseconds), .blob(index.document))
    }
  }

  /// Removes an index.
  package func removePluginIndex(_ name: String) throws(StoreError) {
    _ = try write { database throws(StoreError) in
      try database.run("DELETE FROM plugin_index WHERE name = ?", .text(name))
    }
  }
}
