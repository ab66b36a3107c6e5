import JSON
package import World

/// The origin of an installed plugin, to find newer versions and to require the same signer for them.
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

  /// Decodes the stored form; returns nil if it is invalid.
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

extension PluginRecords {
  /// Returns the provenance of a plugin; nil if it is not installed, or was installed before this was recorded.
  package func provenance(of name: String) throws(StoreError) -> PluginProvenance? {
    try store.openIfExists()?.text("SELECT provenance FROM plugin WHERE name = :name", [":name": name]).flatMap {
      PluginProvenance(json: $0)
    }
  }
}

/// A version of a plugin that was installed at some time.
package struct KnownPluginVersion: Sendable, Equatable {
  /// The checksum of its content.
  package let sha256: String
  /// The time when it was rolled back from; nil if it was not, or was installed again.
  package let rolledBackAt: Timestamp?
}

extension PluginRecords {
  /// Returns a version that was installed from the same origin; nil if it never was. The record survives the removal of
  /// the plugin.
  package func knownVersion(
    _ version: String, of name: String, from provenance: PluginProvenance
  ) throws(StoreError) -> KnownPluginVersion? {
    guard let database = try store.openIfExists(), let source = try database.source(of: provenance) else { return nil }
    let known = try database.first(
      """
      SELECT sha256, rolled_back_at FROM plugin_version
      WHERE name = :name AND source = :source AND version = :version
      """, [":name": name, ":source": source, ":version": version]
    ) { KnownPluginVersion(sha256: $0["sha256"], rolledBackAt: $0["rolled_back_at"]) }
    if let known { return known }
    // An earlier version of this program wrote the version to the records of the plugin only.
    return try database.pluginRecords(of: name).first { $0.source == source && $0.version == version }.map {
      KnownPluginVersion(sha256: $0.sha256, rolledBackAt: nil)
    }
  }
}

extension Database {
  /// Remembers the recorded versions of a plugin before its records change.
  func rememberPluginRecords(of name: String) throws(StoreError) {
    for record in try pluginRecords(of: name) {
      try run(
        """
        INSERT OR IGNORE INTO plugin_version (name, source, version, sha256) VALUES (:name, :source, :version, :sha256)
        """, [":name": name, ":source": record.source, ":version": record.version, ":sha256": record.sha256])
    }
  }

  /// Remembers a version that is installed now.
  func remember(_ plugin: PluginTrust, _ provenance: PluginProvenance?) throws(StoreError) {
    guard let provenance, let source = try source(of: provenance) else { return }
    try run(
      """
      INSERT OR REPLACE INTO plugin_version (name, source, version, sha256) VALUES (:name, :source, :version, :sha256)
      """, [":name": plugin.name, ":source": source, ":version": plugin.version, ":sha256": plugin.sha256])
  }

  /// Marks the installed version as one that was rolled back from.
  func markRolledBack(_ name: String, at time: Timestamp) throws(StoreError) {
    guard let plugin = try pluginRecords(of: name, tables: ["plugin"]).first else { return }
    try run(
      """
      UPDATE plugin_version SET rolled_back_at = :time
      WHERE name = :name AND source = :source AND version = :version
      """, [":time": time, ":name": name, ":source": plugin.source, ":version": plugin.version])
  }

  fileprivate func pluginRecords(
    of name: String, tables: [String] = ["plugin", "previous_plugin"]
  ) throws(StoreError) -> [(source: String, version: String, sha256: String)] {
    var records: [(source: String, version: String, sha256: String)] = []
    for table in tables {
      let statement = try prepare("SELECT provenance, version, sha256 FROM \(table) WHERE name = :name")
      try statement.bind([":name": name])
      while try statement.step() {
        guard let provenance = PluginProvenance(json: statement["provenance"]),
          let source = try source(of: provenance)
        else { continue }
        records.append((source, statement["version"], statement["sha256"]))
      }
    }
    return records
  }

  /// Returns the publisher of a plugin's versions: the location of the index, the Git repository, or the folder of the
  /// URL. Nil for a path, whose content the user may change at any time.
  fileprivate func source(of provenance: PluginProvenance) throws(StoreError) -> String? {
    switch provenance.kind {
    case .path: return nil
    case .git: return "git \(provenance.location)"
    case .index:
      let name = provenance.index ?? ""
      return try text("SELECT 'index ' || location FROM plugin_index WHERE name = :name", [":name": name])
        ?? "index \(name)"
    case .url:
      let path = provenance.location.prefix { $0 != "?" && $0 != "#" }
      return "url \(path[...(path.lastIndex(of: "/") ?? path.startIndex)])"
    }
  }
}
