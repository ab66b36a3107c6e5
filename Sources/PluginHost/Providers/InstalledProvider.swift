import Arguments
package import CommandContext
import Connect
import Hints
package import PluginProtocol
package import Plugins
import Store

/// A provider plugin that is installed, as far as its manifest tells; it is looked at closely once it is to be started.
package struct InstalledProvider {
  package let name: PluginName
  /// What its manifest says it can be asked.
  package let capabilities: Set<String>
  /// Whether it asks for credentials: then a profile uses it once it keeps one.
  package let needsCredentials: Bool
  /// Makes sure that it is what the user trusted.
  /// - Throws: ``Problem`` where it is not.
  package let program: () throws -> PluginProgram

  package init(
    name: PluginName, capabilities: Set<String>, needsCredentials: Bool, program: @escaping () throws -> PluginProgram
  ) {
    (self.name, self.capabilities, self.needsCredentials) = (name, capabilities, needsCredentials)
    self.program = program
  }

  package init(_ manifest: Manifest, program: @escaping () throws -> PluginProgram) {
    self.init(
      name: manifest.name, capabilities: Set(manifest.capabilities), needsCredentials: !manifest.credentials.isEmpty,
      program: program)
  }

  package func can(_ capability: Capability) -> Bool { capabilities.contains(capability.rawValue) }
}

/// Where the provider plugins come from. Manifests are read only of those that are asked for.
package struct ProviderSource {
  /// Those that ask for no credential, by name: every profile uses them.
  package let open: () throws -> [PluginName]
  package let named: (PluginName) throws -> InstalledProvider?
  /// Every one that is installed.
  package let all: () throws -> [InstalledProvider]

  package init(
    open: @escaping () throws -> [PluginName], named: @escaping (PluginName) throws -> InstalledProvider?,
    all: @escaping () throws -> [InstalledProvider]
  ) {
    (self.open, self.named, self.all) = (open, named, all)
  }

  /// Those that are at hand.
  package init(_ providers: [InstalledProvider]) {
    self.init(
      open: { providers.filter { !$0.needsCredentials }.map(\.name) },
      named: { name in providers.first { $0.name == name } }, all: { providers })
  }
}

extension Session {
  /// The providers whose connections this profile has beside its own, in order of name: those that need no credential, and
  /// those of which it keeps one. The sandbox is alone, and so is a run that is recorded: what a plugin sends, it sends by
  /// itself.
  package func usedProviders() throws -> [InstalledProvider] {
    guard recording == nil, try !profileName.isSandbox else { return [] }
    let keeping = try store.pluginsKeepingCredentials(profile: profile.name).compactMap(PluginName.init(parsing:))
    return try Set(providers.open() + keeping).sorted().compactMap { try providers.named($0) }
      .filter { $0.can(.listConnections) }
  }

  /// - Throws: `refused` in a run that is recorded, or replayed.
  func checkNotRecorded(_ provider: PluginName) throws(Problem) {
    guard recording == nil else {
      throw Problem(
        .refused, "provider '\(provider)' cannot be recorded", reason: "what it sends, it sends by itself",
        hint: "Leave --record and --replay out.")
    }
  }

  /// - Throws: `not_found` where no provider has this name.
  package func provider(_ name: PluginName) throws -> InstalledProvider {
    try checkNotRecorded(name)
    let isSandbox = try profileName.isSandbox
    if !isSandbox, let provider = try providers.named(name) { return provider }
    let names = try isSandbox ? [] : providers.all().map { "'\($0.name)'" }
    throw Problem(
      .notFound, "no provider '\(name)'",
      hint: names.isEmpty
        ? "See \(ifttt: "plugin list"); the connections of IFTTT are those of provider 'connect'."
        : "There are 'connect' and \(names.joined(separator: ", ")).")
  }
}

extension Session {
  /// The provider plugins; located on first use.
  package var providers: ProviderSource {
    cached { [unowned self] in ProviderSource(plugins, { try self.store }, in: world) }
  }
}
