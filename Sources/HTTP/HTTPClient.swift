package import World

/// Sends requests with retries, redirects, limits and an eye on interruption; many at once over one transport.
package final class HTTPClient {
  package struct Policy: Sendable {
    /// For one request, all its tries included.
    package var timeout: Duration = .seconds(30)
    /// Tries after the first.
    package var retries: Int = 3
    /// Requests under way at once.
    package var jobs: Int = 16
    package init(timeout: Duration = .seconds(30), retries: Int = 3, jobs: Int = 16) {
      (self.timeout, self.retries, self.jobs) = (timeout, retries, jobs)
    }
  }

  /// Each request and answer as it happens, secrets already masked: one line without a line end.
  package var trace: ((String) -> Void)?
  package let policy: Policy

  package init(transport: any Transport, world: World, policy: Policy) {
    self.policy = policy
  }

  /// - Throws: ``HTTPFailure`` when no answer came. An answer with an error status is an answer.
  package func send(_ request: Request) throws(HTTPFailure) -> Response { throw HTTPFailure.interrupted }

  /// Sends all, `policy.jobs` at once, taking from `requests` only as slots free up. `each` gets every result with the
  /// request's place, in the order in which they become known; an error it throws ends the run and is rethrown.
  /// - Throws: ``HTTPFailure/interrupted`` after Ctrl-C: nothing new is sent, what was under way is cancelled.
  package func send(
    _ requests: some Sequence<Request>, each: (Int, Result<Response, HTTPFailure>) throws -> Void
  ) throws {}
}

package enum HTTPFailure: Error, Sendable, Equatable {
  case interrupted
  /// The last failure, after how many tries, and for which `scheme://host[:port]`.
  case transport(TransportFailure, tries: Int, origin: String)
  /// A redirect that is not followed, and why.
  case redirect(String)
}
