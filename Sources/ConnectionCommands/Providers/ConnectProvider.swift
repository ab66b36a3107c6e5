import API
import ActivationCommands
import Batch
import CommandContext
import Connect
import PluginProtocol
import Display

/// The connections of IFTTT, through the Connect API.
struct ConnectProvider: ConnectionProvider {
  let session: Session

  init(in session: Session) { self.session = session }

  private static let capabilities: Set<Capability> = [
    .listConnections, .showConnection, .enableConnection, .disableConnection, .activateConnection, .configureConnection,
  ]

  func can(_ capability: Capability) -> Bool { Self.capabilities.contains(capability) }

  func list(_ options: ConnectionsList.Options) throws -> any ConnectionList {
    ConnectList(
      list: try TrackedList(
        statuses: options.statuses, credentials: options.credentials, isRefresh: options.refreshes,
        report: options.report, maxAge: options.maxAge(in: session), in: session),
      credentials: options.credentials, session: session)
  }

  func select(
    _ selection: ConnectionSelection, _ credentials: CredentialOptions
  ) throws -> BatchSelection<QualifiedConnectionID> {
    try selection.resolve(credentials, in: session).qualified
  }

  func show(_ ids: [QualifiedConnectionID], _ options: ConnectionsShow.Options) throws -> any ConnectionFetch {
    ConnectFetch(
      ids: ids.compactMap(\.connectID), options: options, identity: try session.credentials.asker(options.credentials),
      session: session)
  }

  func change(_ selection: ConnectionSelection, _ change: EnableDisable) throws -> any ConnectionChange {
    try ConnectChange(selection, change, in: session)
  }

  func activate(_ id: QualifiedConnectionID, _ options: ActivationOptions) throws -> Output {
    try id.connectID.map { try session.activate($0, options) } ?? .nothing
  }

  func configure(_ id: QualifiedConnectionID, _ options: ConfigureOptions) throws -> Output {
    try id.connectID.map { try session.configure($0, options) } ?? .nothing
  }
}

extension BatchSelection<ConnectionID> {
  var qualified: BatchSelection<QualifiedConnectionID> {
    BatchSelection<QualifiedConnectionID>(
      ids: ids.map { QualifiedConnectionID($0) }, faults: faults.map { .init(name: $0.name, problem: $0.problem) },
      isSingle: isSingle)
  }
}
