import Plugins
import Store

/// A plugin that could be installed: its files, where they come from, and who signed them.
struct PluginCandidate {
  let package: PluginPackage
  /// The origin that is shown and stored.
  let origin: String
  let provenance: PluginProvenance
  let signature: PluginSignature
  /// Whether its index demands signatures.
  let needsSignature: Bool
  /// Whether the user named these files or this version, not just the plugin.
  var isExact = true

  /// The publisher, for a sentence.
  var source: String {
    switch provenance.kind {
    case .index: "index '\(provenance.index ?? "")'"
    case .git: provenance.location
    case .path, .url: origin
    }
  }

  init(
    _ package: PluginPackage, origin: String, _ provenance: PluginProvenance, signature: PluginSignature = .absent,
    needsSignature: Bool = false
  ) {
    var provenance = provenance
    (provenance.signer, provenance.signerKey) = (signature.label, signature.key)
    (self.package, self.origin, self.provenance) = (package, origin, provenance)
    (self.signature, self.needsSignature) = (signature, needsSignature)
  }
}
