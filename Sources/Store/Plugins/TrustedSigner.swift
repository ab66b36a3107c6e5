package import World

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
    guard let database = try existing() else { return [] }
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
