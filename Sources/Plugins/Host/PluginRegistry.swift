package import PluginProtocol
import Session
package import Store
import Text
package import World

extension PluginTrust {
  /// The record of a plugin that the user installs or links, with the permissions that its manifest declares.
  /// - Parameters:
  ///   - sha256: the checksum of its content; empty for a linked plugin.
  ///   - files: the state of its files in the form of ``TrustedFiles``; empty for a linked plugin.
  ///   - origin: the source as the user entered it, or the folder of a linked plugin.
  package init(_ manifest: Manifest, sha256: String, files: String, origin: String, at time: Timestamp) {
    self.init(
      name: manifest.name.description, version: manifest.version, kind: manifest.kind.rawValue, sha256: sha256,
      files: files, origin: origin, installedAt: time, credentials: manifest.credentials,
      environment: manifest.environment, capabilities: manifest.capabilities, usesBrowser: manifest.usesBrowser,
      readPaths: manifest.paths(for: .read), writePaths: manifest.paths(for: .write))
  }
}

/// The plugins of this installation, with the trusted state and the actual state of each.
package struct PluginRegistry {
  package let store: Store
  package let world: World
  package let catalog: PluginCatalog
  /// The reason why linked plugins are not run; nil if they are.
  let problemOfLinks: String?

  package var changes: PluginChanges { PluginChanges(of: self) }

  /// A plugin and whether it can be used.
  package struct Entry {
    package let plugin: Plugin
    package let trust: PluginTrust?
    package var verdict: PluginVerdict
  }

  /// The plugins in the folders, and installed plugins whose files are missing, sorted by name.
  /// - Parameter locked: whether to check the lock file if there is one.
  package func entries(isThorough: Bool = false, locked: Bool = true) throws -> [Entry] {
    let (trusts, links) = (try PluginRecords(store).trusted(), try PluginRecords(store).linked())
    let lock = locked ? try PluginsLockFile(world).lock() : nil
    let present = catalog.all().map { plugin in
      entry(plugin, (plugin.isLinked ? links : trusts).first { $0.name == plugin.name }, lock, isThorough: isThorough)
    }
    func isGone(_ trust: PluginTrust, _ isLinked: Bool) -> Bool {
      !present.contains {
        $0.plugin.name == trust.name && !$0.plugin.isBundled && $0.plugin.isLinked == isLinked
      }
    }
    let gone =
      trusts.filter { isGone($0, false) }.map(missing) + links.filter { isGone($0, true) }.map(missingLink)
    return (present + gone).sorted(by: \.plugin.name)
  }

  private func missingLink(_ link: PluginTrust) -> Entry {
    let problem = "its link is missing"
    let plugin = Plugin(
      name: link.name, folder: link.origin, isBundled: false, isLinked: true, manifest: .failure(ManifestError(problem))
    )
    return Entry(
      plugin: plugin, trust: link,
      verdict: PluginVerdict(
        .missing, problem,
        advice:
          "Run \(ifttt: "plugin unlink \(link.name)"), or link it again: \(ifttt: "plugin link \(path: link.origin)")"))
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
    let matches = try entries(isThorough: isThorough).filter { $0.plugin.name == name }
    guard let entry = matches.first(where: { $0.verdict.status != .shadowed }) ?? matches.first else {
      throw Problem(.notFound, "no plugin '\(name)'", hint: "See \(ifttt: "plugin list").")
    }
    return entry
  }

  /// Verifies a plugin, as required before each start.
  /// - Throws: ``PluginTrustError`` if the plugin must not be run.
  func verify(_ plugin: Plugin) throws -> TrustedPlugin {
    let trust =
      try plugin.isLinked ? PluginRecords(store).linked(plugin.name) : PluginRecords(store).trusted(plugin.name)
    let isThorough = world.environment[.pluginVerify] == "always"
    let file = PluginsLockFile(world)
    let entry = entry(plugin, trust, try file.lock(), isThorough: isThorough)
    guard entry.verdict.isUsable else {
      throw PluginTrustError(plugin.name, entry.verdict)
    }
    if let attributes = entry.verdict.changedAttributes, let trust {
      // A failure is harmless: this only avoids reading the files next time.
      try? PluginRecords(store).renewTrust(in: trust.name, of: trust.sha256, files: attributes.stored)
    }
    let manifest = try plugin.manifest.get()
    var trusted = TrustedPlugin(
      manifest: manifest, folder: plugin.folder, credentials: entry.trust?.credentials ?? manifest.credentials,
      environment: entry.trust?.environment ?? manifest.environment,
      usesBrowser: entry.trust?.usesBrowser ?? manifest.usesBrowser, files: entry.trust?.fileAccess ?? manifest.files)
    trusted.contents = entry.verdict.contents
    trusted.storeFiles = store.privateFiles
    return trusted
  }

  private func entry(_ plugin: Plugin, _ trust: PluginTrust?, _ lock: PluginsLock?, isThorough: Bool) -> Entry {
    let check = TrustCheck(
      files: world.files,
      owners: {
        // A user who can replace the program can also replace the bundled plugins.
        let program = world.processes.program.flatMap { try? world.files.status($0).owner }
        return [program ?? 0, 0]
      }, isThorough: isThorough)
    let trust = plugin.isBundled ? nil : trust
    var verdict = check.verdict(on: plugin, trust)
    if verdict.status == .ready, let lock, let sha256 = verdict.sha256,
      let problem = lock.problem(of: plugin.name, version: trust?.version ?? "", sha256: sha256)
    {
      verdict.problem = "\(PluginsLockFile(world).path): \(problem)"
      verdict.advice = "Install the plugins that it pins, or rewrite it: \(ifttt: "plugin verify --write-lock")"
    }
    if verdict.status == .linked {
      verdict.problem =
        problemOfLinks ?? lock.map { _ in "\(PluginsLockFile(world).path) allows only installed plugins" }
      if verdict.problem != nil { verdict.advice = "Install it: \(ifttt: "plugin install \(path: plugin.folder)")" }
    }
    return Entry(plugin: plugin, trust: trust, verdict: compared(verdict, of: plugin))
  }
}

extension PluginTrust {
  /// The files that it may open, as the user permitted.
  package var fileAccess: [FileAccess] {
    readPaths.map { FileAccess(.read, $0) } + writePaths.map { FileAccess(.write, $0) }
  }
}

extension PluginRegistry {
  /// The pin of a bundled plugin, in the lock file that was written when the program was built; nil if there is none.
  /// The file needs no more protection than the program itself: a user who can replace one can replace the other.
  package func bundledPin(of plugin: Plugin) -> PluginsLock.Pin? {
    guard plugin.isBundled, let path = catalog.folders.bundledLock,
      let bytes = try? world.files.readRegular(path, limit: PluginsLock.sizeLimit)
    else { return nil }
    return try? PluginsLock(parsing: bytes).pins[plugin.name]
  }

  /// Compares a bundled plugin that was read completely with its pin.
  func compared(_ verdict: PluginVerdict, of plugin: Plugin) -> PluginVerdict {
    guard verdict.status == .bundled, let sha256 = verdict.sha256, let pin = bundledPin(of: plugin),
      pin.sha256 != sha256
    else { return verdict }
    return PluginVerdict(
      .changed, "its files have changed since the program was built", advice: "Install the program again.",
      sha256: sha256)
  }
}
