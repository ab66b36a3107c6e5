import HTTP
import Support
import Testing
import Text
import World

/// Recording and replay as pure transports: one wraps another transport, the other replaces it.
@Suite struct ReplayTransportTests {
  private let clock = FakeClock()
  private let url: WebURL
  private let secret: Secret
  init() throws {
    url = try WebURL(parsing: "https://connect.ifttt.com/v2/me")
    secret = try #require(Secret(parsing: "a-user-token-of-some-length-7781"))
  }

  private func client(_ transport: any Transport, _ clock: any Clock, jobs: Int = 16) -> HTTPClient {
    HTTPClient(
      transport: transport, world: makeWorld(clock: clock, random: 200),
      policy: HTTPClient.Policy(timeout: .seconds(30), retries: 3, jobs: jobs))
  }

  private func request(_ path: String) -> Request {
    Request(.get, url.appending(path), headers: [Header("Authorization", prefix: "Bearer ", secret: secret)])
  }

  /// Many requests at once, some of them retried: the results, their order and the clock are identical.
  @Test(arguments: [1, 2, 7, 16]) func replayMatchesRecordedRun(jobs: Int) throws {
    var generator = SeededGenerator(seed: UInt64(jobs))
    let answers = (0..<60).map { index -> ScriptedTransport.Answer in
      let kind = Int.random(in: 0..<4, using: &generator)
      return { request in
        switch kind {
        case 0 where index < 40: .success(Response(status: 503, body: Array("busy \(index)".utf8)))
        case 1 where index < 40:
          .failure(TransportError(kind: .broken, message: "reset \(index)", mayHaveArrived: true))
        default: .success(Response(status: 200, body: Array("\(index) \(request.url.path)".utf8)))
        }
      }
    }
    let script = ScriptedTransport(
      answers: answers + Array(repeating: { _ in .success(Response(status: 200)) }, count: 90), clock: clock)
    let frozen = FrozenClock(following: clock)
    var exchanges: [RecordedExchange] = []
    let recorder = RecordingTransport(script, clock: frozen) { exchanges.append($0) }
    let requests = (0..<30).map { request("c\($0 % 25)") }
    let first = try run(client(recorder, frozen, jobs: jobs), requests, frozen)
    while !script.inFlight.isEmpty { _ = script.wait(atMost: .zero, orReadable: -1) }

    let read = try exchanges.map { try #require(RecordedExchange(parsing: $0.bytes)) }
    #expect(read == exchanges)
    let replayed = FrozenClock(from: clock.start)
    let transport = ReplayTransport(read, clock: replayed, world: makeWorld())
    #expect(try run(client(transport, replayed, jobs: jobs), requests, replayed) == first)
    #expect(transport.missing == [])
    #expect(transport.unused == 0)
    script.forget()
  }

  private func run(_ client: HTTPClient, _ requests: [Request], _ clock: FrozenClock) throws -> [String] {
    var lines: [String] = []
    try client.send(requests) { index, result in
      lines.append("\(index) at \(clock.now().milliseconds): \(result)")
    }
    return lines
  }

  @Test func replayDoesNotWait() throws {
    let busy = RecordedExchange(
      number: 1, request: .init(method: "GET", url: url.wire), result: .success(Response(status: 503)),
      endedAt: clock.start, startedAfter: .zero, endedAfter: .seconds(1))
    var done = busy
    (done.number, done.result) = (2, .success(Response(status: 200, body: [7])))
    let frozen = FrozenClock(from: clock.start)
    let transport = ReplayTransport([busy, done], clock: frozen, world: makeWorld())
    #expect(try client(transport, frozen).send(Request(.get, url)).body == [7])
    #expect(frozen.monotonic() > .seconds(1))
  }

  @Test func bodyDistinguishesRequests() throws {
    var exchanges: [RecordedExchange] = []
    let answers: [ScriptedTransport.Answer] = (0..<2).map { index in
      { _ in .success(Response(status: 200, body: [index])) }
    }
    let frozen = FrozenClock(following: clock)
    let recorder = RecordingTransport(ScriptedTransport(answers: answers), clock: frozen) { exchanges.append($0) }
    for body in ["one", "two"] { _ = try client(recorder, frozen).send(Request(.put, url, body: Array(body.utf8))) }
    let transport = ReplayTransport(exchanges, clock: FrozenClock(from: clock.start), world: makeWorld())
    #expect(try client(transport, frozen).send(Request(.put, url, body: Array("two".utf8))).body == [1])
    #expect(throws: HTTPError.self) { try client(transport, frozen).send(Request(.put, url, body: Array("two".utf8))) }
    #expect(transport.missing.count == 1)
    #expect(transport.unused == 1)
  }

  @Test func canceledExchangeIsRecordedWithoutResponse() throws {
    var exchanges: [RecordedExchange] = []
    let frozen = FrozenClock(following: clock)
    let recorder = RecordingTransport(
      ScriptedTransport(answers: [{ _ in .success(Response(status: 200)) }]), clock: frozen
    ) { exchanges.append($0) }
    recorder.start(Request(.get, url), as: 1, limit: .seconds(1))
    recorder.cancel(1)
    #expect(exchanges.map { $0.result == nil } == [true])
    let read = try #require(RecordedExchange(parsing: exchanges[0].bytes))
    #expect(read == exchanges[0])
    #expect(throws: HTTPError.self) {
      try client(ReplayTransport([read], clock: frozen, world: makeWorld()), frozen).send(Request(.get, url))
    }
  }
}
