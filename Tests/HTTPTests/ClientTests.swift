import HTTP
import Support
import Testing
import Text
import World

/// Single requests over a scripted transport, with a clock that advances only when slept on.
@Suite struct ClientTests {
  let clock = FakeClock()
  let url: WebURL
  init() throws { url = try WebURL(parsing: "https://connect.ifttt.com/v2/me") }

  func client(_ transport: ScriptedTransport, retries: Int = 3, random: UInt8 = 255) -> HTTPClient {
    HTTPClient(
      transport: transport, world: makeWorld(clock: clock, random: random),
      policy: HTTPClient.Policy(timeout: .seconds(30), retries: retries))
  }

  func failed(_ kind: TransportError.Kind, arrived: Bool) -> ScriptedTransport.Answer {
    { _ in .failure(TransportError(kind: kind, message: "words", mayHaveArrived: arrived)) }
  }

  @Test func responseIsReturned() throws {
    let transport = ScriptedTransport(Response(status: 404, body: [1, 2]))
    #expect(try client(transport).send(Request(.get, url)) == Response(status: 404, body: [1, 2]))
    #expect(transport.requests == [Request(.get, url)])
    #expect(transport.limits == [.seconds(30)])
  }

  @Test func timeoutCoversAllAttempts() throws {
    let transport = ScriptedTransport(
      Response(status: 503), Response(status: 429, headers: [HeaderField("Retry-After", "7")]),
      Response(status: 200), clock: clock)
    #expect(try client(transport, random: 0).send(Request(.get, url)).status == 200)
    #expect(transport.limits == [.seconds(30), .seconds(30), .seconds(23)])
    #expect(clock.monotonic() == .seconds(7))
  }

  @Test func lastResponseIsReturned() throws {
    let transport = ScriptedTransport(
      Response(status: 503), Response(status: 503), Response(status: 502, body: [9]), clock: clock)
    #expect(try client(transport, retries: 2).send(Request(.get, url)) == Response(status: 502, body: [9]))
    // With the longest jitter: half a second, then one.
    #expect(clock.monotonic() > .milliseconds(1499) && clock.monotonic() < .milliseconds(1500))
  }

  @Test func lastFailureIsThrown() throws {
    let transport = ScriptedTransport(
      answers: [failed(.connect, arrived: false), failed(.broken, arrived: true)], clock: clock)
    let expected = HTTPError.transport(
      TransportError(kind: .broken, message: "words", mayHaveArrived: true), tries: 2,
      origin: "https://connect.ifttt.com")
    #expect(throws: expected) { try client(transport, retries: 1).send(Request(.get, url)) }
  }

  @Test func nonIdempotentRequestIsRetriedOnlyUntilItMayHaveArrived() throws {
    let transport = ScriptedTransport(
      answers: [
        failed(.resolve, arrived: false), failed(.connect, arrived: false), failed(.broken, arrived: true),
      ], clock: clock)
    #expect(throws: HTTPError.self) { try client(transport, retries: 9).send(Request(.post, url)) }
    #expect(transport.requests.count == 3)
  }

  @Test func secretsInFailuresAreMasked() throws {
    let secret = try #require(Secret(parsing: "hunter2-hunter2"))
    let transport = ScriptedTransport(answers: [
      { _ in .failure(TransportError(kind: .tls, message: "at hunter2-hunter2!", mayHaveArrived: false)) }
    ])
    let expected = TransportError(kind: .tls, message: "at …!", mayHaveArrived: false)
    #expect(throws: HTTPError.transport(expected, tries: 1, origin: "https://connect.ifttt.com")) {
      try client(transport).send(Request(.get, url, headers: [Header("X", secret: secret)]))
    }
  }

  @Test func redirectDoesNotCountAsAttempt() throws {
    let location = HeaderField("Location", "/v2/you")
    let transport = ScriptedTransport(
      Response(status: 307, headers: [location]), Response(status: 503), Response(status: 200), clock: clock)
    #expect(try client(transport, retries: 1).send(Request(.get, url)).status == 200)
    #expect(transport.requests.map(\.url.path) == ["/v2/me", "/v2/you", "/v2/you"])
  }

  @Test func offlineFailsImmediately() throws {
    let client = HTTPClient(
      transport: OfflineTransport(world: makeWorld(clock: clock)), world: makeWorld(clock: clock),
      policy: HTTPClient.Policy())
    let failure = #expect(throws: HTTPError.self) { try client.send(Request(.get, url)) }
    guard case .transport(let problem, tries: 1, origin: "https://connect.ifttt.com") = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(problem.kind == .offline)
    #expect(!problem.mayHaveArrived)
    #expect(clock.monotonic() == .zero)
  }
}
