package import Secrets
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
    /// Followed for one request.
    package var redirects = Redirect.most
    package init(timeout: Duration = .seconds(30), retries: Int = 3, jobs: Int = 16) {
      (self.timeout, self.retries, self.jobs) = (timeout, retries, jobs)
    }
  }

  /// Each request and answer as it happens, secrets already masked: one line without a line end. Where many are sent,
  /// each line begins with the request's number.
  package var trace: ((String) -> Void)?
  /// Credentials that a request does not carry and a server may repeat anyway; asked for when something is shown.
  package var otherSecrets: () -> [Secret] = { [] }
  /// Receives notice of a request that takes long.
  package var feedback: SlowRequestFeedback?
  /// What the next run goes by; one that is under way keeps to what it began with.
  package var policy: Policy

  /// Of the transport.
  package var facts: TransportDescription? { transport.facts }

  let transport: any Transport
  let world: World
  /// Never used twice, so that a late outcome of a cancelled exchange is known for what it is.
  private var lastTicket = 0
  private var isRunning = false

  package init(transport: any Transport, world: World, policy: Policy) {
    self.policy = policy
    self.transport = transport
    self.world = world
  }

  /// - Throws: ``HTTPError`` when no answer came. An answer with an error status is an answer.
  package func send(_ request: Request) throws(HTTPError) -> Response {
    beginRun()
    defer { isRunning = false }
    var result = Result<Response, HTTPError>.failure(.interrupted)
    var run = RequestQueue(CollectionOfOne(request).makeIterator(), client: self, isNumbered: false, stopsEarly: false)
    _ = run.toEnd(meanwhile: { nil }) { result = $1 }
    return try result.get()
  }

  /// Sends all, `policy.jobs` at once, taking from `requests` only as slots free up. `each` gets every result with the
  /// request's place, in the order in which they become known; an error it throws ends the run and is rethrown.
  ///
  /// A request that waits for its next try keeps its slot: a server that asks for patience is then asked less, and no
  /// more than `policy.jobs` requests are ever in hand.
  ///
  /// `each` must not send anything by this client: what ended meanwhile would be taken for an answer to the inner run.
  /// - Parameters:
  ///   - stopsEarly: whether all go to one server with the same credentials, so that a server which cannot be reached, or
  ///     does not accept the credentials, ends the run.
  ///   - meanwhile: other work that goes on while requests are in flight, called again and again. It does what it can
  ///     without waiting and returns how long it can be left alone; nil once it is done. An error it throws ends the run
  ///     and is rethrown. The same holds for it as for `each`: it must not send anything by this client.
  /// - Returns: why the rest was not sent, nil if everything was. The rest was not even taken from `requests`.
  /// - Throws: ``HTTPError/interrupted`` after Ctrl-C: nothing new is sent, what was under way is cancelled.
  @discardableResult
  package func send(
    _ requests: some Sequence<Request>, stopsEarly: Bool = false, meanwhile: () throws -> Duration? = { nil },
    each: (Int, Result<Response, HTTPError>) throws -> Void
  ) throws -> SkipReason? {
    beginRun()
    defer { isRunning = false }
    var run = RequestQueue(requests.makeIterator(), client: self, isNumbered: true, stopsEarly: stopsEarly)
    guard try run.toEnd(meanwhile: meanwhile, each) else { throw HTTPError.interrupted }
    return run.skipsRest ? run.stop : nil
  }

  private func beginRun() {
    precondition(!isRunning, "a run over requests must end before its client sends anything else")
    isRunning = true
  }

  func nextTicket() -> Int {
    lastTicket += 1
    return lastTicket
  }
}

package enum HTTPError: Error, Sendable, Equatable {
  case interrupted
  /// The last failure, after how many tries, and for which `scheme://host[:port]`.
  case transport(TransportError, tries: Int, origin: String)
  /// A redirect that is not followed, and why.
  case redirect(String)
  /// Not sent, because earlier requests failed for a reason that affects all.
  case skipped(SkipReason)
}

/// Why the remaining requests of a batch are not sent.
package enum SkipReason: Sendable, Equatable {
  /// No connection to this `scheme://host[:port]` could be made.
  case unreachable(TransportError, origin: String)
  /// It does not accept the credentials (401).
  case unauthorized(origin: String)
}

/// The feedback about a request that takes long.
package struct SlowRequestFeedback {
  /// The idle time before the first notice, and between notices.
  package var interval: Duration = .seconds(1)
  /// Nothing has come from this `scheme://host[:port]` for so long.
  package var waiting: (_ origin: String, _ time: Duration) -> Void
  /// Something has come, or the wait was given up.
  package var ended: () -> Void
  package init(waiting: @escaping (_ origin: String, _ time: Duration) -> Void, ended: @escaping () -> Void) {
    (self.waiting, self.ended) = (waiting, ended)
  }
}
