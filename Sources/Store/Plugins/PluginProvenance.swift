import JSON

/// Where an installed plugin comes from, so that newer versions can be found and have the same signer.
package struct PluginProvenance: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable {
    /// A folder, an archive or a file on this machine. It has no newer versions.
    case path
    case url, git, index
  }

  package var kind: Kind
  /// The absolute path, the URL of the archive, or the URL of the Git repository.
  package var location: String
  /// The name of the index; nil for other kinds.
  package var index: String?
  /// The tag of the Git repository, and the commit that it pointed to.
  package var tag: String?
  package var commit: String?
  /// Whether the user named the SHA-256 of the archive, which then never changes.
  package var isPinned = false
  /// The SHA-256 of the archive; nil for a folder and for a Git repository.
  package var archiveSHA256: String?
  /// The label of the trusted key that the archive is signed with; nil if it is signed with another key.
  package var signer: String?
  /// The fingerprint of the key that the archive is signed with; nil if it is not signed.
  package var signerKey: String?

  package init(_ kind: Kind, _ location: String) { (self.kind, self.location) = (kind, location) }

  /// Restores the stored form. Returns nil if it is not one.
  init?(json: String) {
    guard let value = try? JSONValue(parsing: Array(json.utf8)),
      let kind = value["kind"]?.string.flatMap(Kind.init(rawValue:)), let location = value["location"]?.string
    else { return nil }
    self.init(kind, location)
    (index, tag, commit) = (value["index"]?.string, value["tag"]?.string, value["commit"]?.string)
    isPinned = value["pinned"]?.bool ?? false
    archiveSHA256 = value["archive_sha256"]?.string
    (signer, signerKey) = (value["signer"]?.string, value["signer_key"]?.string)
  }

  var json: String {
    JSONValue.object([
      "kind": .string(kind.rawValue), "location": .string(location), "index": JSONValue(index), "tag": JSONValue(tag),
      "commit": JSONValue(commit), "pinned": .bool(isPinned), "archive_sha256": JSONValue(archiveSHA256),
      "signer": JSONValue(signer), "signer_key": JSONValue(signerKey),
    ]).text
  }
}

extension Store {
  /// Returns where a plugin comes from; nil if it is not installed, or was installed before this was recorded.
  package func provenance(of name: String) throws(StoreError) -> PluginProvenance? {
    try existing()?.text("SELECT provenance FROM plugin WHERE name = ?", .text(name)).flatMap {
      PluginProvenance(json: $0)
    }
  }
}
