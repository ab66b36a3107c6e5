import HTTP
import Support
import Testing
import World

/// The maximum rate of requests, as a server sees it.
@Suite struct RateLimitTests {
  /// A server whose requests take any time, arrive at any moment in that time, and end in any order.
  private final class JitteryServer: Transport {
    private let clock: FakeClock
    private var random: any RandomNumberGenerator
    private var inFlight: [(ticket: Int, end: Duration, result: Response)] = []
    private var answers: [Response]
    private(set) var arrivals: [Duration] = []
    private(set) var starts: [Duration] = []

    init(_ clock: FakeClock, seed: UInt64, answers: [Response] = []) {
      (self.clock, random, self.answers) = (clock, SeededGenerator(seed: seed), answers)
    }

    func start(_ request: Request, as ticket: Int, limit: Duration) {
      let latency = Duration.milliseconds(Int.random(in: 0...900, using: &random))
      starts.append(clock.monotonic())
      arrivals.append(clock.monotonic() + latency * Double.random(in: 0...1, using: &random))
      inFlight.append(
        (ticket, clock.monotonic() + latency, answers.isEmpty ? Response(status: 200) : answers.removeFirst()))
    }

    func wait(atMost limit: Duration, orReadable descriptor: Int32) -> [TransportResult] {
      guard let first = inFlight.min(by: { $0.end < $1.end }), first.end <= clock.monotonic() + limit else {
        clock.sleep(for: limit)
        return []
      }
      clock.sleep(for: max(.zero, first.end - clock.monotonic()))
      inFlight.removeAll { $0.ticket == first.ticket }
      return [TransportResult(ticket: first.ticket, result: .success(first.result))]
    }

    func cancel(_ ticket: Int) { inFlight.removeAll { $0.ticket == ticket } }
  }

  private func run(
    _ count: Int, _ rate: RateLimit?, jobs: Int, seed: UInt64, answers: [Response] = [],
    timeout: Duration = .seconds(30)
  ) throws -> (server: JitteryServer, statuses: [Int], clock: FakeClock) {
    let clock = FakeClock()
    let server = JitteryServer(clock, seed: seed, answers: answers)
    let client = HTTPClient(
      transport: server, world: makeWorld(clock: clock), policy: .init(timeout: timeout, retries: 3, jobs: jobs))
    client.rate = rate
    let url = try WebURL(parsing: "https://connect.ifttt.com/v2/me")
    var statuses: [Int] = []
    try client.send((0..<count).map { _ in Request(.get, url) }) { _, result in statuses.append(try result.get().status)
    }
    return (server, statuses, clock)
  }

  @Test(arguments: [1, 2, 3, 7, 50], [1, 3, 16, 200])
  func noPeriodHasMoreArrivals(_ limit: Int, _ jobs: Int) throws {
    for seed in 1...5 as ClosedRange<UInt64> {
      let (server, statuses, _) = try run(150, RateLimit(limit, per: .seconds(1)), jobs: jobs, seed: seed)
      #expect(statuses.count == 150)
      let times = server.arrivals.sorted()
      for (first, last) in zip(times, times.dropFirst(limit)) { #expect(last - first >= .seconds(1)) }
    }
  }

  @Test func retriesAndRedirectsCount() throws {
    let redirect = Response(status: 302, headers: [HeaderField("Location", "/v2/me?again=1")])
    let answers = (0..<40).map { $0 % 4 == 0 ? Response(status: 503) : $0 % 4 == 1 ? redirect : Response(status: 200) }
    let (server, statuses, _) = try run(60, RateLimit(5, per: .seconds(1)), jobs: 16, seed: 9, answers: answers)
    #expect(statuses == Array(repeating: 200, count: 60))
    #expect(server.arrivals.count == 80)
    let times = server.arrivals.sorted()
    for (first, last) in zip(times, times.dropFirst(5)) { #expect(last - first >= .seconds(1)) }
  }

  @Test func aPeriodMayBeAMinute() throws {
    let (server, _, _) = try run(7, RateLimit(3, per: .seconds(60)), jobs: 16, seed: 4, timeout: .seconds(10))
    let times = server.arrivals.sorted()
    for (first, last) in zip(times, times.dropFirst(3)) { #expect(last - first >= .seconds(60)) }
  }

  /// The time that the limit adds to a retry does not count towards the request's timeout.
  @Test func aRetryThatWaitsForTheRateDoesNotTimeOut() throws {
    let (server, statuses, _) = try run(
      1, RateLimit(1, per: .seconds(60)), jobs: 1, seed: 4, answers: [Response(status: 503)], timeout: .seconds(5))
    #expect(statuses == [200])
    #expect(server.starts[1] >= .seconds(60))
  }

  @Test func a429PausesAllRequests() throws {
    let limited = Response(status: 429, headers: [HeaderField("Retry-After", "90")])
    let (server, statuses, _) = try run(40, RateLimit(4, per: .seconds(1)), jobs: 8, seed: 2, answers: [limited])
    #expect(statuses == Array(repeating: 200, count: 40), "the pause exceeds the timeout, which it does not count to")
    // Requests that were in flight when the response arrived are not affected.
    let paused = server.starts.filter { $0 >= .seconds(1) && $0 < .seconds(90) }
    #expect(paused.isEmpty)
    #expect(server.starts.count == 41)
  }

  @Test func withoutARateNothingWaits() throws {
    let (server, _, _) = try run(40, nil, jobs: 40, seed: 2)
    #expect(server.starts.allSatisfy { $0 == .zero })
  }

  @Test func withoutARateOnlyTheLimitedRequestPauses() throws {
    let limited = Response(status: 429, headers: [HeaderField("Retry-After", "9")])
    let (server, _, _) = try run(10, nil, jobs: 2, seed: 2, answers: [limited])
    #expect(server.starts.filter { $0 < .seconds(9) }.count == 10)
  }
}
