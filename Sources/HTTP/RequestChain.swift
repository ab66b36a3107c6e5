/// A request and what follows from its response, such as fetching something, changing it and fetching it again.
package enum RequestChain {
  /// - Parameters:
  ///   - starting: called just before the request is sent, for example to journal it. An error ends the run.
  ///   - then: receives the result and returns the rest of the chain. After ``HTTPError/skipped(_:)`` nothing of it is
  ///     sent. An error ends the run.
  case send(
    Request, starting: () throws -> Void = {}, then: (Result<Response, HTTPError>) throws -> RequestChain)
  case end
}

extension HTTPClient {
  /// Runs chains of requests, with up to `policy.jobs` requests in flight. The next request of a begun chain is sent
  /// before another chain begins, so no more than `policy.jobs` chains are ever held.
  /// - Parameter source: returns the next chain; otherwise as the source of
  ///   ``send(from:wake:stopsEarly:meanwhile:each:)``, like the other parameters.
  /// - Returns: why the remaining requests were not sent; nil if all were sent. Each begun chain received
  ///   ``HTTPError/skipped(_:)``. The remaining chains were not taken from the source.
  /// - Throws: as ``send(from:wake:stopsEarly:meanwhile:each:)``.
  @discardableResult
  package func run(
    from source: () throws -> Next<RequestChain>, wake: Int32 = -1, stopsEarly: EarlyStop = .never,
    meanwhile: () throws -> Duration? = { nil }
  ) throws -> SkipReason? {
    var queue = ChainQueue()
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

  /// Chains whose next request can be sent.
  private var ready: ArraySlice<RequestChain> = []
  /// The chains whose request is in flight, by the request's index.
  private var inFlight: [Int: Continuation] = [:]
  private var sent = 0
  private var hasEnded = false

  mutating func next(_ source: () throws -> Next<RequestChain>) throws -> Next<Request> {
    while true {
      if let chain = ready.popFirst() {
        guard case .send(let request, let starting, let then) = chain else { continue }
        try starting()
        inFlight[sent] = then
        sent += 1
        return .next(request)
      }
      if hasEnded { return inFlight.isEmpty ? .end : .blocked }
      switch try source() {
      case .next(let chain): ready.append(chain)
      case .none(let time): return .none(for: time)
      case .blocked: return .blocked
      case .end: hasEnded = true
      }
    }
  }

  mutating func receive(_ result: Result<Response, HTTPError>, at index: Int) throws {
    guard let then = inFlight.removeValue(forKey: index) else { return }
    ready.append(try then(result))
  }

  mutating func skip(_ reason: SkipReason) throws {
    while let chain = ready.popFirst() {
      if case .send(_, _, let then) = chain { _ = try then(.failure(.skipped(reason))) }
    }
  }
}
