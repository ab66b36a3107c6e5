import HTTP
import Support
import Testing
import World

/// A slow request is reported, and so is its end.
@Suite struct SlowRequestFeedbackTests {
  /// A transport that delivers each result only after a delay.
  final class SlowTransport: Transport {
    private let clock: FakeClock
    private let time: Duration
    private var due: [(ticket: Int, at: Duration)] = []

    init(_ clock: FakeClock, _ time: Duration) { (self.clock, self.time) = (clock, time) }

    func start(_ request: Request, as ticket: Int, limit: Duration) { due.append((ticket, clock.monotonic() + time)) }

    func wait(atMost limit: Duration, orReadable descriptor: Int32) -> [TransportResult] {
      guard let next = due.first else { return [] }
      clock.sleep(for: min(limit, next.at - clock.monotonic()))
      guard clock.monotonic() >= next.at else { return [] }
      due.removeFirst()
      return [TransportResult(ticket: next.ticket, result: .success(Response(status: 200)))]
    }

    func cancel(_ ticket: Int) { due.removeAll { $0.ticket == ticket } }
  }

  private func events(_ time: Duration, of count: Int = 1) throws -> [String] {
    let clock = FakeClock()
    let client = HTTPClient(
      transport: SlowTransport(clock, time), world: makeWorld(clock: clock), policy: HTTPClient.Policy(jobs: 1))
    var events: [String] = []
    client.feedback = SlowRequestFeedback(
      waiting: { events.append("\($0) \($1.components.seconds)") }, ended: { events.append("ended") })
    let request = Request(.get, try WebURL(parsing: "https://h/x"))
    try client.send(Array(repeating: request, count: count)) { index, _ in events.append("got \(index)") }
    return events
  }

  @Test func fastRequestIsNotReported() throws {
    #expect(try events(.milliseconds(299), of: 2) == ["got 0", "got 1"])
  }

  @Test func slowRequestIsReportedSoonAndThenEachSecond() throws {
    #expect(
      try events(.milliseconds(2500), of: 2) == [
        "https://h 0", "https://h 1", "https://h 2", "ended", "got 0", "https://h 0", "https://h 1", "https://h 2",
        "ended", "got 1",
      ])
  }

  @Test func realTransportReturnsForFeedback() throws {
    let server = try Server("faults.py")
    let world = makeWorld()
    let client = HTTPClient(
      transport: CurlTransport(world: world, version: "0.0.0"), world: world, policy: HTTPClient.Policy())
    var events: [String] = []
    var feedback = SlowRequestFeedback(waiting: { _, _ in events.append("waiting") }, ended: { events.append("ended") })
    (feedback.delay, feedback.interval) = (.milliseconds(5), .milliseconds(5))
    client.feedback = feedback
    #expect(try client.send(Request(.get, try server.url("/latency"))).status == 200)
    #expect(events.count >= 2)
    #expect(events.dropLast().allSatisfy { $0 == "waiting" })
    #expect(events.last == "ended")
  }

  @Test func interruptionEndsFeedback() throws {
    let clock = FakeClock()
    let interruption = TestInterruption()
    let client = HTTPClient(
      transport: SlowTransport(clock, .seconds(9)), world: makeWorld(clock: clock, interruption: interruption),
      policy: HTTPClient.Policy())
    var isShown = false
    client.feedback = SlowRequestFeedback(
      waiting: { _, _ in
        isShown = true
        interruption.interrupt()
      }, ended: { isShown = false })
    let request = Request(.get, try WebURL(parsing: "https://h/x"))
    #expect(throws: HTTPError.interrupted) { try client.send(request) }
    #expect(!isShown)
    #expect(clock.monotonic() == .milliseconds(300))
  }
}
