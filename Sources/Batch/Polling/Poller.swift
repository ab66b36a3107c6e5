import API
import Arguments
import Connect
import HTTP
import World

/// Looks at connections again and again, as the state machines decide: every round over the session's one pool of
/// connections, one request an id.
struct Poller {
  let session: Session
  let client: ConnectClient

  init(_ credentials: CredentialOptions, in session: Session) throws {
    self.session = session
    client = try session.connect(credentials)
  }

  /// Monotonic.
  var now: Duration { session.world.clock.monotonic() }

  /// From 0 up to 1.
  var random: Double { session.world.random.fraction() }

  /// One round. A request that fails is not repeated in it: the next round is the next try.
  /// - Throws: `HTTPError.interrupted` after Ctrl-C, and whatever `each` throws.
  func look(
    at ids: [ConnectionID], limit: Duration, each: (ConnectionID, PollResult<FetchedConnection>) throws -> Void
  ) throws {
    try session.pendingMemory.reload()
    try session.http.policy = HTTPClient.Policy(timeout: limit, retries: 0, jobs: session.options.jobs)
    try client.poll(ids, now: session.world.clock.now()) { id, result, patience in
      try each(id, PollResult(result, retryAfter: patience, subject: "connection '\(id)'"))
    }
  }

  /// - Throws: `interrupted` after Ctrl-C.
  func pause(_ duration: Duration) throws {
    session.world.clock.sleep(for: duration)
    guard !session.world.interruption.isInterrupted else { throw Problem.interrupted }
  }
}

extension Session {
  /// The time of a whole wait or watch: `--timeout` where it was given, which otherwise is a single request's.
  var wholeTimeout: Duration? {
    provenance.contains { $0.option == "--timeout" } ? options.timeout : nil
  }
}
