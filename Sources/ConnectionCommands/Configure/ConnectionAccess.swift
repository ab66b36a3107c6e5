import Changes
import HTTP
import IFTTT
import Session
import Store
import Text
import World

/// Access to one connection's configuration and steps, either as a service for its user or as the user.
struct ConnectionAccess {
  let id: ConnectionID
  let session: Session
  let client: ConnectClient
  /// Whether requests identify a user. Without one, IFTTT does not return the options of fields.
  let hasUser: Bool
  private let given: CredentialOptions
  private let identity: RequestIdentity
  private let store: Store
  private let profile: String

  /// - Parameter changes: whether requests do more than read, for which IFTTT documents another credential.
  init(_ id: ConnectionID, _ given: CredentialOptions, changes: Bool = false, in session: Session) throws {
    try self.init(
      id, given, session.credentials.locate(given, changes ? .serviceForUserToChange : .serviceForUser), in: session)
  }

  /// Creates the access before the user's activation: anonymous if no credential is available.
  init(beforeActivationOf id: ConnectionID, _ given: CredentialOptions, in session: Session) throws {
    try self.init(id, given, session.credentials.locate(given, .silent), in: session)
  }

  private init(
    _ id: ConnectionID, _ given: CredentialOptions, _ credential: LocatedCredential, in session: Session
  ) throws {
    try session.storage.trackSandboxOnce()
    (self.id, self.given, self.session) = (id, given, session)
    client = try session.network.connect(credential)
    hasUser = credential.level != .anonymous
    identity = try credential.identity
    store = try session.store
    profile = try session.profile.name
  }

  var subject: String { "connection '\(id)'" }

  /// Checks that a credential that can change settings is available. Reading may have used another one.
  func requireServiceKey() throws { _ = try session.credentials.locate(given, .serviceForUserToChange) }

  // MARK: The connection

  /// Fetches the connection from IFTTT.
  func fetch() throws -> Connection {
    let fetched: FetchedConnection
    do throws(APIError) { fetched = try client.show(id).send() } catch { throw Problem(error, subject: subject) }
    let cached = try session.storage.pendingConnections.cacheRow(of: fetched)
    if session.options.isDryRun { return fetched.connection }
    try store.cache([cached], as: identity, profile: profile)
    try store.cacheUnlisted([cached], as: identity, profile: profile)
    return fetched.connection
  }

  /// Returns the connection from the cache if it is fresh, otherwise from IFTTT.
  func recent() throws -> Connection {
    let age = session.options.maxAge
    if age != .zero, session.recording == nil, let cached = try cachedConnection(since: session.world.clock.now() - age)
    {
      return cached
    }
    return try fetch()
  }

  /// Returns the cached connection, however old; nil if it was never fetched.
  func cachedConnection(since moment: Timestamp = Timestamp(milliseconds: 0)) throws -> Connection? {
    let response = try store.unlistedResponse(
      of: id.description, as: identity, fetchedSince: moment, profile: profile)
    if let response { return connection(in: response) }
    guard try store.belongs(to: identity, profile: profile),
      let cached = try store.cached(id.description, profile: profile),
      cached.fetchedAt >= moment
    else { return nil }
    return connection(in: cached.raw)
  }

  /// Returns the cached connection, for runs that must not contact IFTTT.
  /// - Throws: `network` if it was never fetched.
  func cachedOrFail() throws -> Connection {
    guard let connection = try cachedConnection() else { throw Problem.neverFetched(subject) }
    return connection
  }

  private func connection(in response: [UInt8]) -> Connection? {
    try? FetchedConnection(Response(status: 200, body: response), for: id).connection
  }

  /// Discards the cached options, and marks the connection as stale in the cache, for every identity.
  func forgetOptions() throws {
    try store.forgetOptions(of: id.description, profile: profile)
    try store.expire(id.description, profile: profile)
  }

  /// - Throws: an error if the user never enabled the connection, or disabled it.
  func checkUsable(_ connection: Connection) throws {
    switch connection.status {
    case .neverEnabled: throw Problem.neverEnabled(Subject(id: id.description))
    case .disabled:
      let wasPending = try session.storage.pendingConnections.contains(id.description)
      throw Problem(
        .refused, "\(subject) is disabled", reason: "IFTTT does not run a connection that its user disabled",
        hint: wasPending
          ? .activatingAgain(id)
          : "Enable it: \(ifttt: "connections enable \(id)").")
    case .enabled, .unknown: break
    }
  }

  /// Adds a hint if the connection is not enabled: IFTTT then forbids access even with valid credentials.
  /// - Parameter connection: nil to fetch it, since the status in the cache may be stale.
  func explained(_ problem: Problem, of connection: Connection? = nil) -> Problem {
    guard problem.code == .forbidden else { return problem }
    let current = connection ?? (try? fetch()) ?? (try? cachedConnection())
    var explained = problem
    switch current?.status {
    case .neverEnabled?:
      explained.hint = "It was never enabled, which may be the cause: \(ifttt: "connections activate \(id)")."
    case .disabled?:
      explained.hint = "It is disabled, which may be the cause: \(ifttt: "connections enable \(id)")."
    case .enabled?, .unknown?, nil: break
    }
    return explained
  }

  // MARK: Options

  struct Options {
    var known: [ConfigurationStep: FieldOptions] = [:]
    var failures: [(step: ConfigurationStep, problem: Problem)] = []
  }

  /// Returns the options of these steps' fields, from the cache or fetched once.
  /// - Parameter mayFetch: whether to contact IFTTT; if not, cached options of any age are used.
  func options(_ steps: [ConfigurationStep], mayFetch: Bool = true) throws -> Options {
    var options = Options()
    let age = session.options.maxAge
    let isOffline = try session.network.isOffline
    let since = !mayFetch || isOffline ? Timestamp(milliseconds: 0) : session.world.clock.now() - age
    // A recorded run does not use the cache, because its replay has only the recorded responses.
    let usesCache = (age != .zero && session.recording == nil) || !mayFetch || isOffline
    let cachedOptions =
      usesCache ? try store.cachedOptions(of: id.description, as: identity, fetchedSince: since, profile: profile) : [:]
    var missing: [ConfigurationStep] = []
    for step in steps where options.known[step] == nil && !missing.contains(step) {
      if let found = cachedOptions[step.key].flatMap({ FieldOptions(cachedResponse: $0.response) }) {
        options.known[step] = found
      } else {
        missing.append(step)
      }
    }
    guard mayFetch, !missing.isEmpty else { return options }
    var fetched: [CachedOptions] = []
    var failed: [ConfigurationStep: Problem] = [:]
    let sending = Result {
      try client.http.send(missing, to: { client.fieldOptions($0, of: id) }) { step, result in
        switch result {
        case .success(let response):
          options.known[step] = response.options
          fetched.append(
            CachedOptions(
              connection: id.description, step: step.key, response: response.raw, fetchedAt: session.world.clock.now()))
        case .failure(let failure):
          failed[step] = Problem(failure, subject: "options of \(step.kind.rawValue) '\(step.typeID)'")
        }
      }
    }
    // In the order of the steps, not of the responses.
    options.failures += missing.compactMap { step in failed[step].map { (step, $0) } }
    if !session.options.isDryRun { try store.cache(fetched, as: identity, profile: profile) }
    try sending.get()
    return options
  }
}
