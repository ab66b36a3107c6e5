package import HTTP
package import IFTTT
package import Session
import Text

/// The clients for reading and configuring connections, and for changing their status.
package final class ConnectClients {
  private let given: CredentialOptions
  private let session: Session
  /// The credential with which connections are read.
  let credential: LocatedCredential
  private let base: ConnectClient
  /// What the users of a file share; nil for the profile's own user.
  private let shared: Authentication?
  /// Whether the reader changes statuses too.
  private let readsAsUser: Bool
  private var ownChanger: ConnectClient?
  /// The readers of the users whose requests may be in flight: each user is read and changed, and decrypting a token
  /// takes as long as a tenth of a request.
  private var readers: [String: ConnectClient] = [:]

  /// The clients of the profile's own user.
  init(_ given: CredentialOptions, isStatusOnly: Bool, in session: Session) throws {
    try session.storage.trackSandboxOnce()
    (self.given, self.session, shared, readsAsUser) = (given, session, nil, isStatusOnly)
    credential = try session.credentials.locate(given, isStatusOnly ? .user : .serviceForUser)
    base = try session.network.connect(credential)
  }

  /// The clients of one user after another.
  convenience init(ofUsers given: CredentialOptions, isStatusOnly: Bool, in session: Session) throws {
    var reader = given
    let hasKey = try session.credentials.location(of: .serviceKey, file: given.serviceKeyFile) != nil
    reader.level = given.level == .user || (given.level == nil && (isStatusOnly || !hasKey)) ? .user : .service
    try self.init(readingUsers: reader, in: session)
  }

  /// The clients of one user after another, for reading only.
  package init(readingUsers given: CredentialOptions, in session: Session) throws {
    let credential = try session.credentials.locate(given, .users)
    let shared = try credential.authentication()
    (self.given, self.session, self.credential, self.shared) = (given, session, credential, shared)
    base = try session.network.connect(session.credentials.located(shared, given))
    readsAsUser = shared.level != .service
  }

  /// The failures that end a run over users early that only reads. If each user has a token, a rejection may concern
  /// one of them only.
  package var stopOfReading: EarlyStop { shared?.level == .service ? .sharedKey : .unreachable }

  /// - Throws: `credentials_missing` if the credentials are not those for all changes.
  func check(changesStatus: Bool, changesSettings: Bool) throws {
    guard shared == nil else { return }
    if changesSettings { _ = try session.credentials.locate(given, .serviceForUserToChange) }
    if changesStatus { _ = try changer(nil) }
  }

  package func reader(_ userID: String?) throws -> Result<ConnectClient, Problem> {
    guard let shared, let userID else { return .success(base) }
    if let client = readers[userID] { return .success(client) }
    let found = try client(of: userID, sharing: shared)
    if case .success(let client) = found {
      if readers.count == 64 { readers = [:] }
      readers[userID] = client
    }
    return found
  }

  func changer(_ userID: String?) throws -> Result<ConnectClient, Problem> {
    if readsAsUser { return try reader(userID) }
    if shared != nil, let userID { return try client(of: userID, sharing: .anonymous) }
    if let ownChanger { return .success(ownChanger) }
    let client = try session.network.connect(session.credentials.locate(given, .user))
    ownChanger = client
    return .success(client)
  }

  private func client(of userID: String, sharing shared: Authentication) throws -> Result<ConnectClient, Problem> {
    try session.credentials.authentication(of: userID, sharing: shared).map(base.authenticated(as:))
  }
}
