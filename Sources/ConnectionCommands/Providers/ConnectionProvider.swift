import HTTP
import IFTTT
import Output
import PluginProtocol
import Plugins
import Session
import Store
import Text
import World

/// A back end that holds connections: IFTTT's Connect API, or a provider plugin. Commands use only this protocol.
///
/// `list` and `show` send no requests. The values that they return fetch later, so that a command can run several
/// providers in parallel or print a dry run. `activate` and `configure` act on one connection immediately.
protocol ConnectionProvider {
  /// Whether the provider lists its connections.
  var canList: Bool { get }
  /// The provider's part of `connections list`.
  func list(_ request: ListRequest) throws -> any ConnectionList
  /// Resolves a selection to connections.
  func select(
    _ selection: ConnectionSelection, _ credentials: CredentialOptions
  ) throws -> BatchSelection<QualifiedConnectionID>
  /// The provider's part of `connections show`.
  func show(_ ids: [QualifiedConnectionID], _ request: ShowRequest) throws -> any ConnectionFetch
  func activate(_ id: QualifiedConnectionID, _ options: ActivationOptions) throws -> Output
  func configure(_ id: QualifiedConnectionID, _ options: ConfigureOptions) throws -> Output
}

struct ListRequest {
  /// Only connections with one of these statuses; all connections if it is empty.
  var statuses: [Connection.Status]
  /// For IFTTT's connections.
  var credentials: CredentialOptions
  /// Whether to fetch all connections, even fresh ones.
  var isRefresh: Bool
  var maxAge: Duration
}

struct ShowRequest {
  /// For IFTTT's connections.
  var credentials: CredentialOptions
  /// Whether to track the shown connections of IFTTT.
  var tracks: Bool
  /// Receives the shown connections that are not tracked.
  let offer: TrackingOffer
}

/// Collects the shown connections that are not tracked, for one note after the output.
final class TrackingOffer {
  private var ids: [String] = []

  func add(_ id: ConnectionID) { ids.append(id.description) }

  /// Notes the command that tracks the connections, if the output is a terminal.
  func present(in session: Session) {
    let terminal = session.world.terminal
    guard !ids.isEmpty, terminal.outputIsTerminal, terminal.errorIsTerminal else { return }
    let subject = ids.count == 1 ? "It is" : "\(ids.count) of them are"
    // A line with many ids is not readable.
    let hint: Hint = ids.count <= 5 ? "To track: \(ifttt: "connections add \(each: ids)")" : "--track adds them."
    session.console.note("\(subject) not in your list yet. \(hint)")
  }
}

/// A provider's part of `connections list`.
protocol ConnectionList {
  /// Whether rows still have to be fetched.
  var isDue: Bool { get }
  /// The requests that a fetch would send, for `--dry-run`.
  var requests: [Request] { get throws }
  /// Schedules the fetch of the rows that are due.
  /// - Parameter completion: called when all fetched rows are final.
  func fetch(in loop: FetchLoop, completion: @escaping () throws -> Void) throws
  /// Reduces the rows to these fields, if that is faster than reading the whole rows.
  /// - Returns: whether the rows are reduced.
  func select(_ fields: [FieldPath]) -> Bool
  /// Calls `body` with each row.
  func forEach(_ body: (UnsafeRawBufferPointer) throws -> Void) throws
  /// Reports connections that are missing from the list, with a note or an error.
  /// - Parameter isAlone: whether no other provider is listed.
  func evaluate(isAlone: Bool) throws
}

extension ConnectionList {
  func select(_ fields: [FieldPath]) -> Bool { false }
}

/// A provider's part of `connections show`.
protocol ConnectionFetch {
  /// The requests that would be sent, for `--dry-run`.
  var requests: [Request] { get throws }
  /// Fetches one connection as the bytes that the provider sent.
  func raw() throws -> [UInt8]
  /// Schedules the fetch of all connections, and reports each row as soon as it is known.
  func fetch(in loop: FetchLoop, _ report: BatchRun<QualifiedConnectionID>.ResultSink) throws
}

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
  private var faults: [BatchFault] = []

  /// - Parameters:
  ///   - provider: the provider of all ids; nil if each id names its own.
  ///   - listsAll: whether a selection without ids covers the plugins of the profile too.
  init(
    _ selection: ConnectionSelection, _ provider: ProviderName?, listingAll listsAll: Bool = false, in session: Session
  ) throws {
    var selection = selection
    if selection.readsInput {
      // Read stdin only once, because its ids may belong to several providers.
      let input = try session.selectionFromInput("a connection's id", ConnectionID.init(parsing:))
      (selection.ids, selection.readsInput, readsInput) = (input.ids, false, true)
      faults = input.faults
      if input.ids.isEmpty { return }
    }
    guard !selection.ids.isEmpty else {
      groups = [Group(provider, selection, in: session)]
      guard listsAll, provider == nil else { return }
      for plugin in try session.plugins.listed(maxAge: session.options.maxAge).providers {
        let provider = PluginProvider(plugin, in: session)
        guard provider.canList else { continue }
        groups.append(Group(name: plugin.name, provider: provider, selection: selection))
      }
      return
    }
    for argument in selection.ids.map(\.description) {
      var id = QualifiedConnectionID(argument, provider: provider)
      if provider == nil, id.description == argument { id = try session.addingProvider(to: id) }
      named.append(id)
      // The id of a plugin's connection starts with the plugin's name, which the plugin removes.
      guard let connectionID = ConnectionID(parsing: id.description) else { continue }
      if let index = groups.firstIndex(where: { $0.name == id.provider }) {
        groups[index].selection.ids.append(connectionID)
      } else {
        var part = selection
        part.ids = [connectionID]
        groups.append(Group(id.provider.map { .plugin($0) }, part, in: session))
      }
    }
  }

  /// The connections of all groups, in the order of the command line.
  func select(_ credentials: CredentialOptions) throws -> BatchSelection<QualifiedConnectionID> {
    let parts = try groups.map { try $0.provider.select($0.selection, credentials) }
    if parts.count == 1, !readsInput { return parts[0] }
    let order = Dictionary(zip(named, named.indices)) { first, _ in first }
    let ids = parts.flatMap(\.ids).sorted { order[$0, default: .max] }
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

  /// Adds the provider to an id without one, as printed in lists: a plugin if only that plugin lists the id, and
  /// IFTTT's connection with this id is not tracked.
  fileprivate func addingProvider(to id: QualifiedConnectionID) throws -> QualifiedConnectionID {
    guard id.provider == nil, try !profileName.isSandbox else { return id }
    let (store, profile) = (try store, try profile.name)
    guard try !store.isTracked(id.id, profile: profile) else { return id }
    let owners = try ProviderCache(store, profile: profile).providers(listing: id.id)
    guard owners.count < 2 else {
      throw Problem(
        .usage, "'\(id.id)' is a connection of \(owners.listed(with: "and"))",
        hint: "Name the provider too: \(owners.map { "\($0):\(id.id)" }.listed(with: "or")).")
    }
    guard owners.count == 1, let name = PluginName(parsing: owners[0]) else { return id }
    return QualifiedConnectionID("\(name):\(id.id)", provider: .plugin(name))
  }
}

extension BatchSelection<ConnectionID> {
  var qualified: BatchSelection<QualifiedConnectionID> {
    BatchSelection<QualifiedConnectionID>(
      ids: ids.map { QualifiedConnectionID($0) }, faults: faults, isSingle: isSingle)
  }
}
