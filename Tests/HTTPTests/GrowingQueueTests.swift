import HTTP
import Support
import Testing
import World

/// A source that gets more requests while others are in flight.
@Suite struct GrowingQueueTests {
  private let base: WebURL
  init() throws { base = try WebURL(parsing: "https://connect.ifttt.com") }

  private func request(_ name: String) -> Request { Request(.get, base.appending(name)) }

  private func client(_ transport: any Transport, jobs: Int = 4) -> HTTPClient {
    HTTPClient(transport: transport, world: makeWorld(), policy: HTTPClient.Policy(jobs: jobs))
  }

  @Test func aResponseMayAddRequests() throws {
    let transport = ScriptedTransport(answers: (0..<6).map { _ in { _ in .success(Response(status: 200)) } })
    var ready = ["a", "b"]
    var (inFlight, maximum) = (0, 0)
    transport.whileWaiting = { maximum = max(maximum, transport.inFlight.count) }
    try client(transport, jobs: 2).send(
      from: {
        guard !ready.isEmpty else { return inFlight == 0 ? .end : .none() }
        inFlight += 1
        return .next(request(ready.removeFirst()))
      }
    ) { index, _ in
      inFlight -= 1
      let name = String(transport.requests[index].url.path.dropFirst())
      if name.utf8.count == 1 { ready += [name + "1", name + "2"] }
    }
    #expect(transport.requests.map(\.url.path) == ["/a", "/b", "/a1", "/a2", "/b1", "/b2"])
    #expect(maximum == 2)
  }

  @Test func aSourceIsAskedAgainAfterTheTimeThatItNamed() throws {
    let clock = FakeClock()
    let transport = ScriptedTransport(answers: [{ _ in .success(Response(status: 200)) }], clock: clock)
    let client = HTTPClient(transport: transport, world: makeWorld(clock: clock), policy: HTTPClient.Policy())
    var calls: [Duration] = []
    try client.send(
      from: {
        calls.append(clock.monotonic())
        if calls.count == 1 { return .none(for: .seconds(5)) }
        return calls.count == 2 ? .next(request("a")) : .end
      }, each: { _, _ in })
    #expect(calls.prefix(2) == [.zero, .seconds(5)])
    #expect(transport.requests.count == 1)
  }

  /// A request that gets no response must not delay one that another thread adds.
  @Test func aDescriptorWakesTheSourceDuringARequest() throws {
    let server = try Server("faults.py")
    let world = makeWorld()
    let client = HTTPClient(
      transport: CurlTransport(world: world, version: "0.0.0"), world: world,
      policy: HTTPClient.Policy(retries: 0, jobs: 4))
    let added = try Mailbox<String>()
    var isFirst = true
    var worker: WorkerThread?
    struct Done: Error {}
    #expect(throws: Done.self) {
      try client.send(
        from: {
          if isFirst {
            isFirst = false
            return .next(Request(.get, try server.url("/hang")))
          }
          if worker == nil { worker = try WorkerThread.start { added.send("/quick") } }
          return try added.receive().map { .next(Request(.get, try server.url($0))) } ?? .none()
        }, wake: added.descriptor
      ) { index, result in
        #expect(index == 1)
        #expect(try result.get().status == 200)
        throw Done()
      }
    }
    worker?.join()
  }
}
