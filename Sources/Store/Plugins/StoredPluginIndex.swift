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
    guard let database = try openIfExists() else { return [] }
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
    } else if let arguments = value["command"]?.array?.compactMap(\.string), !arguments.isEmpty {
      self = .command(arguments)
    } else {
      return nil
    }
  }

  fileprivate var json: String {
    let object: JSONObject =
      switch self {
      case .file(let path): ["file": .string(path)]
      case .command(let arguments): ["command": .array(arguments.map(JSONValue.string))]
      }
    return JSONValue.object(object).text
  }
}

/// A public key whose signatures on plugins are trusted.
package struct TrustedSigner: Sendable, Equatable {
  /// The name that the user gave the key.
  package var label: String
  /// The type and the key in Base64.
  package var key: String
  package var fingerprint: String
  /// The time from which its signatures are no longer accepted; nil if it does not expire.
  package var validBefore: Timestamp?
  package var addedAt: Timestamp

  package init(label: String, key: String, fingerprint: String, validBefore: Timestamp?, addedAt: Timestamp) {
    (self.label, self.key, self.fingerprint) = (label, key, fingerprint)
    (self.validBefore, self.addedAt) = (validBefore, addedAt)
  }
}

extension Store {
  /// Returns all trusted keys, sorted by label.
  package func trustedSigners() throws(StoreError) -> [TrustedSigner] {
    guard let database = try openIfExists() else { return [] }
    let statement = try database.prepare(
      "SELECT label, key, fingerprint, valid_before, added_at FROM plugin_signer ORDER BY label")
    var signers: [TrustedSigner] = []
    while try statement.step() {
      signers.append(
        TrustedSigner(
          label: statement.text(0), key: statement.text(1), fingerprint: statement.text(2),
          validBefore: statement.isNull(3) ? nil : Timestamp(milliseconds: statement.integer(3)),
          addedAt: Timestamp(milliseconds: statement.integer(4))))
    }
    return signers
  }

  /// Saves a trusted key.
  package func saveSigner(_ signer: TrustedSigner) throws(StoreError) {
    _ = try write { database throws(StoreError) in
      try database.run(
        "INSERT OR REPLACE INTO plugin_signer (label, key, fingerprint, valid_before, added_at) VALUES (?, ?, ?, ?, ?)",
        .text(signer.label), .text(signer.key), .text(signer.fingerprint),
        signer.validBefore.map { .integer($0.milliseconds) } ?? .null, .integer(signer.addedAt.milliseconds))
    }
  }

  /// Removes a trusted key.
  package func removeSigner(_ label: String) throws(StoreError) {
    _ = try write { database throws(StoreError) in
      try database.run("DELETE FROM plugin_signer WHERE label = ?", .text(label))
    }
  }
}
