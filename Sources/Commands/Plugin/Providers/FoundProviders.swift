import PluginProtocol
import Plugins
import Store

// Which provider plugins there are, and which of them a profile uses.

extension Session {
  /// The providers whose connections this profile has beside its own, in order of name: those that need no credential, and
  /// those of which it keeps one. The sandbox is alone.
  ///
  /// What was installed is known from the store, so that no manifest is read before a plugin is started.
  func usedProviders() throws -> [InstalledProvider] {
    guard try !profileName.isSandbox else { return [] }
    let (store, profile) = (try store, try profile.name)
    let owners = try store.pluginsWithCredentials(profile: profile)
    let found: [InstalledProvider]
    if let givenProviders {
      found = givenProviders().filter { !$0.needsCredentials || owners.contains($0.name.description) }
    } else if plugins.isOff {
      found = []
    } else {
      let installed = try installedProviders().filter { !$0.needsCredentials || owners.contains($0.name.description) }
      let others = owners.subtracting(installed.map(\.name.description))
      found = installed + others.compactMap { plugins.catalogue?.plugin(named: $0) }.compactMap(bundledProvider)
    }
    return found.filter { $0.can(.listConnections) }.sorted { $0.name < $1.name }
  }

  /// - Throws: `not_found` where no provider has this name.
  func provider(_ name: PluginName) throws -> InstalledProvider {
    let all = try profileName.isSandbox ? [] : allProviders()
    if let provider = all.first(where: { $0.name == name }) { return provider }
    let names = all.map { "'\($0.name)'" }.joined(separator: ", ")
    throw Problem(
      .notFound, "no provider '\(name)'",
      hint: names.isEmpty
        ? "See 'ifttt plugin list'; the connections of IFTTT are those of provider 'connect'."
        : "There are 'connect' and \(names).")
  }

  private func allProviders() throws -> [InstalledProvider] {
    if let givenProviders { return givenProviders() }
    guard !plugins.isOff else { return [] }
    return try installedProviders() + (plugins.catalogue?.found() ?? []).compactMap(bundledProvider)
  }

  private func installedProviders() throws -> [InstalledProvider] {
    try store.trustedPlugins().compactMap { trust in
      guard trust.kind == Manifest.Kind.provider.rawValue, let name = PluginName(parsing: trust.name) else { return nil }
      return InstalledProvider(
        name: name, capabilities: Set(trust.capabilities), needsCredentials: trust.needsCredentials
      ) { [unowned self] in
        let shelf = try pluginShelf
        guard let plugin = shelf.catalogue.plugin(named: trust.name) else {
          throw Problem(
            .pluginFailed, "plugin '\(name)' is not there any more",
            hint: "Install it again, or run 'ifttt plugin remove \(name)'.")
        }
        return try shelf.admit(plugin).program(in: world)
      }
    }
  }

  private func bundledProvider(_ plugin: Plugin) -> InstalledProvider? {
    guard plugin.isBundled, let manifest = try? plugin.manifest.get(), manifest.kind == .provider else { return nil }
    return InstalledProvider(manifest) { [unowned self] in try pluginShelf.admit(plugin).program(in: world) }
  }
}
