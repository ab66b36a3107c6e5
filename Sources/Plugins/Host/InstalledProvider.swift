import CommandLine
import IFTTT
package import PluginProtocol
package import Session
package import Store
import Text
package import World

/// An installed provider plugin, as described by its manifest. It is verified when it is about to be started.
package struct InstalledProvider {
  package let name: PluginName
  /// The capabilities that its manifest declares.
  package let capabilities: [String]
  /// Whether it declares credentials. A profile then uses it only after it has stored one of them.
  package let needsCredentials: Bool
  /// Verifies that the plugin is the one that the user trusted.
  /// - Throws: ``Problem`` if it is not.
  package let program: () throws -> PluginProgram

  package init(
    name: PluginName, capabilities: [String], needsCredentials: Bool, program: @escaping () throws -> PluginProgram
  ) {
    (self.name, self.capabilities, self.needsCredentials) = (name, capabilities, needsCredentials)
    self.program = program
  }

  package init(_ manifest: Manifest, program: @escaping () throws -> PluginProgram) {
    self.init(
      name: manifest.name, capabilities: manifest.capabilities, needsCredentials: !manifest.credentials.isEmpty,
      program: program)
  }

  package func can(_ capability: Capability) -> Bool { capabilities.contains(capability.rawValue) }

  /// - Throws: ``Problem`` if its manifest does not declare the capability.
  package func require(_ capability: Capability) throws(Problem) {
    guard can(capability) else { throw Problem(.notAnnounced(method: capability.rawValue), of: name) }
  }

  /// The row for the plugin's description of a connection.
  /// - Throws: `plugin_failed` if the description is invalid.
  package func row(_ value: Value) throws(Problem) -> ProvidedRow {
    do throws(ProviderDocumentError) { return try ProvidedRow(value, by: name) } catch {
      throw Problem(
        .pluginFailed, "plugin '\(name)' failed", reason: error.description,
        hint: "Test it with \(ifttt: "plugin test PATH"); \(ifttt: "plugin show \(name)") shows its folder.")
    }
  }
}

/// The source of the provider plugins. Only the manifests of requested plugins are read.
package protocol ProviderSource {
  /// The providers that the user installed and that `isIncluded` accepts, sorted by name. Everything else is checked
  /// only for these.
  func installed(_ isIncluded: (TrustedProvider) throws -> Bool) throws -> [InstalledProvider]
  func named(_ name: PluginName) throws -> InstalledProvider?
  /// All installed providers.
  func all() throws -> [InstalledProvider]
}

/// The installed provider plugins and the bundled ones.
///
/// Installed plugins are known from the store, so their manifests are not read before they are started.
package final class FoundProviders: ProviderSource {
  private let plugins: PluginDiscovery
  private let store: () throws -> Store
  private let world: World
  /// The providers in the store, read once for all requests.
  private var cachedProviders: [TrustedProvider]?

  package init(_ plugins: PluginDiscovery, _ store: @escaping () throws -> Store, in world: World) {
    (self.plugins, self.store, self.world) = (plugins, store, world)
  }

  package func all() throws -> [InstalledProvider] {
    try installed { _ in true } + (plugins.isOff ? [] : plugins.catalog?.found() ?? []).compactMap(bundled)
  }

  package func named(_ name: PluginName) throws -> InstalledProvider? {
    guard !plugins.isOff else { return nil }
    if let provider = try installed({ _ in true }).first(where: { $0.name == name }) { return provider }
    return plugins.catalog?.plugin(named: name.description).flatMap(bundled)
  }

  /// The installed and linked provider plugins that `isIncluded` accepts, sorted by name.
  package func installed(_ isIncluded: (TrustedProvider) throws -> Bool) throws -> [InstalledProvider] {
    let included = try trusted().filter(isIncluded)
    guard !included.isEmpty else { return [] }
    // A plugin installed before its name was reserved must not impersonate the new owner of the name.
    let (reserved, bundled) = (plugins.reserved, plugins.catalog?.bundledNames ?? [])
    return included.compactMap { trust in
      guard let name = PluginName(parsing: trust.name), reserved.problem(ofName: trust.name) == nil,
        !bundled.contains(trust.name)
      else { return nil }
      return installed(trust, name)
    }
  }

  private func trusted() throws -> [TrustedProvider] {
    if let cachedProviders { return cachedProviders }
    let trusted =
      plugins.isOff ? [] : try PluginRecords(store()).trustedProviders(ofKind: Manifest.Kind.provider.rawValue)
    cachedProviders = trusted
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
    return try registry.verify(plugin).program(in: world)
  }
}
