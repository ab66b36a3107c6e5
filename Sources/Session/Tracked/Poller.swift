import CommandLine
import HTTP
package import IFTTT
package import Store
import World

/// Polls connections in rounds that the caller schedules, and caches the results. Each round sends one request per id.
package struct Poller {
  package let session: Session
  package let client: ConnectClient
  private let identity: RequestIdentity
  private let store: Store
  private let profile: String

  package init(_ credentials: CredentialOptions, in session: Session) throws {
    self.session = session
    let credential = try session.credentials.locate(credentials)
    client = try session.network.connect(credential)
    (identity, store, profile) = (try credential.identity, try session.store, try session.profile.name)
  }

  /// The monotonic time.
  package var now: Duration { session.world.clock.monotonic() }

  /// A random number from 0 up to 1.
  package var random: Double { session.world.random.fraction() }

  /// Runs one round. A failed request is not retried: the next round is the next attempt.
  /// - Throws: `HTTPError.interrupted` after Ctrl-C, and any error that `each` throws.
  package func poll(
    at ids: [ConnectionID], limit: Duration, each: (ConnectionID, PollResult<FetchedConnection>) throws -> Void
  ) throws {
    try session.storage.pendingConnections.reload()
    try session.network.http.policy = HTTPClient.Policy(timeout: limit, retries: 0, jobs: session.options.jobs)
    try client.poll(ids, now: session.world.clock.now()) { id, result, retryAfter in
      try each(id, PollResult(result, retryAfter: retryAfter, subject: "connection '\(id)'"))
    }
  }

  /// - Throws: `interrupted` after Ctrl-C.
  package func pause(_ duration: Duration) throws {
    try session.world.pause(for: duration)
  }

  /// Caches the results of a round. They are shown only if the connections are tracked.
  package func cache(_ connections: [CachedConnection]) throws {
    try store.cache(connections, as: identity, profile: profile)
  }

  /// The row as printed by `connections show`; also cached.
  package func row(_ connection: CachedConnection) throws -> [UInt8] {
    try cache([connection])
    let isTracked = try store.isTracked(connection.id, profile: profile)
    return ConnectionRow.complete(
      connection.document, tracked: isTracked, stale: false, fetchedAt: connection.fetchedAt)
  }

  /// The connections that the profile currently tracks.
  package var tracked: [ConnectionID] {
    get throws {
      let ids = try store.tracked(fetchedBefore: Timestamp(milliseconds: .max), profile: profile)
      return ids.compactMap(ConnectionID.init(parsing:))
    }
  }
}

extension Session {
  /// The timeout of a whole wait or watch: `--timeout` if it was passed, otherwise nil. For other commands the option
  /// applies to a single request.
  package var wholeTimeout: Duration? {
    provenance.contains { $0.option == "--timeout" } ? options.timeout : nil
  }
}

/// The result of one poll.
package enum PollResult<Value> {
  case found(Value)
  /// The item does not exist, or the credentials have no access to it.
  case missing(Problem)
  /// Another poll may succeed.
  case failed(Problem, retryAfter: Duration?)
  /// No later poll will succeed: the credentials are rejected, or the program cannot send the request at all.
  case refused(Problem)

  /// - Parameter subject: the subject that is passed to `Problem(_:subject:)`.
  package init(_ result: Result<Value, APIError>, retryAfter: Duration?, subject: String) {
    switch result {
    case .success(let value): self = .found(value)
    case .failure(let failure):
      let problem = Problem(failure, subject: subject)
      self =
        switch failure.retryability {
        case .notFound: .missing(problem)
        case .transient: .failed(problem, retryAfter: retryAfter)
        case .permanent: .refused(problem)
        }
    }
  }

  package func map<Other>(_ transform: (Value) -> Other) -> PollResult<Other> {
    switch self {
    case .found(let value): .found(transform(value))
    case .missing(let problem): .missing(problem)
    case .failed(let problem, let retryAfter): .failed(problem, retryAfter: retryAfter)
    case .refused(let problem): .refused(problem)
    }
  }
}
