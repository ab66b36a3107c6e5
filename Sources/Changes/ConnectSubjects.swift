package import HTTP
package import IFTTT
package import Session
import Store
import Text

/// The connections of IFTTT: those of the profile's own user, or of the users of a file.
///
/// A status is changed with the user's token; reading and settings are documented with the service key and a user id
/// (docs/api/connect.md §6). The cache and the record of pending connections are about the profile's own user.
package final class ConnectSubjects: SubjectProvider {
  package let canEnable = true
  private let session: Session
  private let clients: ConnectClients
  /// The cached connections of the profile's own user; nil for the users of a file.
  private var stateCache: ConnectionStateCache?
  /// The id of the profile's own user, who may be one of the users of a file; nil if unknown.
  private let ownUserID: String?
  /// The parts of another user's connection that a change of its status does not need.
  private let unneeded: ConnectionParts
  /// A connection from ``prime(_:)`` that was not used yet.
  private var primed: Connection?

  /// - Parameters:
  ///   - isStatusOnly: whether only statuses are changed. The user's token is enough for that.
  ///   - isOverUsers: whether the connections belong to the users of a file.
  package init(
    _ options: CredentialOptions, isStatusOnly: Bool, isOverUsers: Bool, in session: Session
  ) throws {
    self.session = session
    clients =
      isOverUsers
      ? try ConnectClients(ofUsers: options, isStatusOnly: isStatusOnly, in: session)
      : try ConnectClients(options, isStatusOnly: isStatusOnly, in: session)
    stateCache =
      isOverUsers ? nil : try ConnectionStateCache(clients.credential, isStatusOnly: isStatusOnly, in: session)
    unneeded = isOverUsers && isStatusOnly ? [.services, .features, .images] : []
    ownUserID = isOverUsers ? try session.credentials.ownUserID(options) : nil
  }

  /// The failures that end a read-only run early.
  package var readOnlyStop: EarlyStop { clients.readOnlyStop }

  /// The credential options for reading, to pass to ``ConnectionSelection/resolve(_:in:)``.
  package var readerOptions: CredentialOptions { clients.credential.options }

  package func checkCredentials(of userID: String?, changesStatus: Bool, changesSettings: Bool) throws {
    let usesAnotherReader = try clients.check(
      of: userID, changesStatus: changesStatus, changesSettings: changesSettings)
    guard usesAnotherReader, stateCache != nil else { return }
    try stateCache?.write()
    stateCache = try ConnectionStateCache(clients.credential, isStatusOnly: false, in: session)
  }

  // MARK: Reading

  /// Provides a connection that was just read, so that it is not read again before it is changed.
  package func prime(_ connection: Connection) { primed = connection }

  package func read(
    _ subject: Subject, isFresh: Bool, then: @escaping (Result<SubjectState, Problem>) throws -> RequestChain
  ) throws -> RequestChain {
    guard let id = subject.connectionID else { return .end }
    if let stateCache, !isFresh, let primed, primed.id == id {
      self.primed = nil
      return try then(.success(stateCache.state(of: primed)))
    }
    let isOffline = try stateCache != nil && session.network.isOffline
    if let stateCache, !isFresh || isOffline, let state = try stateCache.cachedState(of: id, atAnyAge: isOffline) {
      return try then(.success(state))
    }
    if isOffline {
      if session.options.isDryRun { return try then(.success(.unreadable)) }
      return try then(.failure(.neverFetched(subject.noun)))
    }
    switch try clients.reader(subject.userID) {
    case .failure(let problem): return try then(.failure(problem))
    case .success(let client):
      return client.show(id, without: unneeded(of: subject)).chain { [self] result in
        switch result {
        case .failure(let failure): return try then(.failure(Problem(failure, subject: subject.noun)))
        case .success(let fetched): return try then(.success(state(fetched, of: subject)))
        }
      }
    }
  }

  /// The requests that reading these connections would send.
  /// - Parameter mayBeCached: whether connections with a fresh cached state need no request.
  package func requests(reading ids: [ConnectionID], mayBeCached: Bool = true) throws -> [Request] {
    let client = try clients.reader(nil).get()
    return try ids.filter {
      try !mayBeCached || stateCache?.cachedState(of: $0, atAnyAge: session.network.isOffline) == nil
    }
    .map { client.show($0).request }
  }

  /// Whether the subject belongs to the profile's own user.
  private func isOwn(_ subject: Subject) -> Bool { subject.userID == nil || subject.userID == ownUserID }

  /// The connections of the profile's own user that already have their targets according to the cache.
  package func connectionsMeeting(_ targets: DesiredConnections) throws -> Set<ConnectionID> {
    try stateCache?.connectionsMeeting(targets) ?? []
  }

  private func state(_ fetched: FetchedConnection, of subject: Subject) throws -> SubjectState {
    if let stateCache { return try stateCache.state(fetched) }
    let connection = fetched.connection
    if isOwn(subject) {
      return SubjectState(connection, isPending: try session.storage.pendingConnections.isPending(connection))
    }
    guard !unneeded.isEmpty, connection.status == .enabled, connection.userConnection?.features.isEmpty == true else {
      return SubjectState(connection, isPending: connection.showsNothingConfigured)
    }
    // Whether it has features decides whether nothing of it was configured.
    let whole = try FetchedConnection(Response(status: 200, body: fetched.raw), for: connection.id).connection
    return SubjectState(whole, isPending: whole.showsNothingConfigured)
  }

  private func unneeded(of subject: Subject) -> ConnectionParts { isOwn(subject) ? [] : unneeded }

  package func readOptions(
    _ step: ConfigurationStep, of subject: Subject,
    then: @escaping (Result<FieldOptions, Problem>) throws -> RequestChain
  ) throws -> RequestChain {
    guard let id = subject.connectionID else { return .end }
    if let known = try stateCache?.options(step, of: id) { return try then(.success(known)) }
    let noun = "\(step.kind.rawValue) '\(step.typeID)'"
    if try stateCache != nil && session.network.isOffline {
      return try then(
        .failure(
          Problem(
            .network, "the options of \(noun) of \(subject.noun) were never fetched",
            hint: "Run the command without --offline.")))
    }
    switch try clients.reader(subject.userID) {
    case .failure(let problem): return try then(.failure(problem))
    case .success(let client):
      return client.fieldOptions(step, of: id).chain { [self] result in
        switch result {
        case .failure(let failure): return try then(.failure(Problem(failure, subject: "options of \(noun)")))
        case .success(let fetched):
          try stateCache?.cacheOptions(fetched.raw, of: step, of: id)
          return try then(.success(fetched.options))
        }
      }
    }
  }

  // MARK: Sending

  package func send(
    _ step: ChangeStep, to subject: Subject, starting: @escaping () throws -> Void,
    then: @escaping (SubjectChange.Event) throws -> RequestChain
  ) throws -> RequestChain {
    guard let id = subject.connectionID else { return .end }
    func failed(_ failure: APIError) throws -> RequestChain {
      try then(.failed(Problem(failure, subject: subject.noun), isUnchanged: failure.leavesNothingChanged))
    }
    func sending(
      with client: Result<ConnectClient, Problem>, _ chain: (ConnectClient) throws -> RequestChain
    ) throws -> RequestChain {
      switch client {
      case .failure(let problem): return try then(.failed(problem, isUnchanged: true))
      case .success(let client): return try chain(client)
      }
    }
    if let change = step.statusSwitch {
      return try sending(with: clients.changer(subject.userID)) { client in
        try client.change(change, id, without: unneeded(of: subject)).chain(starting: starting) { [self] result in
          switch result {
          // The server accepted the change, whatever its response says.
          case .failure(.unreadable): return try then(.accepted(nil))
          case .failure(let failure): return try failed(failure)
          case .success(let fetched): return try then(.accepted(fetched.map { try state($0, of: subject) }))
          }
        }
      }
    }
    guard case .configure(let wanted) = step else { return .end }
    return try sending(with: clients.reader(subject.userID)) { client in
      client.configure(id, wanted.requestBody).chain(starting: starting) { result in
        switch result {
        case .failure(let failure): return try failed(failure)
        case .success: return try then(.accepted(nil))
        }
      }
    }
  }

  package func requests(_ steps: [ChangeStep], of subject: Subject) throws -> [PlannedStep] {
    guard let id = subject.connectionID else { return [] }
    return try steps.compactMap { step in
      if let change = step.statusSwitch {
        return .http(PlannedRequest(try clients.changer(subject.userID).get().change(change, id).request))
      }
      guard case .configure(let wanted) = step else { return nil }
      let client = try clients.reader(subject.userID).get()
      return .http(PlannedRequest(client.configure(id, wanted.requestBody).request))
    }
  }

  package func willChange(_ subjects: [Subject]) throws {
    if let stateCache { return try stateCache.expire(subjects.map(\.id)) }
    let own = subjects.filter(isOwn).map(\.id)
    if !own.isEmpty { try session.store.expire(own, profile: session.profile.name) }
  }

  package func willDisablePending(_ subject: Subject) throws {
    if isOwn(subject), let id = subject.connectionID { try session.storage.pendingConnections.mark(id) }
  }

  package func didChange(_ subject: Subject, _ step: ChangeStep, from before: RecordedState) throws {
    guard isOwn(subject), let id = subject.connectionID else { return }
    if case .configure(let wanted) = step, wanted.features.contains(where: \.isEnabled) {
      try session.storage.pendingConnections.clear(id)
    }
    if let change = step.statusSwitch { session.usage.record(change, of: id, before: before.status) }
  }

  package func finish() throws { try stateCache?.write() }
}

