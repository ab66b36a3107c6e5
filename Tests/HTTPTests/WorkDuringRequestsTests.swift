import HTTP
import Support
import Testing
import World

/// Other work that runs while requests are in flight.
@Suite struct WorkDuringRequestsTests {
  private let clock = FakeClock()

  /// Sends one request that takes a second.
  /// - Returns: the times at which `work` was called.
  private func times(_ work: (_ call: Int) -> Duration?) throws -> [Duration] {
    let client = HTTPClient(
      transport: SlowRequestFeedbackTests.SlowTransport(clock, .seconds(1)), world: makeWorld(clock: clock),
      policy: HTTPClient.Policy())
    var times: [Duration] = []
    try client.send(
      [Request(.get, try WebURL(parsing: "https://h/x"))],
      meanwhile: {
        times.append(clock.monotonic())
        return work(times.count)
      }, each: { _, _ in })
    #expect(clock.monotonic() == .seconds(1))
    return times
  }

  @Test func isCalledAtRequestedTimes() throws {
    #expect(
      try times { _ in .milliseconds(300) } == [.zero, .milliseconds(300), .milliseconds(600), .milliseconds(900)])
  }

  @Test func isNotCalledAgainOnceDone() throws {
    #expect(try times { $0 == 1 ? .milliseconds(300) : nil } == [.zero, .milliseconds(300)])
  }

  @Test func errorThrownByWorkEndsRun() throws {
    struct Stop: Error {}
    let transport = ScriptedTransport(Response(status: 200), Response(status: 200))
    let client = HTTPClient(transport: transport, world: makeWorld(clock: clock), policy: HTTPClient.Policy(jobs: 2))
    let request = Request(.get, try WebURL(parsing: "https://h/x"))
    var (calls, results) = (0, 0)
    #expect(throws: Stop.self) {
      try client.send(
        [request, request],
        meanwhile: {
          calls += 1
          if calls == 2 { throw Stop() }
          return nil
        }, each: { _, _ in results += 1 })
    }
    #expect(results == 1)
    #expect(transport.cancelled.count == 1)
  }
}
