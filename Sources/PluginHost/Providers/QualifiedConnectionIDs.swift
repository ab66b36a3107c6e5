import API
package import Batch
package import CommandContext
import Connect
import PluginProtocol
import Store

/// What a command is about where one connection at least is a provider's.
package struct QualifiedConnectionIDs {
  package let all: [QualifiedConnectionID]
  /// Whether they were chosen by what they are, and not by their ids.
  package var isChosen = false

  private init(_ all: [QualifiedConnectionID], isChosen: Bool = false) { (self.all, self.isChosen) = (all, isChosen) }

  /// Nil where all are IFTTT's; `selection` then holds ids without the name before them.
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

  /// An id without a name before it, as lists print it, is the provider's that listed it, where only one did and IFTTT has
  /// none of this id.
  private static func found(_ id: QualifiedConnectionID, in session: Session) throws -> QualifiedConnectionID {
    guard id.provider == nil, try !session.profileName.isSandbox else { return id }
    let (store, profile) = (try session.store, try session.profile.name)
    guard try !store.isTracked(id.id, profile: profile) else { return id }
    let owners = try store.providers(listing: id.id, profile: profile)
    guard owners.count == 1, let name = PluginName(parsing: owners[0]) else { return id }
    return QualifiedConnectionID("\(name):\(id.id)", provider: .plugin(name))
  }

  /// By `--all`, `--status` or `--stdin`.
  private static func chosen(
    _ selection: ConnectionSelection, of name: PluginName, in session: Session
  ) throws -> QualifiedConnectionIDs {
    if selection.readsInput {
      let given = try session.selectionFromInput("a connection's id", ConnectionID.init(parsing:))
      if let fault = given.faults.first { throw fault.problem }
      return QualifiedConnectionIDs(given.ids.map { QualifiedConnectionID($0.description, provider: .plugin(name)) })
    }
    let lists = try ProviderLists(of: [session.provider(name)], maxAge: session.options.maxAge, in: session).all
    // Of which it is not known what they are now, nobody can tell whether they are meant.
    if let problem = lists.first?.problem { throw problem }
    let rows = lists.flatMap(\.rows)
    let statuses = Set(selection.statuses.map(\.rawValue))
    return QualifiedConnectionIDs(
      rows.filter { statuses.isEmpty || statuses.contains($0.status) }
        .map { QualifiedConnectionID("\(name):\($0.id)", provider: .plugin(name)) }, isChosen: true)
  }
}
