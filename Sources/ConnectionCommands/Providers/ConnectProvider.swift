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

  func list(_ request: ListRequest) throws -> any ConnectionList {
    ConnectList(
      list: try TrackedList(
        statuses: request.statuses, credentials: request.credentials, isRefresh: request.isRefresh,
        report: request.report, maxAge: request.maxAge, in: session),
      credentials: request.credentials, session: session)
  }

  func select(
    _ selection: ConnectionSelection, _ credentials: CredentialOptions
  ) throws -> BatchSelection<QualifiedConnectionID> {
    try selection.resolve(credentials, in: session).qualified
  }

  func show(_ ids: [QualifiedConnectionID], _ request: ShowRequest) throws -> any ConnectionFetch {
    ConnectFetch(
      ids: ids.compactMap(\.connectID), request: request,
      identity: try session.credentials.identity(request.credentials),
      session: session)
  }

  func change(_ selection: ConnectionSelection, _ request: ChangeRequest) throws -> any ConnectionChange {
    try ConnectChange(selection, request, in: session)
  }

  func activate(_ id: QualifiedConnectionID, _ options: ActivationOptions) throws -> Output {
    try id.connectID.map { try session.activate($0, options) } ?? .nothing
  }

  func configure(_ id: QualifiedConnectionID, _ options: ConfigureOptions) throws -> Output {
    try id.connectID.map { try session.configure($0, options) } ?? .nothing
  }
}
