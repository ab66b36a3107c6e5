import Plugins
import Session
import Store

/// Where an installed plugin comes from, as part of its details.
struct ProvenanceRow: OutputRecord {
  private let provenance: PluginProvenance?
  /// The version that `plugin rollback` would restore.
  private let previous: String?
  /// The origin of a bundled plugin; nil for other plugins.
  let bundle: String?

  init(of entry: PluginRegistry.Entry, pin: PluginsLock.Pin?, in session: Session) {
    let plugin = entry.plugin
    guard plugin.isBundled else {
      (provenance, bundle) = (try? session.store.provenance(of: plugin.name), nil)
      previous = try? session.store.previousPlugin(plugin.name)?.trust.version
      return
    }
    var facts = PluginProvenance(.path, plugin.folder)
    (facts.archiveSHA256, facts.signer, facts.signerKey) = (pin?.archiveSHA256, pin?.signer, pin?.signerKey)
    (provenance, previous) = (facts, nil)
    bundle =
      pin?.signerKey == nil ? "included with the program, from a build that is not signed" : "included with the program"
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
