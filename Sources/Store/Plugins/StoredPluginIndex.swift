import JSON
package import World

/// An index of plugins, as last fetched.
package struct StoredPluginIndex: Sendable, Equatable {
  /// Where the header for requests to the index comes from, such as a token. The value itself is never stored.
  package enum HeaderSource: Sendable, Equatable {
    /// The absolute path of a file with the header.
    case file(String)
    /// A program that prints the header, and its arguments.
    case command([String])
  }

  /// The name that the user gave it.
  package var name: String
  /// The URL or the absolute path it is fetched from.
  package var location: String
  package var header: HeaderSource?
  package var updatedAt: Timestamp
  package var document: [UInt8]

  package init(
    name: String, location: String, header: HeaderSource? = nil, updatedAt: Timestamp, document: [UInt8]
  ) {
    (self.name, self.location, self.header) = (name, location, header)
    (self.updatedAt, self.document) = (updatedAt, document)
  }
}

extension Store {
  /// Returns all indexes, sorted by name.
  package func pluginIndexes() throws(StoreError) -> [StoredPluginIndex] {
    guard let database = try existing() else { return [] }
    let statement = try database.prepare(
      "SELECT name, location, updated_at, document, header FROM plugin_index ORDER BY name")
    var indexes: [StoredPluginIndex] = []
    while try statement.step() {
      indexes.append(
        StoredPluginIndex(
          name: statement.text(0), location: statement.text(1),
          header: StoredPluginIndex.HeaderSource(json: statement.text(4)),
          updatedAt: Timestamp(milliseconds: statement.integer(2)), document: statement.bytes(3)))
    }
    return indexes
  }

  /// Saves an index, replacing the one with its name.
  package func savePluginIndex(_ index: StoredPluginIndex) throws(StoreError) {
    _ = try write { database throws(StoreError) in
      try database.run(
        "INSERT OR REPLACE INTO plugin_index (name, location, updated_at, document, header) VALUES (?, ?, ?, ?, ?)",
        .text(index.name), .text(index.location), .integer(index.updatedAt.milliseconds), .blob(index.document),
        index.header.map { .text($0.json) } ?? .null)
    }
  }

  /// Removes an index.
  package func removePluginIndex(_ name: String) throws(StoreError) {
    _ = try write { database throws(StoreError) in
      try database.run("DELETE FROM plugin_index WHERE name = ?", .text(name))
    }
  }
}

extension StoredPluginIndex.HeaderSource {
  /// Restores the stored form. Returns nil if it is not one.
  fileprivate init?(json: String) {
    guard let value = try? JSONValue(parsing: Array(json.utf8)) else { return nil }
    if let path = value["file"]?.string {
      self = .file(path)
    } else if let words = value["command"]?.array?.compactMap(\.string), !words.isEmpty {
      self = .command(words)
    } else {
      return nil
    }
  }

  fileprivate var json: String {
    let object: JSONObject =
      switch self {
      case .file(let path): ["file": .string(path)]
      case .command(let words): ["command": .array(words.map(JSONValue.string))]
      }
    return JSONValue.object(object).text
  }
}
