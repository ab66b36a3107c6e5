package import HTTP
package import IFTTT
package import Session
import Store
import Text

/// The clients for reading and configuring connections, and for changing their status.
package final class ConnectClients {
  private let given: CredentialOptions
  private let purpose: String
  private let session: Session
  /// The credential options with which connections are read.
  package let readerOptions: CredentialOptions
  /// The failures that end a run of changes early.
  package let stop: EarlyStop
  private let base: ConnectClient
  /// Nil for the profile's own user.
  private let users: (reading: UserAuthentication, changing: UserAuthentication)?
  /// Whether the reader changes statuses too.
  private let readsAsUser: Bool
  private var ownChanger: ConnectClient?
  /// The readers of the users whose requests may be in flight: each user is read and changed, and decrypting a token
  /// takes as long as a tenth of a request.
  private var readers: [String: ConnectClient] = [:]

  private init(
    _ given: CredentialOptions, _ readerOptions: CredentialOptions, stop: EarlyStop, base: ConnectClient,
    users: (reading: UserAuthentication, changing: UserAuthentication)?, readsAsUser: Bool, for purpose: String,
    in session: Session
  ) {
    (self.given, self.readerOptions, self.stop, self.base, self.users) = (given, readerOptions, stop, base, users)
    (self.readsAsUser, self.purpose, self.session) = (readsAsUser, purpose, session)
  }

  /// The clients of the profile's own user.
  static func own(
    _ given: CredentialOptions, isStatusOnly: Bool, for purpose: String, in session: Session
  ) throws -> ConnectClients {
    try session.storage.trackSandboxOnce()
    guard isStatusOnly else {
      let options = try session.credentials.configuring(given, for: purpose)
      return ConnectClients(
        given, options, stop: .server, base: try session.network.connect(options), users: nil, readsAsUser: false,
        for: purpose, in: session)
    }
    // Only a user token is known to be accepted for a change of the status (docs/api/connect.md §7.5).
    let user = try session.credentials.changing(given, for: purpose)
    var options = given
    options.level = .user
    return ConnectClients(
      given, options, stop: .server, base: try session.network.connect(given, as: user), users: nil, readsAsUser: true,
      for: purpose, in: session)
  }

  /// The clients of one user after another.
  package static func ofUsers(
    _ given: CredentialOptions, isStatusOnly: Bool, for purpose: String, in session: Session
  ) throws -> ConnectClients {
    var (user, reader) = (given, given)
    user.level = .user
    let hasKey = try session.credentials.serviceKeySource(file: given.serviceKeyFile) != nil
    let readsAsUser = given.level == .user || (given.level == nil && (isStatusOnly || !hasKey))
    reader.level = readsAsUser ? .user : .service
    let changing = try UserAuthentication(user, for: purpose, in: session)
    let reading = try UserAuthentication(reader, for: purpose, in: session)
    // With two credentials, a rejection may concern one user's token.
    return ConnectClients(
      given, reader, stop: .unreachable, base: try session.network.connect(given, as: reading.shared),
      users: (reading, changing), readsAsUser: readsAsUser, for: purpose, in: session)
  }

  /// The failures that end a run early that only reads.
  package var stopOfReading: EarlyStop { users?.reading.stop ?? stop }

  /// - Throws: `credentials_missing` if the credentials are not those for all changes.
  func check(changesStatus: Bool, changesSettings: Bool) throws {
    guard users == nil else { return }
    if changesSettings { try session.credentials.requireServiceKey(given, for: purpose) }
    if changesStatus { _ = try changer(nil) }
  }

  package func reader(_ userID: String?) throws -> Result<ConnectClient, Problem> {
    guard let users, let userID else { return .success(base) }
    if let client = readers[userID] { return .success(client) }
    let found = try users.reading.authentication(of: UserEntry(userID: userID)).map(base.authenticated(as:))
    if case .success(let client) = found {
      if readers.count == 64 { readers = [:] }
      readers[userID] = client
    }
    return found
  }

  func changer(_ userID: String?) throws -> Result<ConnectClient, Problem> {
    if readsAsUser { return try reader(userID) }
    if let users, let userID {
      return try users.changing.authentication(of: UserEntry(userID: userID)).map(base.authenticated(as:))
    }
    if let ownChanger { return .success(ownChanger) }
    let client = try session.network.connect(given, as: session.credentials.changing(given, for: purpose))
    ownChanger = client
    return .success(client)
  }
}

/// The authentication of requests for each of many users.
package struct UserAuthentication {
  private enum Method {
    case service(Secret)
    /// The tokens stored in the profile, by user id.
    case storedTokens(profile: String)
  }

  private let method: Method
  private let session: Session

  /// The service key, or with `--as user` the user's stored token. A token that is given for one user is not used.
  package init(_ options: CredentialOptions, for purpose: String, in session: Session) throws {
    self.session = session
    if options.level == .user {
      method = .storedTokens(profile: try session.profile.name)
    } else {
      let key = try session.credentials.serviceKey(file: options.serviceKeyFile)
      method = .service(try key ?? session.credentials.prompt(for: .serviceKey, purpose: "\(purpose) --users"))
    }
  }

  /// The authentication that requests without a user would have.
  package var shared: Authentication {
    if case .service(let key) = method { .service(key, userID: nil) } else { .anonymous }
  }

  /// The reason for which a run with these credentials ends early.
  package var stop: EarlyStop { if case .service = method { .sharedKey } else { .unreachable } }

  /// - Throws: a ``Problem`` that concerns this user only, or any other error if the store cannot be read.
  package func authentication(of user: UserEntry) throws -> Result<Authentication, Problem> {
    switch method {
    case .service(let key): return .success(.service(key, userID: user.userID))
    case .storedTokens(let profile):
      let token = try session.store.credential(.userToken, userID: user.userID, profile: profile)
      guard let token else {
        return .failure(
          Problem(
            .credentialsMissing, "no user token of user '\(user.userID)' is stored",
            hint: "Run \(ifttt: "token exchange") with --users or --user-id first."))
      }
      session.recording?.note(token, as: .userToken)
      return .success(.user(token))
    }
  }
}
