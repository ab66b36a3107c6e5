import PluginProtocol
import Session
package import Store
import Text
package import World

extension ProviderSource {
  /// The installed provider plugins and the bundled ones.
  ///
  /// Installed plugins are known from the store, so their manifests are not read before they are started.
  package init(_ plugins: PluginDiscovery, _ store: @escaping () throws -> Store, in world: World) {
    let found = FoundProviders(plugins: plugins, store: store, world: world)
    self.init(
      installed: { try found.installed($0) }, named: { try found.named($0) }, all: { try found.all })
  }
}

private final class FoundProviders {
  private let plugins: PluginDiscovery
  private let store: () throws -> Store
  private let world: World
  /// Read once, however many plugins are requested.
  private var kept: [TrustedProvider]?

  init(plugins: PluginDiscovery, store: @escaping () throws -> Store, world: World) {
    (self.plugins, self.store, self.world) = (plugins, store, world)
  }

  var all: [InstalledProvider] {
    get throws { try installed() + (plugins.isOff ? [] : plugins.catalog?.found() ?? []).compactMap(bundled) }
  }

  func named(_ name: PluginName) throws -> InstalledProvider? {
    guard !plugins.isOff else { return nil }
    if let provider = try installed().first(where: { $0.name == name }) { return provider }
    return plugins.catalog?.plugin(named: name.description).flatMap(bundled)
  }

  /// The installed and linked provider plugins that `isIncluded` accepts, sorted by name.
  func installed(_ isIncluded: (TrustedProvider) throws -> Bool = { _ in true }) throws -> [InstalledProvider] {
    let included = try trusted().filter(isIncluded)
    guard !included.isEmpty else { return [] }
    // A plugin installed before its name was reserved must not impersonate the new owner of the name.
    let (problem, bundled) = (plugins.reserved.check(), plugins.catalog?.bundledNames ?? [])
    return included.compactMap { trust in
      guard let name = PluginName(parsing: trust.name), problem(trust.name) == nil, !bundled.contains(trust.name)
      else { return nil }
      return installed(trust, name)
    }
  }

  private func trusted() throws -> [TrustedProvider] {
    if let kept { return kept }
    let trusted = plugins.isOff ? [] : try store().trustedProviders(ofKind: Manifest.Kind.provider.rawValue)
    kept = trusted
    return trusted
  }

  private func installed(_ trust: TrustedProvider, _ name: PluginName) -> InstalledProvider {
    InstalledProvider(
      name: name, capabilities: trust.capabilities, needsCredentials: trust.needsCredentials
    ) { try self.program(of: self.plugins.catalog?.plugin(named: trust.name), named: name) }
  }

  private func bundled(_ plugin: Plugin) -> InstalledProvider? {
    guard plugin.isBundled, let manifest = try? plugin.manifest.get(), manifest.kind == .provider else { return nil }
    return InstalledProvider(manifest) { try self.program(of: plugin, named: manifest.name) }
  }

  private func program(of plugin: Plugin?, named name: PluginName) throws -> PluginProgram {
    guard let plugin, let catalog = plugins.catalog else {
      throw Problem(
        .pluginFailed, "plugin '\(name)' no longer exists",
        hint: "Install it again, or run \(ifttt: "plugin remove \(name)").")
    }
    let registry = PluginRegistry(
      store: try store(), world: world, catalog: catalog, problemOfLinks: plugins.problemOfLinks)
    return try registry.admit(plugin).program(in: world)
  }
}
