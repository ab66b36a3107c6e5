import HTTP
import Support
import Testing
import World

/// Many requests over one scripted transport.
@Suite struct ManyRequestsTests {
  let clock = FakeClock()
  let interruption = TestInterruption()
  let base: WebURL
  init() throws { base = try WebURL(parsing: "https://connect.ifttt.com") }

  func client(_ transport: ScriptedTransport, jobs: Int) -> HTTPClient {
    HTTPClient(
      transport: transport, world: makeWorld(clock: clock, interruption: interruption),
      policy: HTTPClient.Policy(jobs: jobs))
  }

  func ok(_ count: Int) -> [ScriptedTransport.Answer] {
    (0..<count).map { _ in { .success(Response(status: 200, body: Array($0.url.path.utf8))) } }
  }

  @Test(arguments: [0, 1, 16])
  func takesFromSequenceOnlyAsSlotsBecomeFree(_ jobs: Int) throws {
    let transport = ScriptedTransport(answers: ok(40))
    var (taken, ended) = (0, 0)
    let requests = sequence(state: 0) { index -> Request? in
      defer { index += 1 }
      taken = max(taken, index)
      return index < 40 ? Request(.get, base.appending("\(index)")) : nil
    }
    var maximum = 0
    transport.whileWaiting = { maximum = max(maximum, transport.inFlight.count) }
    try client(transport, jobs: jobs).send(requests) { index, result in
      #expect(taken <= ended + max(1, jobs))
      ended += 1
      #expect(result == .success(Response(status: 200, body: Array("/\(index)".utf8))))
    }
    #expect(ended == 40)
    #expect(maximum == max(1, jobs))
  }

  @Test func emptySequenceSucceeds() throws {
    try client(ScriptedTransport(), jobs: 4).send([]) { _, _ in Issue.record("a result without a request") }
  }

  @Test func resultsAreDeliveredInOrderOfCompletion() throws {
    let busy = Response(status: 503, headers: [HeaderField("Retry-After", "3")])
    let transport = ScriptedTransport(answers: [{ _ in .success(busy) }] + ok(3), clock: clock)
    var order: [Int] = []
    try client(transport, jobs: 2).send((0..<3).map { Request(.get, base.appending("\($0)")) }) { index, result in
      order.append(index)
    }
    #expect(order == [1, 2, 0])
    #expect(transport.requests.map(\.url.path) == ["/0", "/1", "/2", "/0"])
  }

  @Test func waitingForARetryKeepsTheSlot() throws {
    let busy = Response(status: 429, headers: [HeaderField("Retry-After", "3")])
    let transport = ScriptedTransport(answers: [{ _ in .success(busy) }] + ok(2), clock: clock)
    try client(transport, jobs: 1).send([Request(.get, base.appending("0")), Request(.get, base.appending("1"))]) {
      _, _ in
    }
    #expect(transport.requests.map(\.url.path) == ["/0", "/0", "/1"])
    #expect(clock.monotonic() == .seconds(3))
  }

  @Test func eachRequestHasItsOwnTimeout() throws {
    let transport = ScriptedTransport(answers: ok(3))
    transport.whileWaiting = { clock.sleep(for: .seconds(20)) }
    try client(transport, jobs: 1).send((0..<3).map { Request(.get, base.appending("\($0)")) }) { _, _ in }
    #expect(transport.limits == [.seconds(30), .seconds(30), .seconds(30)])
  }

  @Test func oneFailureDoesNotAffectOthers() throws {
    let transport = ScriptedTransport(
      answers: [
        { _ in .failure(TransportError(kind: .tls, message: "no", mayHaveArrived: false)) }
      ] + ok(2))
    var failed: [Int] = []
    var succeeded: [Int] = []
    try client(transport, jobs: 1).send((0..<3).map { Request(.get, base.appending("\($0)")) }) { index, result in
      if case .success = result { succeeded.append(index) } else { failed.append(index) }
    }
    #expect(failed == [0])
    #expect(succeeded == [1, 2])
  }

  @Test func errorThrownByReceiverEndsRun() throws {
    struct Full: Error {}
    let transport = ScriptedTransport(answers: ok(4))
    let requests = (0..<100).map { Request(.get, base.appending("\($0)")) }
    #expect(throws: Full.self) { try client(transport, jobs: 4).send(requests) { _, _ in throw Full() } }
    #expect(transport.cancelled.count == 3)
    #expect(transport.inFlight.isEmpty)
  }

  @Test func interruptionCancelsRequestsInFlight() throws {
    let transport = ScriptedTransport(answers: ok(5))
    let requests = (0..<100).map { Request(.get, base.appending("\($0)")) }
    var ended = 0
    #expect(throws: HTTPError.interrupted) {
      try client(transport, jobs: 4).send(requests) { _, _ in
        ended += 1
        if ended == 2 { interruption.interrupt() }
      }
    }
    #expect(ended == 2)
    #expect(transport.cancelled.count == 3)
    #expect(transport.inFlight.isEmpty)
  }
}
