import CommandLine
import HTTP
package import IFTTT
import World

/// Polls connections repeatedly, as the state machines decide. Every round uses the session's single connection pool
/// and sends one request per id.
package struct Poller {
  package let session: Session
  package let client: ConnectClient

  package init(_ credentials: CredentialOptions, in session: Session) throws {
    self.session = session
    client = try session.network.connect(credentials)
  }

  /// Monotonic.
  package var now: Duration { session.world.clock.monotonic() }

  /// From 0 up to 1.
  package var random: Double { session.world.random.fraction() }

  /// Runs one round. A failed request is not retried in it: the next round is the next attempt.
  /// - Throws: `HTTPError.interrupted` after Ctrl-C, and any error that `each` throws.
  package func poll(
    at ids: [ConnectionID], limit: Duration, each: (ConnectionID, PollResult<FetchedConnection>) throws -> Void
  ) throws {
    try session.pendingConnections.reload()
    try session.network.http.policy = HTTPClient.Policy(timeout: limit, retries: 0, jobs: session.options.jobs)
    try client.poll(ids, now: session.world.clock.now()) { id, result, patience in
      try each(id, PollResult(result, retryAfter: patience, subject: "connection '\(id)'"))
    }
  }

  /// - Throws: `interrupted` after Ctrl-C.
  package func pause(_ duration: Duration) throws {
    session.world.clock.sleep(for: duration)
    guard !session.world.interruption.isInterrupted else { throw Problem.interrupted }
  }
}

extension Session {
  /// The timeout of a whole wait or watch: `--timeout` if it was passed, otherwise nil. For other commands the option
  /// applies to a single request.
  package var wholeTimeout: Duration? {
    provenance.contains { $0.option == "--timeout" } ? options.timeout : nil
  }
}
