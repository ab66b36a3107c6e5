import IFTTT
import PluginProtocol
import Plugins
import Session
import Store

/// The connections that a command acts on, grouped by their providers.
struct ProviderGroups {
  struct Group {
    /// Nil for IFTTT.
    let name: PluginName?
    let provider: any ConnectionProvider
    var selection: ConnectionSelection
  }

  private(set) var groups: [Group] = []
  /// The connections in the order of the command line.
  private var named: [QualifiedConnectionID] = []

  private var readsInput = false
  private var faults: [BatchSelection<QualifiedConnectionID>.Fault] = []

  /// - Parameters:
  ///   - provider: the provider given for the whole command.
  ///   - listsAll: whether all connections, or those with a status, are those of all providers that the profile uses.
  init(
    _ selection: ConnectionSelection, _ provider: ProviderName?, listingAll listsAll: Bool = false, in session: Session
  ) throws {
    var selection = selection
    if selection.readsInput {
      // The ids keep their providers.
      let typed = try session.selectionFromInput("a connection's id", ConnectionID.init(parsing:))
      (selection.ids, selection.readsInput, readsInput) = (typed.ids, false, true)
      faults = typed.faults.map { .init(name: $0.name, problem: $0.problem) }
      if typed.ids.isEmpty { return }
    }
    guard !selection.ids.isEmpty else {
      groups = [Group(provider, selection, in: session)]
      guard listsAll, provider == nil else { return }
      for plugin in try session.listedProviders(maxAge: session.options.maxAge).providers {
        let provider = PluginProvider(plugin, in: session)
        guard provider.can(.listConnections) else { continue }
        groups.append(Group(name: plugin.name, provider: provider, selection: selection))
      }
      return
    }
    for argument in selection.ids.map(\.description) {
      var id = QualifiedConnectionID(argument, provider: provider)
      if provider == nil, id.description == argument { id = try session.owned(id) }
      named.append(id)
      // A plugin's id starts with its name, which the plugin removes again.
      guard let argument = ConnectionID(parsing: id.description) else { continue }
      if let index = groups.firstIndex(where: { $0.name == id.provider }) {
        groups[index].selection.ids.append(argument)
      } else {
        var part = selection
        part.ids = [argument]
        groups.append(Group(id.provider.map { .plugin($0) }, part, in: session))
      }
    }
  }

  /// The connections of all groups, in the order of the command line.
  func select(_ credentials: CredentialOptions) throws -> BatchSelection<QualifiedConnectionID> {
    let parts = try groups.map { try $0.provider.select($0.selection, credentials) }
    if parts.count == 1, !readsInput { return parts[0] }
    let order = Dictionary(zip(named, named.indices)) { first, _ in first }
    let ids = parts.flatMap(\.ids).sorted { order[$0, default: .max] < order[$1, default: .max] }
    return BatchSelection(ids: ids, faults: faults + parts.flatMap(\.faults))
  }

  /// The fetches of selected connections, one per provider.
  func fetches(
    _ ids: [QualifiedConnectionID], _ request: ShowRequest
  ) throws -> [any ConnectionFetch] {
    try groups.map { group in try group.provider.show(ids.filter { $0.provider == group.name }, request) }
  }
}

extension ProviderGroups.Group {
  fileprivate init(_ provider: ProviderName?, _ selection: ConnectionSelection, in session: Session) {
    if case .plugin(let name)? = provider {
      self.init(name: name, provider: PluginProvider(named: name, in: session), selection: selection)
    } else {
      self.init(name: nil, provider: ConnectProvider(in: session), selection: selection)
    }
  }
}

extension Session {
  /// The provider that holds a connection.
  func provider(of id: QualifiedConnectionID) -> any ConnectionProvider {
    id.provider.map { PluginProvider(named: $0, in: self) } ?? ConnectProvider(in: self)
  }

  /// Resolves an id without a provider prefix, as printed in lists. It belongs to a plugin if that is the only one that
  /// lists it and IFTTT's connection with this id is not tracked.
  fileprivate func owned(_ id: QualifiedConnectionID) throws -> QualifiedConnectionID {
    guard id.provider == nil, try !profileName.isSandbox else { return id }
    let (store, profile) = (try store, try profile.name)
    guard try !store.isTracked(id.id, profile: profile) else { return id }
    let owners = try store.providers(listing: id.id, profile: profile)
    guard owners.count == 1, let name = PluginName(parsing: owners[0]) else { return id }
    return QualifiedConnectionID("\(name):\(id.id)", provider: .plugin(name))
  }
}

extension BatchSelection<ConnectionID> {
  var qualified: BatchSelection<QualifiedConnectionID> {
    BatchSelection<QualifiedConnectionID>(
      ids: ids.map { QualifiedConnectionID($0) }, faults: faults.map { .init(name: $0.name, problem: $0.problem) },
      isSingle: isSingle)
  }
}
