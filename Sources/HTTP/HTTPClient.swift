package import Text
package import World

/// Sends requests with retries, redirects, limits and support for interruption; many at once over one transport.
package final class HTTPClient {
  package struct Policy: Sendable {
    /// The timeout of one request, all attempts included.
    package var timeout: Duration = .seconds(30)
    /// The maximum number of retries after the first attempt.
    package var retries: Int = 3
    /// The maximum number of requests in flight.
    package var jobs: Int = 16
    /// The maximum number of redirects per request; nil if a redirect is a response like any other.
    package var redirects: Int? = Redirect.limit
    package init(timeout: Duration = .seconds(30), retries: Int = 3, jobs: Int = 16) {
      (self.timeout, self.retries, self.jobs) = (timeout, retries, jobs)
    }
  }

  /// Receives each request and response as it happens: one line without a line ending, with secrets masked. In a
  /// batch, each line begins with the request's number.
  package var trace: ((String) -> Void)?
  /// Credentials that a request does not carry but a server may repeat. Evaluated whenever something is traced.
  package var otherSecrets: () -> [Secret] = { [] }
  /// Receives each request that a server accepted (2xx), as it was sent at first.
  package var succeeded: ((Request) -> Void)?
  /// The receiver of notices about slow requests.
  package var feedback: SlowRequestFeedback?
  /// The hosts that a redirect may lead to over plain http, in addition to this machine.
  package var plainHosts: Set<HostName> = []
  /// Receives the host of each request that leaves this machine without encryption, before it is sent.
  package var notePlainHTTP: ((_ host: String) -> Void)?
  /// The policy of the next run. A run in progress keeps the policy it started with.
  package var policy: Policy

  /// A description of the transport.
  package var description: TransportDescription? { transport.description }

  /// The maximum rate of all requests of this client, retries and redirects included; nil if it is not limited.
  package var rate: RateLimit? { didSet { limiter = RateLimiter(rate) } }

  var limiter = RateLimiter(nil)
  let transport: any Transport
  let world: World
  /// The last ticket. Tickets are never reused, so that a late result of a canceled exchange is recognized.
  private var lastTicket = 0
  private var isRunning = false

  package init(transport: any Transport, world: World, policy: Policy) {
    self.policy = policy
    self.transport = transport
    self.world = world
  }

  /// Sends one request.
  /// - Throws: ``HTTPError`` if there is no response. A response with an error status does not throw.
  package func send(_ request: Request) throws(HTTPError) -> Response {
    beginRun()
    defer { isRunning = false }
    var result = Result<Response, HTTPError>.failure(.interrupted)
    var next = Next.next(request)
    var queue = RequestQueue(client: self, isNumbered: false, stopsEarly: .never)
    _ = queue.run(
      from: {
        defer { next = .end }
        return next
      }, wake: -1, meanwhile: { nil }
    ) { result = $1 }
    return try result.get()
  }

  /// Sends all requests, up to `policy.jobs` at once. Reads a request from `requests` only when a slot becomes free.
  /// Calls `each` with every result and its request's index, in the order of completion. An error thrown by `each`
  /// ends the run and is rethrown.
  ///
  /// A request that waits for its next attempt keeps its slot. A server that limits its rate therefore receives fewer
  /// requests, and no more than `policy.jobs` requests are ever held.
  ///
  /// `each` must not send anything through this client: exchanges that ended meanwhile would be treated as results of
  /// the inner run.
  /// - Parameters:
  ///   - stopsEarly: the reason for which the run ends before all requests are sent.
  ///   - meanwhile: other work that runs while requests are in flight, called repeatedly. Each call does a part of the
  ///     work without blocking. It returns the time until the next call is due, or nil once all is done. An error it
  ///     throws ends the run and is rethrown. Like `each`, it must not send anything through this client.
  /// - Returns: the reason why the remaining requests were not sent; nil if all were sent. The remaining requests were
  ///   not read from `requests`.
  /// - Throws: ``HTTPError/interrupted`` after Ctrl-C: nothing new is sent, and requests in flight are canceled.
  @discardableResult
  package func send(
    _ requests: some Sequence<Request>, stopsEarly: EarlyStop = .never, meanwhile: () throws -> Duration? = { nil },
    each: (Int, Result<Response, HTTPError>) throws -> Void
  ) throws -> SkipReason? {
    var requests = requests.makeIterator()
    return try send(
      from: { requests.next().map(Next.next) ?? .end }, stopsEarly: stopsEarly, meanwhile: meanwhile,
      each: each)
  }

  /// Sends the requests of a source that may get more of them while requests are in flight, such as those that follow
  /// from a response. Otherwise as ``send(_:stopsEarly:meanwhile:each:)``.
  /// - Parameters:
  ///   - source: returns the next request. It is called only if a slot is free: at the start, after each result, once
  ///     `wake` is readable, and after the time that it returned. An error it throws ends the run.
  ///   - wake: a descriptor that is readable while the source may have a request, such as that of a `Mailbox`, which
  ///     the source empties; -1 for none. It is watched only while a slot is free.
  @discardableResult
  package func send(
    from source: () throws -> Next<Request>, wake: Int32 = -1, stopsEarly: EarlyStop = .never,
    meanwhile: () throws -> Duration? = { nil }, each: (Int, Result<Response, HTTPError>) throws -> Void
  ) throws -> SkipReason? {
    beginRun()
    defer { isRunning = false }
    var queue = RequestQueue(client: self, isNumbered: true, stopsEarly: stopsEarly)
    guard try queue.run(from: source, wake: wake, meanwhile: meanwhile, each) else { throw HTTPError.interrupted }
    return queue.skipsRest ? queue.stop : nil
  }

  private func beginRun() {
    precondition(!isRunning, "a batch of requests must end before its client sends another request")
    isRunning = true
  }

  func nextTicket() -> Int {
    lastTicket += 1
    return lastTicket
  }
}

