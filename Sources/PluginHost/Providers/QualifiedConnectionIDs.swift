import API
package import Batch
package import CommandContext
import Connect
import PluginProtocol
import Store

/// The connections that a command acts on if at least one of them belongs to a provider.
package struct QualifiedConnectionIDs {
  package let all: [QualifiedConnectionID]
  /// Whether the connections were selected by a property instead of their ids.
  package var isChosen = false

  private init(_ all: [QualifiedConnectionID], isChosen: Bool = false) { (self.all, self.isChosen) = (all, isChosen) }

  /// Nil if all connections are IFTTT's; `selection` then contains ids without a provider prefix.
  package init?(
    resolving selection: inout ConnectionSelection, _ provider: ProviderName?, in session: Session
  ) throws {
    if case .plugin(let name)? = provider, selection.ids.isEmpty {
      self = try Self.chosen(selection, of: name, in: session)
      return
    }
    let all = try selection.ids.map { id in
      let given = QualifiedConnectionID(id.description, provider: provider)
      return provider == nil && given.description == id.description ? try Self.found(given, in: session) : given
    }
    guard all.contains(where: { $0.provider != nil }) else {
      selection.ids = all.compactMap { ConnectionID(parsing: $0.id) }
      return nil
    }
    self.init(all)
  }

  /// Resolves an id without a provider prefix, as printed in lists. It belongs to a provider if that is the only one
  /// that lists it and IFTTT's connection with this id is not tracked.
  private static func found(_ id: QualifiedConnectionID, in session: Session) throws -> QualifiedConnectionID {
    guard id.provider == nil, try !session.profileName.isSandbox else { return id }
    let (store, profile) = (try session.store, try session.profile.name)
    guard try !store.isTracked(id.id, profile: profile) else { return id }
    let owners = try store.providers(listing: id.id, profile: profile)
    guard owners.count == 1, let name = PluginName(parsing: owners[0]) else { return id }
    return QualifiedConnectionID("\(name):\(id.id)", provider: .plugin(name))
  }

  /// Selects connections by `--all`, `--status` or `--stdin`.
  private static func chosen(
    _ selection: ConnectionSelection, of name: PluginName, in session: Session
  ) throws -> QualifiedConnectionIDs {
    if selection.readsInput {
      let given = try session.selectionFromInput("a connection's id", ConnectionID.init(parsing:))
      if let fault = given.faults.first { throw fault.problem }
      return QualifiedConnectionIDs(given.ids.map { QualifiedConnectionID($0.description, provider: .plugin(name)) })
    }
    let lists = try ProviderLists(of: [session.provider(name)], maxAge: session.options.maxAge, in: session).all
    // If the current status is unknown, a connection cannot be matched.
    if let problem = lists.first?.problem { throw problem }
    let rows = lists.flatMap(\.rows)
    let statuses = Set(selection.statuses.map(\.rawValue))
    return QualifiedConnectionIDs(
      rows.filter { statuses.isEmpty || statuses.contains($0.status) }
        .map { QualifiedConnectionID("\(name):\($0.id)", provider: .plugin(name)) }, isChosen: true)
  }
}
