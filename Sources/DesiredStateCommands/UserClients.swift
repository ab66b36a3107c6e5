import CommandContext
import Connect
import HTTP
import Users

/// The clients for one user after another. Reading and configuring is documented with the service key; a status is
/// changed with the user's token.
struct UserClients {
  private let base: ConnectClient
  private let reading: UserAuthentication
  private let changing: UserAuthentication
  private let readsAsUser: Bool

  /// - Parameters:
  ///   - isStatusOnly: whether nothing but statuses is changed, for which the user's token is enough.
  ///   - purpose: the command, such as `'connections apply'`.
  init(_ given: CredentialOptions, isStatusOnly: Bool, for purpose: String, in session: Session) throws {
    var (user, reader) = (given, given)
    user.level = .user
    let hasKey = try session.credentials.serviceKeySource(file: given.serviceKeyFile) != nil
    readsAsUser = given.level == .user || (given.level == nil && (isStatusOnly || !hasKey))
    reader.level = readsAsUser ? .user : .service
    changing = try UserAuthentication(user, for: purpose, in: session)
    reading = try UserAuthentication(reader, for: purpose, in: session)
    base = try session.network.connect(given, as: reading.shared)
  }

  /// The failures that end a run early. With two credentials, a rejection may concern one user's token.
  func stop(changes: Bool) -> EarlyStop { changes ? .unreachable : reading.stop }

  func reader(of user: UserEntry) throws -> Result<ConnectClient, Problem> {
    try reading.authentication(of: user).map(base.authenticated(as:))
  }

  /// - Parameter reader: the user's client for reading.
  func changer(of user: UserEntry, _ reader: ConnectClient) throws -> Result<ConnectClient, Problem> {
    if readsAsUser { return .success(reader) }
    return try changing.authentication(of: user).map(base.authenticated(as:))
  }
}