/// The next element of a source of requests, or of chains of requests.
package enum Next<Element> {
  case next(Element)
  /// No element yet. The source is called again after a result, once its descriptor is readable, or after this time.
  case none(for: Duration? = nil)
  /// No element before a result arrives, even if the descriptor is readable.
  case blocked
  case end
}

/// The reason why a request has no response.
package enum HTTPError: Error, Sendable, Equatable {
  case interrupted
  /// The last failure, the number of attempts, and the `scheme://host[:port]`.
  case transport(TransportError, tries: Int, origin: String)
  /// A redirect that is not followed, and the reason.
  case redirect(String)
  /// Not sent, because earlier requests failed for a reason that affects all of them.
  case skipped(SkipReason)
}

/// The reason why the remaining requests of a batch are not sent.
package enum SkipReason: Sendable, Equatable {
  /// No connection to this `scheme://host[:port]` could be made.
  case unreachable(TransportError, origin: String)
  /// The server rejects the credentials (401).
  case unauthorized(origin: String)
}

/// Feedback about a slow request.
package struct SlowRequestFeedback {
  /// The idle time before the first notice: a person notices that nothing happens.
  package var delay: Duration = .milliseconds(300)
  /// The idle time before each further notice.
  package var interval: Duration = .seconds(1)
  /// Nothing has been received from this `scheme://host[:port]` for this long.
  package var waiting: (_ origin: String, _ time: Duration) -> Void
  /// Something has been received, or the wait was abandoned.
  package var ended: () -> Void
  package init(waiting: @escaping (_ origin: String, _ time: Duration) -> Void, ended: @escaping () -> Void) {
    (self.waiting, self.ended) = (waiting, ended)
  }
}

/// A request and the requests that follow from its response, for example to fetch a connection, change it and fetch it
/// again.
package enum RequestChain {
  /// - Parameters:
  ///   - starting: called just before the request is sent, for example to journal it. An error ends the run. Such
  ///     requests wait for each other, so that the first call can journal all of them at once.
  ///   - then: receives the result and returns the rest of the chain, which is not sent after
  ///     ``HTTPError/skipped(_:)``. An error ends the run.
  case send(
    Request, starting: (() throws -> Void)? = nil, then: (Result<Response, HTTPError>) throws -> RequestChain)
  case end
}

