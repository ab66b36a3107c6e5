package import CommandContext
import EnvironmentVariables
import Hints
import PluginProtocol
package import Plugins
package import Store
package import World

/// The plugins of this installation, with the trusted state and the actual state of each.
package struct PluginRegistry {
  package let store: Store
  package let world: World
  package let catalog: PluginCatalog

  /// A plugin and whether it can be used.
  package struct Entry {
    package let plugin: Plugin
    package let trust: PluginTrust?
    package var verdict: PluginVerdict
  }

  /// The plugins in the folders, and installed plugins whose files are missing, sorted by name.
  /// - Parameter locked: whether to check the lock file if there is one.
  package func entries(isThorough: Bool = false, locked: Bool = true) throws -> [Entry] {
    let trusts = try store.trustedPlugins()
    let lock = locked ? try PluginsLockFile(world).lock() : nil
    let present = catalog.all().map { plugin in
      entry(plugin, trusts.first { $0.name == plugin.name }, lock, isThorough: isThorough)
    }
    let gone = trusts.filter { trust in !present.contains { $0.plugin.name == trust.name && !$0.plugin.isBundled } }
    return (present + gone.map(missing)).sorted { $0.plugin.name < $1.plugin.name }
  }

  private func missing(_ trust: PluginTrust) -> Entry {
    let problem = "its files are missing"
    let install: Hint =
      trust.origin.hasPrefix("/")
      ? "run: \(ifttt: "plugin install \(path: trust.origin)")" : "run: \(ifttt: "plugin install PATH")"
    let plugin = Plugin(
      name: trust.name, folder: "\(catalog.folders.installed)/\(trust.name)", isBundled: false,
      manifest: .failure(ManifestError(problem)))
    return Entry(
      plugin: plugin, trust: trust,
      verdict: PluginVerdict(
        .missing, problem,
        advice: "Remove it with \(ifttt: "plugin remove \(trust.name)"), or \(install)"))
  }

  /// - Throws: `not_found` if there is no plugin with this name.
  package func entry(named name: String, isThorough: Bool = false) throws -> Entry {
    guard let entry = try entries(isThorough: isThorough).first(where: { $0.plugin.name == name }) else {
      throw Problem(.notFound, "no plugin '\(name)'", hint: "See \(ifttt: "plugin list").")
    }
    return entry
  }

  /// Verifies a plugin, as required before each start.
  /// - Throws: ``PluginTrustError`` if the plugin must not be run.
  func admit(_ plugin: Plugin) throws -> TrustedPlugin {
    let trust = plugin.isBundled ? nil : try store.trustedPlugin(plugin.name)
    let isThorough = world.environment[.pluginVerify] == "always"
    let file = PluginsLockFile(world)
    let entry = entry(plugin, trust, try file.lock(), isThorough: isThorough)
    guard entry.verdict.isGood else {
      throw PluginTrustError(plugin.name, entry.verdict)
    }
    if let renewed = entry.verdict.renewed, let trust {
      // A failure is harmless: this only avoids reading the files next time.
      try? store.renewTrust(in: trust.name, of: trust.sha256, files: renewed.stored)
    }
    let manifest = try plugin.manifest.get()
    var admitted = TrustedPlugin(
      manifest: manifest, folder: plugin.folder, credentials: trust?.credentials ?? manifest.credentials,
      environment: trust?.environment ?? manifest.environment)
    admitted.contents = entry.verdict.contents
    return admitted
  }

  private func entry(_ plugin: Plugin, _ trust: PluginTrust?, _ lock: PluginsLock?, isThorough: Bool) -> Entry {
    let check = TrustCheck(
      files: world.files,
      owners: {
        // A user who can replace the program can also replace the bundled plugins.
        let program = world.processes.program.flatMap { try? world.files.stamp($0).owner }
        return [program ?? 0, 0]
      }, isThorough: isThorough)
    let trust = plugin.isBundled ? nil : trust
    var verdict = check.verdict(on: plugin, trust.map(PluginTrustRecord.init))
    if verdict.status == .ready, let lock, let sha256 = verdict.sha256,
      let problem = lock.problem(of: plugin.name, version: trust?.version ?? "", sha256: sha256)
    {
      verdict.problem = "\(PluginsLockFile(world).path): \(problem)"
      verdict.advice = "Install the plugins that it pins, or rewrite it: \(ifttt: "plugin verify --write-lock")"
    }
    return Entry(plugin: plugin, trust: trust, verdict: verdict)
  }
}

extension PluginTrustRecord {
  fileprivate init(_ trust: PluginTrust) {
    self.init(
      version: trust.version, sha256: trust.sha256, files: TrustedFiles(stored: trust.files),
      credentials: trust.credentials, environment: trust.environment)
  }
}

extension Session {
  /// - Throws: `refused` if plugins are disabled.
  package var pluginRegistry: PluginRegistry {
    get throws {
      guard !plugins.isOff else {
        throw Problem(
          .refused, "plugins are disabled",
          reason: "by \(GlobalOptions.noPluginsOption) or \(EnvironmentVariable.noPlugins.name)",
          hint: "Omit the option, or unset the variable.")
      }
      // Access the store first: its error is the right one if there is no folder at all.
      let store = try store
      guard let catalog = plugins.catalog else {
        throw Problem(
          .refused, "the folder of plugins is unknown", reason: "neither HOME nor IFTTT_HOME is set",
          hint: "Set IFTTT_HOME to a folder that you can write to.")
      }
      return PluginRegistry(store: store, world: world, catalog: catalog)
    }
  }
}
