import PluginProtocol
import Plugins
import Store
import World

/// Which provider plugins there are, and which of them a profile uses.
///
/// What was installed is known from the store, so that no manifest is read before a plugin is started.
struct FoundProviders {
  let plugins: PluginTree
  let store: Store
  let world: World

  /// In order of name: those that need no credential, and those of which the profile keeps one.
  func used(by profile: String) throws -> [InstalledProvider] {
    guard !plugins.isOff else { return [] }
    let owners = try store.pluginsWithCredentials(profile: profile)
    let installed = try installed.filter { !$0.needsCredentials || owners.contains($0.name.description) }
    let others = owners.subtracting(installed.map(\.name.description))
    let bundled = others.compactMap { plugins.catalogue?.plugin(named: $0) }.compactMap(bundled)
    return (installed + bundled).sorted { $0.name < $1.name }
  }

  var all: [InstalledProvider] {
    get throws {
      guard !plugins.isOff else { return [] }
      return try (installed + (plugins.catalogue?.found() ?? []).compactMap(bundled)).sorted { $0.name < $1.name }
    }
  }

  private var installed: [InstalledProvider] {
    get throws {
      try store.trustedPlugins().compactMap { trust in
        guard trust.kind == Manifest.Kind.provider.rawValue, let name = PluginName(parsing: trust.name) else {
          return nil
        }
        return InstalledProvider(
          name: name, capabilities: Set(trust.capabilities), needsCredentials: trust.needsCredentials
        ) { try program(of: plugins.catalogue?.plugin(named: trust.name), named: name) }
      }
    }
  }

  private func bundled(_ plugin: Plugin) -> InstalledProvider? {
    guard plugin.isBundled, let manifest = try? plugin.manifest.get(), manifest.kind == .provider else { return nil }
    return InstalledProvider(manifest) { try program(of: plugin, named: manifest.name) }
  }

  private func program(of plugin: Plugin?, named name: PluginName) throws -> PluginProgram {
    guard let plugin, let catalogue = plugins.catalogue else {
      throw Problem(
        .pluginFailed, "plugin '\(name)' is not there any more",
        hint: "Install it again, or run 'ifttt plugin remove \(name)'.")
    }
    return try PluginShelf(store: store, world: world, catalogue: catalogue).admit(plugin).program(in: world)
  }
}

extension Session {
  private var foundProviders: FoundProviders {
    get throws { FoundProviders(plugins: plugins, store: try store, world: world) }
  }

  /// The providers whose connections this profile has beside its own. The sandbox is alone.
  func usedProviders() throws -> [InstalledProvider] {
    guard try !profileName.isSandbox else { return [] }
    let profile = try profile.name
    let found =
      if let givenProviders {
        try givenProviders().filter {
          try !$0.needsCredentials
            || !store.pluginCredentialNames(of: $0.name.description, profile: profile).isEmpty
        }.sorted { $0.name < $1.name }
      } else { try foundProviders.used(by: profile) }
    return found.filter { $0.can(.listConnections) }
  }

  /// - Throws: `not_found` where no provider has this name.
  func provider(_ name: PluginName) throws -> InstalledProvider {
    let all = try profileName.isSandbox ? [] : givenProviders?() ?? foundProviders.all
    if let provider = all.first(where: { $0.name == name }) { return provider }
    let names = all.map { "'\($0.name)'" }.joined(separator: ", ")
    throw Problem(
      .notFound, "no provider '\(name)'",
      hint: names.isEmpty
        ? "See 'ifttt plugin list'; the connections of IFTTT are those of provider 'connect'."
        : "There are 'connect' and \(names).")
  }
}
