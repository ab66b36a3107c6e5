import HTTP
import Plugins
import Session
import Store
import Text
import World

/// Finds the plugin that an argument of `plugin install` names.
struct OriginLookup {
  let session: Session
  /// The expected SHA-256 of the archive.
  var sha256: String?
  /// The index to search; nil for all.
  var index: String?

  /// - Throws: ``Problem``, ``ManifestError`` and ``PluginContentsError``.
  func candidate(at text: String) throws -> PluginCandidate {
    let reference: PluginReference
    do throws(PluginReferenceError) {
      reference = try PluginReference(parsing: text) { session.world.files.exists(session.world.path($0)) }
    } catch {
      throw Problem(.usage, "'\(text)' is not a folder, archive, URL or name of a plugin", reason: error.description)
    }
    try checkOptions(for: reference)
    switch reference {
    case .path(let path): return try LocalSource(path: path, session: session).candidate(sha256: sha256)
    case .url(let url): return try WebSource(url: url, session: session).candidate(sha256: sha256)
    case .git(let git):
      var candidate = try GitSource(url: git.repository, session: session).candidate(tag: git.tag)
      candidate.isExact = git.tag != nil
      return candidate
    case .named(let name, let version):
      let found = try IndexCatalog(in: session).plugin(name, version: version, in: index)
      var candidate = try IndexSource(found: found, session: session).candidate()
      candidate.isExact = version != nil
      return candidate
    }
  }

  /// Rejects options without effect, which could give a false sense of safety.
  private func checkOptions(for reference: PluginReference) throws {
    if case .named = reference {
      guard sha256 == nil else {
        throw Problem(.usage, "--sha256 is for archives and URLs", reason: "an index lists the checksum itself")
      }
    } else if index != nil {
      throw Problem(.usage, "--index is for names of plugins", reason: "the argument is a path or a URL")
    }
    if case .git = reference, sha256 != nil {
      throw Problem(.usage, "--sha256 is for archives and URLs", reason: "a Git repository has no archive")
    }
  }
}

/// A plugin that could be installed: its files, where they come from, and who signed them.
struct PluginCandidate {
  let package: PluginPackage
  /// The origin that is shown and stored.
  let origin: String
  let provenance: PluginProvenance
  let signature: PluginSignature
  /// Whether its index requires signatures.
  let needsSignature: Bool
  /// Whether the user selected these files or this version, not only a plugin by its name.
  var isExact = true

  /// The publisher, as part of a sentence.
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
