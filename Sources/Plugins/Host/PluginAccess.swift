package import PluginProtocol
import Output
package import Session
import Store
import Text
import World

/// The plugins of one session: their discovery, trust and traces, and the providers that the profile uses.
package final class PluginAccess {
  private unowned let session: Session
  package let discovery: PluginDiscovery
  private let providers: any ProviderSource
  private lazy var openedTrace = Result { try openTrace() }
  /// The cached lists by provider, read once for all providers.
  private lazy var lists = Result {
    let lists = try ProviderCache(session.store, profile: session.profile.name).lists()
    return Dictionary(lists.map { ($0.provider, $0) }) { first, _ in first }
  }

  /// - Parameter providers: the source of provider plugins in place of the installed and bundled ones.
  package init(of session: Session, _ discovery: PluginDiscovery? = nil, providers: (any ProviderSource)? = nil) {
    let discovery = discovery ?? PluginDiscovery(session.world, [], own: session.tree.own)
    (self.session, self.discovery) = (session, discovery)
    self.providers =
      providers ?? FoundProviders(discovery, { [unowned session] in try session.store }, in: session.world)
  }

  /// The plugins, after the changes of processes that were killed are completed or abandoned.
  /// - Throws: `refused` if plugins are disabled.
  package var registry: PluginRegistry {
    get throws {
      guard !discovery.isOff else {
        throw Problem(
          .refused, "plugins are disabled",
          reason: "by \(GlobalOptions.noPluginsOption) or \(EnvironmentVariable.noPlugins.name)",
          hint: "Omit the option, or unset the variable.")
      }
      // Access the store first: its error is the right one if there is no folder at all.
      let store = try session.store
      guard let catalog = discovery.catalog else {
        throw Problem(
          .refused, "the folder of plugins is unknown", reason: "neither HOME nor IFTTT_HOME is set",
          hint: "Set IFTTT_HOME to a folder that you can write to.")
      }
      let registry = PluginRegistry(
        store: store, world: session.world, catalog: catalog, problemOfLinks: discovery.problemOfLinks)
      registry.changes.recover()
      return registry
    }
  }

  // MARK: Providers

  /// - Throws: `not_found` if no provider has this name.
  package func provider(_ name: PluginName) throws -> InstalledProvider {
    try checkNotRecorded(name)
    let isSandbox = try session.profileName.isSandbox
    if !isSandbox, let provider = try providers.named(name) { return provider }
    let names = try isSandbox ? [] : providers.all().map { "'\($0.name)'" }
    if isSandbox {
      throw Problem(
        .notFound, "no provider '\(name)' in the sandbox", reason: "profile 'sandbox' has only its own connections",
        hint: "Select another profile with --profile.")
    }
    throw Problem(
      .notFound, "no provider '\(name)'",
      hint: names.isEmpty
        ? "See \(ifttt: "plugin list"); IFTTT's own connections belong to provider 'connect'."
        : "Providers: \((["'connect'"] + names).joined(separator: ", ")).")
  }

  /// - Throws: `refused` in a run that is recorded or replayed.
  func checkNotRecorded(_ provider: PluginName) throws(Problem) {
    guard session.recording == nil else {
      throw Problem(
        .refused, "provider '\(provider)' cannot be recorded", reason: "it sends its requests itself",
        hint: "Omit --record and --replay.")
    }
  }

  /// The providers whose connections this profile includes in addition to its own, sorted by name: those without
  /// credentials, and those for which it has stored a credential. The sandbox uses no providers. Neither does a
  /// recorded run, because plugins send their requests themselves.
  /// - Parameter isOmitted: whether to omit a provider with this name. It is called for each provider that the profile
  ///   uses, before anything else is checked.
  private func used(except isOmitted: (_ name: String) throws -> Bool) throws -> [InstalledProvider] {
    guard session.recording == nil, try !session.profileName.isSandbox else { return [] }
    let credentialOwners = try PluginRecords(session.store).withCredentials(profile: session.profile.name)
    var omitted: [String] = []
    func isUsed(_ provider: TrustedProvider) throws -> Bool {
      guard !provider.needsCredentials || credentialOwners.contains(provider.name) else { return false }
      guard try isOmitted(provider.name) else { return true }
      omitted.append(provider.name)
      return false
    }
    var used = try providers.installed(isUsed)
    // A bundled provider is located only if the profile uses it.
    let bundled = try credentialOwners.compactMap { name -> InstalledProvider? in
      guard !omitted.contains(name), !used.contains(where: { $0.name.description == name }), try !isOmitted(name)
      else { return nil }
      return try PluginName(parsing: name).flatMap(providers.named)
    }
    if !bundled.isEmpty { used = (used + bundled).sorted(by: \.name.description) }
    return used
  }

  /// The used providers that have connections or whose list must be fetched, and whether there are more. On a machine
  /// with many plugins, most have no connections.
  package func listed(maxAge: Duration) throws -> (providers: [InstalledProvider], hasMore: Bool) {
    let (now, isOffline) = (session.world.clock.now(), session.options.isOffline)
    var hasMore = false
    let providers = try used { name in
      guard let list = try cachedList(of: name), list.rows.isEmpty,
        !(list.isStale(maxAge: maxAge, at: now) && list.isFetchedIfStale(offline: isOffline))
      else { return false }
      hasMore = true
      return true
    }
    return (providers, hasMore)
  }

  func cachedList(of provider: String) throws -> ProvidedList? { try lists.get()[provider] }

  // MARK: Tracing

  /// The trace of all plugins of this run; nil if neither `--trace-plugins` nor the environment requests one.
  /// - Throws: `output_failed` if the file cannot be written.
  package var trace: PluginTrace? { get throws { try openedTrace.get() } }

  private func openTrace() throws -> PluginTrace? {
    let (world, tracesToErrors) = (session.world, session.options.tracesPlugins)
    let path = world.environment[.pluginTrace].flatMap { $0.isEmpty ? nil : $0 }
    guard tracesToErrors || path != nil else { return nil }
    if let path {
      // An error before the plugin starts is clearer than a missing trace.
      do throws(SystemError) { try world.files.append([], to: path) } catch {
        throw Problem(
          .outputFailed, "cannot write the trace to '\(path)'", reason: error.description,
          hint: "\(EnvironmentVariable.pluginTrace.name) must name a regular file that you can write to.")
      }
    }
    return PluginTrace(masking: session.credentials.knownSecrets, now: { world.clock.now() }) {
      [console = session.console] line in
      if let path { try? world.files.append(Array((line + "\n").utf8), to: path) }
      guard tracesToErrors else { return }
      console.makeRoom()
      // On a terminal, marks that change the direction of text are escaped too.
      console.writeError((world.terminal.errorIsTerminal ? TerminalText.escaped(line) : line) + "\n")
    }
  }
}

extension Session {
  /// The plugins of this session.
  package var plugins: PluginAccess {
    if let plugins = pluginAccess as? PluginAccess { return plugins }
    let plugins = PluginAccess(of: self)
    pluginAccess = plugins
    return plugins
  }
}
