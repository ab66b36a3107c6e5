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