/// The clients for reading and configuring connections, and for changing their status.
package final class ConnectClients {
  private var options: CredentialOptions
  private let session: Session
  /// The credential with which connections are read.
  private(set) var credential: LocatedCredential
  private var base: ConnectClient
  /// The authentication that the users of a file share; nil for the profile's own user.
  private let shared: Authentication?
  /// Whether connections are read with the user's token, so that the same client also changes statuses.
  private let readsAsUser: Bool
  private var ownChanger: ConnectClient?
  /// Whether the credential for settings has been located.
  private var mayChangeSettings = false
  private let (readers, changers) = (UserClients(), UserClients())

  /// The clients of the users whose requests may be in flight. Each user sends several requests, but its token is
  /// decrypted once.
  private final class UserClients {
    private var clients: [String: ConnectClient] = [:]

    func client(
      of userID: String, _ make: () throws -> Result<ConnectClient, Problem>
    ) rethrows -> Result<ConnectClient, Problem> {
      if let client = clients[userID] { return .success(client) }
      let found = try make()
      if case .success(let client) = found {
        if clients.count == 64 { clients = [:] }
        clients[userID] = client
      }
      return found
    }
  }

  /// The clients of the profile's own user.
  init(_ options: CredentialOptions, isStatusOnly: Bool, in session: Session) throws {
    try session.storage.trackSandboxOnce()
    (self.options, self.session, shared, readsAsUser) = (options, session, nil, isStatusOnly)
    credential = try session.credentials.locate(options, isStatusOnly ? .user : .serviceForUser)
    base = try session.network.connect(credential)
  }

  /// The clients of the users of a file.
  convenience init(ofUsers options: CredentialOptions, isStatusOnly: Bool, in session: Session) throws {
    var reader = options
    let hasKey = try session.credentials.location(of: .serviceKey, file: options.serviceKeyFile) != nil
    reader.level = options.level == .user || (options.level == nil && (isStatusOnly || !hasKey)) ? .user : .service
    try self.init(readingUsers: reader, in: session)
    // Locate the credential for settings with the original options: a user's token is used only if it was requested.
    self.options = options
  }

  /// The clients of the users of a file, for reading only.
  package init(readingUsers options: CredentialOptions, in session: Session) throws {
    let credential = try session.credentials.locate(options, .users)
    let shared = try credential.authentication()
    (self.options, self.session, self.credential, self.shared) = (options, session, credential, shared)
    base = try session.network.connect(session.credentials.located(shared, options))
    readsAsUser = shared.level != .service
  }

  /// The failures that end a read-only run over users early. If each user has a token, a rejection may concern only one
  /// user.
  package var readOnlyStop: EarlyStop { shared?.level == .service ? .sharedKey : .unreachable }

  /// - Parameter userID: nil for the profile's own user, or for all users of a file.
  /// - Returns: whether connections are read with another credential from now on, because changing settings needs it.
  /// - Throws: `credentials_missing` if a credential for the changes is missing.
  func check(of userID: String?, changesStatus: Bool, changesSettings: Bool) throws -> Bool {
    let level = credential.level
    if changesSettings, !mayChangeSettings {
      let needed = try session.credentials.locate(options, shared == nil ? .serviceForUserToChange : .usersToChange)
      if shared == nil, needed.level != level { (credential, base) = (needed, try session.network.connect(needed)) }
      mayChangeSettings = true
    }
    // Each user of a file has a token of its own.
    if changesStatus, shared == nil || userID != nil { _ = try changer(userID).get() }
    return credential.level != level
  }

  package func reader(_ userID: String?) throws -> Result<ConnectClient, Problem> {
    guard let shared, let userID else { return .success(base) }
    return try readers.client(of: userID) { try client(of: userID, sharing: shared) }
  }

  func changer(_ userID: String?) throws -> Result<ConnectClient, Problem> {
    if readsAsUser { return try reader(userID) }
    if shared != nil, let userID {
      return try changers.client(of: userID) { try self.client(of: userID, sharing: .anonymous) }
    }
    if let ownChanger { return .success(ownChanger) }
    let client = try session.network.connect(session.credentials.locate(options, .user))
    ownChanger = client
    return .success(client)
  }

  private func client(of userID: String, sharing shared: Authentication) throws -> Result<ConnectClient, Problem> {
    try session.credentials.authentication(of: userID, sharing: shared).map(base.authenticated(as:))
  }
}
