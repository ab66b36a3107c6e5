import PluginProtocol
import Plugins
import Store
import World

/// A provider plugin that is there, as far as has to be known before anybody uses it.
struct ProviderCandidate {
  let name: PluginName
  /// Whether it asks for credentials: then a profile uses it once it keeps one.
  let needsCredentials: Bool
  /// What its manifest says it can be asked; read when it is asked for.
  let capabilities: () -> Set<String>
  /// Makes sure that it is what the user trusted.
  /// - Throws: ``PluginRefusal`` where it is not.
  let admit: () throws -> AdmittedPlugin
}

extension PluginShelf {
  /// The provider plugins there are, in order of name.
  ///
  /// Of those that were installed the store knows enough, so that they cost no look at a file; of those that came with the
  /// program the manifest is glanced at. Whether one may be run is found out when it is to be.
  func providers() throws -> [ProviderCandidate] {
    let commands = catalogue.rules.commands()
    let bundled = catalogue.bundledNames().filter { !commands.contains($0) }
    let installed = try session.store.trustedPlugins().filter { trust in
      trust.kind == Manifest.Kind.provider.rawValue && !commands.contains(trust.name) && !bundled.contains(trust.name)
    }
    let files = session.world.files
    let ours = bundled.compactMap { name -> ProviderCandidate? in
      guard let folder = catalogue.folders.bundled, let glance = ManifestGlance(inFolder: "\(folder)/\(name)", files),
        glance.kind == Manifest.Kind.provider.rawValue
      else { return nil }
      return candidate(name, glance.needsCredentials) { glance.capabilities }
    }
    let theirs = installed.compactMap { trust in
      candidate(trust.name, trust.needsCredentials) {
        ManifestGlance(inFolder: "\(catalogue.folders.installed)/\(trust.name)", files)?.capabilities ?? []
      }
    }
    return (ours + theirs).sorted { $0.name < $1.name }
  }

  private func candidate(
    _ text: String, _ needsCredentials: Bool, capabilities: @escaping () -> Set<String>
  ) -> ProviderCandidate? {
    PluginName(parsing: text).map { name in
      ProviderCandidate(name: name, needsCredentials: needsCredentials, capabilities: capabilities) {
        guard let plugin = catalogue.plugin(named: text) else {
          throw PluginRefusal(
            text,
            PluginVerdict(
              .broken, "its files are gone", advice: "Install it again, or run: ifttt plugin remove \(text)"))
        }
        return try admit(plugin)
      }
    }
  }
}
