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

  /// - Throws: the problem of a capability that its manifest does not declare.
  package func require(_ capability: Capability) throws(Problem) {
    guard can(capability) else { throw Problem(.notAnnounced(method: capability.rawValue), of: name) }
  }
}

/// The source of the provider plugins. Only the manifests of requested plugins are read.
package struct ProviderSource {
  /// The providers that the user installed and that `isIncluded` accepts, sorted by name. Everything else is checked
  /// only for these.
  package let installed: (_ isIncluded: (TrustedProvider) throws -> Bool) throws -> [InstalledProvider]
  package let named: (PluginName) throws -> InstalledProvider?
  /// All installed providers.
  package let all: () throws -> [InstalledProvider]

  package init(
    installed: @escaping (_ isIncluded: (TrustedProvider) throws -> Bool) throws -> [InstalledProvider],
    named: @escaping (PluginName) throws -> InstalledProvider?, all: @escaping () throws -> [InstalledProvider]
  ) {
    (self.installed, self.named, self.all) = (installed, named, all)
  }

  /// A source of the given providers.
  package init(_ providers: [InstalledProvider]) {
    self.init(
      installed: { isIncluded in
        try providers.sorted { $0.name < $1.name }.filter {
          try isIncluded(
            TrustedProvider(
              name: $0.name.description, capabilities: $0.capabilities, needsCredentials: $0.needsCredentials))
        }
      },
      named: { name in providers.first { $0.name == name } }, all: { providers })
  }
}

extension Session {
  /// The providers whose connections this profile includes in addition to its own, sorted by name: those without
  /// credentials, and those for which it has stored a credential. The sandbox uses no providers. Neither does a
  /// recorded run, because plugins send their requests themselves.
  /// - Parameter isOmitted: whether to omit a provider with this name. It is called for each provider that the profile
  ///   uses, before anything else is checked.
  package func usedProviders(except isOmitted: (_ name: String) throws -> Bool = { _ in false }) throws
    -> [InstalledProvider]
  {
    guard recording == nil, try !profileName.isSandbox else { return [] }
    let keeping = try PluginRecords(store).withCredentials(profile: profile.name)
    var omitted: [String] = []
    func isUsed(_ provider: TrustedProvider) throws -> Bool {
      guard !provider.needsCredentials || keeping.contains(provider.name) else { return false }
      guard try isOmitted(provider.name) else { return true }
      omitted.append(provider.name)
      return false
    }
    var used = try providers.installed(isUsed)
    // A bundled provider is located only if the profile uses it.
    let others = try keeping.compactMap { name -> InstalledProvider? in
      guard !omitted.contains(name), !used.contains(where: { $0.name.description == name }), try !isOmitted(name)
      else { return nil }
      return try PluginName(parsing: name).flatMap(providers.named)
    }
    if !others.isEmpty { used = (used + others).sorted { $0.name < $1.name } }
    return used
  }

  /// - Throws: `refused` in a run that is recorded or replayed.
  func checkNotRecorded(_ provider: PluginName) throws(Problem) {
    guard recording == nil else {
      throw Problem(
        .refused, "provider '\(provider)' cannot be recorded", reason: "it sends its requests itself",
        hint: "Omit --record and --replay.")
    }
  }

  /// - Throws: `not_found` if no provider has this name.
  package func provider(_ name: PluginName) throws -> InstalledProvider {
    try checkNotRecorded(name)
    let isSandbox = try profileName.isSandbox
    if !isSandbox, let provider = try providers.named(name) { return provider }
    let names = try isSandbox ? [] : providers.all().map { "'\($0.name)'" }
    throw Problem(
      .notFound, "no provider '\(name)'",
      hint: names.isEmpty
        ? "See \(ifttt: "plugin list"); IFTTT's own connections belong to provider 'connect'."
        : "The providers are 'connect' and \(names.joined(separator: ", ")).")
  }

  /// The provider plugins, located on first use.
  package var providers: ProviderSource {
    memoized { [unowned self] in ProviderSource(plugins, { try self.store }, in: world) }
  }
}

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
  private var cachedProviders: [TrustedProvider]?

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
