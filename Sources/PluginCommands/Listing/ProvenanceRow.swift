import CommandContext
import Store

/// Where an installed plugin comes from, as part of its details.
struct ProvenanceRow: OutputRecord {
  let provenance: PluginProvenance?
  /// The version that `plugin rollback` would restore.
  let previous: String?

  init(of name: String, in session: Session) {
    provenance = try? session.store.provenance(of: name)
    previous = try? session.store.previousPlugin(name)?.trust.version
  }

  static let fields: Fields = [
    Field("index", "The index that it was installed from") { $0.provenance?.index },
    Field("tag", "The Git tag that it was installed from") { $0.provenance?.tag },
    Field("commit", "The Git commit that it was installed from", column: "COMMIT") { $0.provenance?.commit },
    Field("archive_sha256", "The SHA-256 of the archive that it was installed from", column: "ARCHIVE SHA-256") {
      $0.provenance?.archiveSHA256
    },
    Field("signer", "The label of the trusted key that signed the archive", column: "SIGNED BY") {
      $0.provenance?.signer
    },
    Field("signer_key", "The fingerprint of the key that signed the archive", column: "SIGNING KEY") {
      $0.provenance?.signerKey
    },
    Field("previous_version", "The version that 'plugin rollback' restores", column: "PREVIOUS") { $0.previous },
  ]
}