extension HTTPClient {
  /// Runs chains of requests, with up to `policy.jobs` requests in flight. The next request of a begun chain is sent
  /// before another chain begins, unless it waits for others: no more than `policy.jobs` + 64 chains are ever held.
  /// - Parameter source: returns the next chain; otherwise as the source of
  ///   ``send(from:wake:stopsEarly:meanwhile:each:)``, like the other parameters.
  /// - Returns: the reason why the remaining requests were not sent; nil if all were sent. Each begun chain received
  ///   ``HTTPError/skipped(_:)``. The remaining chains were not read from the source.
  /// - Throws: as ``send(from:wake:stopsEarly:meanwhile:each:)``.
  @discardableResult
  package func run(
    from source: () throws -> Next<RequestChain>, wake: Int32 = -1, stopsEarly: EarlyStop = .never,
    meanwhile: () throws -> Duration? = { nil }
  ) throws -> SkipReason? {
    // With a rate or one request at a time, the first chain would wait long for the others.
    var queue = ChainQueue(gathering: rate == nil && policy.jobs > 1 ? ChainQueue.gathering : 1)
    let skipped = try send(
      from: { try queue.next(source) }, wake: wake, stopsEarly: stopsEarly, meanwhile: meanwhile,
      each: { index, result in try queue.receive(result, at: index) })
    if let skipped { try queue.skip(skipped) }
    return skipped
  }
}

/// The chains that have begun and not ended.
private struct ChainQueue {
  typealias Continuation = (Result<Response, HTTPError>) throws -> RequestChain

  /// The number of chains that wait for each other. A journal writes as many items at once.
  static let gathering = 64

  private let gathering: Int
  /// Chains whose next request can be sent.
  private var ready: ArraySlice<RequestChain> = []
  /// Chains that wait for each other before their next request is sent.
  private var gathered: ArraySlice<RequestChain> = []
  /// Whether those that have waited are sent now.
  private var hasGathered = false
  /// The chains whose request is in flight, by the request's index.
  private var inFlight: [Int: Continuation] = [:]
  private var sent = 0
  private var hasEnded = false

  init(gathering: Int) { self.gathering = gathering }

  mutating func next(_ source: () throws -> Next<RequestChain>) throws -> Next<Request> {
    while true {
      if let chain = ready.popFirst() ?? popGathered() {
        guard case .send(let request, let starting, let then) = chain else { continue }
        try starting?()
        inFlight[sent] = then
        sent += 1
        return .next(request)
      }
      if !hasEnded {
        switch try source() {
        case .next(let chain):
          add(chain)
          continue
        case .none(let time) where gathered.isEmpty: return .none(for: time)
        case .blocked where gathered.isEmpty: return .blocked
        case .none, .blocked: break
        case .end: hasEnded = true
        }
      }
      // No other chain can begin now, so those that wait do not wait any longer.
      if gathered.isEmpty { return inFlight.isEmpty ? .end : .blocked }
      hasGathered = true
    }
  }

  private mutating func add(_ chain: RequestChain) {
    switch chain {
    case .send(_, starting: .some, then: _): gathered.append(chain)
    case .send: ready.append(chain)
    case .end: break
    }
  }

  private mutating func popGathered() -> RequestChain? {
    if gathered.count >= gathering { hasGathered = true }
    if !hasGathered { return nil }
    hasGathered = gathered.count > 1
    return gathered.popFirst()
  }

  mutating func receive(_ result: Result<Response, HTTPError>, at index: Int) throws {
    guard let then = inFlight.removeValue(forKey: index) else { return }
    add(try then(result))
  }

  mutating func skip(_ reason: SkipReason) throws {
    while let chain = ready.popFirst() ?? gathered.popFirst() {
      if case .send(_, _, let then) = chain { _ = try then(.failure(.skipped(reason))) }
    }
  }
}
