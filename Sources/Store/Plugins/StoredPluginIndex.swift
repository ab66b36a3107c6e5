import JSON
package import World

/// An index of plugins, as last fetched.
package struct StoredPluginIndex: Sendable, Equatable {
  /// The name that the user gave it.
  package var name: String
  /// The URL or the absolute path it is fetched from.
  package var location: String
  /// The source of the header for requests to the index, which may contain a token. The header itself is never stored.
  package var header: SecretSource?
  package var updatedAt: Timestamp
  package var document: [UInt8]

  package init(
    name: String, location: String, header: SecretSource? = nil, updatedAt: Timestamp, document: [UInt8]
  ) {
    (self.name, self.location, self.header) = (name, location, header)
    (self.updatedAt, self.document) = (updatedAt, document)
  }
}

extension PluginRecords {
  /// Returns all indexes, sorted by name.
  package func indexes() throws(StoreError) -> [StoredPluginIndex] {
    try store.openIfExists()?.rows(
      "SELECT name, location, updated_at, document, header FROM plugin_index ORDER BY name"
    ) { row in
      StoredPluginIndex(
        name: row["name"], location: row["location"], header: SecretSource(try? JSONValue(parsing: row["header"])),
        updatedAt: row["updated_at"], document: row["document"])
    } ?? []
  }

  /// Saves an index, replacing the one with its name.
  package func save(_ index: StoredPluginIndex) throws(StoreError) {
    try store.run(
      """
      INSERT OR REPLACE INTO plugin_index (name, location, updated_at, document, header)
      VALUES (:name, :location, :updated_at, :document, :header)
      """,
      [
        ":name": index.name, ":location": index.location, ":updated_at": index.updatedAt, ":document": index.document,
        ":header": index.header?.json.text,
      ])
  }

  /// Removes an index.
  package func removeIndex(_ name: String) throws(StoreError) {
    try store.run("DELETE FROM plugin_index WHERE name = :name", [":name": name])
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

extension PluginRecords {
  /// Returns all trusted keys, sorted by label.
  package func signers() throws(StoreError) -> [TrustedSigner] {
    try store.openIfExists()?.rows(
      "SELECT label, key, fingerprint, valid_before, added_at FROM plugin_signer ORDER BY label"
    ) { row in
      TrustedSigner(
        label: row["label"], key: row["key"], fingerprint: row["fingerprint"], validBefore: row["valid_before"],
        addedAt: row["added_at"])
    } ?? []
  }

  /// Saves a trusted key.
  package func save(_ signer: TrustedSigner) throws(StoreError) {
    try store.run(
      """
      INSERT OR REPLACE INTO plugin_signer (label, key, fingerprint, valid_before, added_at)
      VALUES (:label, :key, :fingerprint, :valid_before, :added_at)
      """,
      [
        ":label": signer.label, ":key": signer.key, ":fingerprint": signer.fingerprint,
        ":valid_before": signer.validBefore, ":added_at": signer.addedAt,
      ])
  }

  /// Removes a trusted key.
  package func removeSigner(_ label: String) throws(StoreError) {
    try store.run("DELETE FROM plugin_signer WHERE label = :label", [":label": label])
  }
}
