import IFTTT
import PluginProtocol
import Session
import Text

/// The connections of IFTTT, through the Connect API.
struct ConnectProvider: ConnectionProvider {
  let session: Session

  init(in session: Session) { self.session = session }

  func can(_ capability: Capability) -> Bool {
    switch capability {
    case .listConnections, .showConnection, .enableConnection, .disableConnection, .activateConnection,
      .configureConnection:
      true
    case .credentialStatus, .refreshCredential, .revokeCredential, .runCommand, .complete: false
    }
  }

  func list(_ request: ListRequest) throws -> any ConnectionList {
    ConnectList(
      list: try TrackedList(
        statuses: request.statuses, credentials: request.credentials, isRefresh: request.isRefresh,
        reports: request.reports, maxAge: request.maxAge, shard: request.shard, in: session),
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

  func activate(_ id: QualifiedConnectionID, _ options: ActivationOptions) throws -> Output {
    try session.activate(connectID(id), options)
  }

  func configure(_ id: QualifiedConnectionID, _ options: ConfigureOptions) throws -> Output {
    try session.configure(connectID(id), options)
  }

  private func connectID(_ id: QualifiedConnectionID) throws -> ConnectionID {
    guard let own = id.connectID else {
      throw Problem(.usage, "'\(id)' is not a connection of IFTTT", hint: "Pass its id alone, as IFTTT shows it.")
    }
    return own
  }
}
