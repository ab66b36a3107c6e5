import HTTP
import Support
import Testing
import Text
import World

/// A batch stops early if the remaining requests cannot succeed.
@Suite struct CircuitBreakerTests {
  let clock = FakeClock()
  let base: WebURL
  let token: Secret
  init() throws {
    base = try WebURL(parsing: "https://connect.ifttt.com")
    token = try #require(Secret(parsing: "e1hM0123456789abcdefghij4aTz"))
  }

  private func answer(_ status: Int) -> ScriptedTransport.Answer { { _ in .success(Response(status: status)) } }
  private func failed(_ kind: TransportError.Kind, arrived: Bool = false) -> ScriptedTransport.Answer {
    { _ in .failure(TransportError(kind: kind, message: "words", mayHaveArrived: arrived)) }
  }

  /// Sends twenty requests, one at a time.
  private func run(
    _ answers: [ScriptedTransport.Answer], retries: Int = 0, jobs: Int = 1, stopsEarly: EarlyStop = .server,
    hasCredential: Bool = true, random: UInt8 = 0
  ) throws -> (skipped: SkipReason?, results: Int, sent: Int, taken: Int) {
    let transport = ScriptedTransport(answers: answers, clock: clock)
    let client = HTTPClient(
      transport: transport, world: makeWorld(clock: clock, random: random),
      policy: HTTPClient.Policy(retries: retries, jobs: jobs))
    var taken = 0
    let requests = AnyIterator<Request> {
      guard taken < 20 else { return nil }
      taken += 1
      let headers = hasCredential ? [Header("Authorization", prefix: "Bearer ", secret: token)] : []
      return Request(.get, base.appending("\(taken)"), headers: headers)
    }
    var results = 0
    let skipped = try client.send(requests, stopsEarly: stopsEarly) { _, _ in results += 1 }
    return (skipped, results, transport.requests.count, taken)
  }

  private func unreachable(_ kind: TransportError.Kind) -> SkipReason {
    .unreachable(
      TransportError(kind: kind, message: "words", mayHaveArrived: false), origin: "https://connect.ifttt.com")
  }

  @Test(arguments: [.resolve, .connect, .tls, .proxy, .timeout] as [TransportError.Kind])
  func firstConnectFailureStopsBatch(_ kind: TransportError.Kind) throws {
    let run = try run([failed(kind)])
    #expect(run.skipped == unreachable(kind))
    #expect(run.results == 1)
    #expect(run.taken == 1, "requests that are not sent must not be taken from the sequence")
  }

  @Test func stopsOnlyAfterRetries() throws {
    let run = try run([failed(.connect), failed(.connect), failed(.connect)], retries: 2)
    #expect(run.skipped == unreachable(.connect))
    #expect((run.results, run.sent) == (1, 3))
  }

  /// Requests in flight finish, without retries.
  @Test func requestsInFlightAreNotRetriedAfterStop() throws {
    let run = try run(
      [failed(.tls), failed(.connect), failed(.connect), failed(.connect)], retries: 5, jobs: 4)
    #expect(run.skipped == unreachable(.tls))
    #expect((run.results, run.sent, run.taken) == (4, 4, 4))
  }

  @Test func stopEndsWaitForRetry() throws {
    let run = try run([failed(.connect), failed(.tls)], retries: 5, jobs: 2, random: 255)
    #expect((run.results, run.sent) == (2, 2))
    #expect(clock.monotonic() == .zero)
  }

  @Test func oneFailureAfterASuccessDoesNotStopBatch() throws {
    let mixed = [answer(200), failed(.connect), failed(.connect), answer(404)] + (0..<3).map { _ in failed(.connect) }
    let run = try run(mixed)
    #expect(run.skipped == unreachable(.connect))
    #expect(run.sent == 7)
  }

  @Test func rejectedCredentialsStopBatch() throws {
    #expect(try run([answer(401)]).skipped == .unauthorized(origin: "https://connect.ifttt.com"))
    let revoked = try run([answer(200), answer(401), answer(401), answer(401)])
    #expect(revoked.skipped == .unauthorized(origin: "https://connect.ifttt.com"))
    #expect(revoked.sent == 4)
  }

  @Test func otherFailuresDoNotStopBatch() throws {
    let all = { (answer: @escaping ScriptedTransport.Answer) in (0..<20).map { _ in answer } }
    // Without a credential, a 401 concerns only the requested resource.
    #expect(try run(all(answer(401)), hasCredential: false).sent == 20)
    #expect(try run(all(failed(.connect)), stopsEarly: .never).sent == 20)
    for failure in [failed(.broken, arrived: true), failed(.timeout, arrived: true), answer(500), answer(404)] {
      let run = try run(all(failure))
      #expect(run.sent == 20)
      #expect(run.skipped == nil)
    }
  }

  /// The last failure leaves nothing to skip.
  @Test func failureOfLastRequestSkipsNothing() throws {
    let answers = (0..<19).map { _ in answer(200) } + [failed(.connect)]
    #expect(try run(answers).skipped == nil)
  }

  @Test func sendsOnlyFirstRequestsIfNothingListens() throws {
    let port: Int
    do { port = try Server("faults.py").port }
    let base = try WebURL(parsing: "http://127.0.0.1:\(port)/")
    let world = makeWorld()
    let client = HTTPClient(
      transport: CurlTransport(world: world, version: "0.0.0"), world: world, policy: HTTPClient.Policy())
    var (taken, results) = (0, 0)
    let requests = AnyIterator<Request> {
      taken += 1
      return taken <= 1000 ? Request(.get, base.appending("\(taken)")) : nil
    }
    let skipped = try client.send(requests, stopsEarly: .server) { _, result in
      results += 1
      #expect(throws: HTTPError.self) { try result.get() }
    }
    guard case .unreachable(let failure, _) = skipped else { return #expect(Bool(false), "\(skipped as Any)") }
    #expect(failure.kind == .connect)
    #expect(taken == 16, "only the first 16 requests, which start at once")
    #expect(results == 16)
  }
}
