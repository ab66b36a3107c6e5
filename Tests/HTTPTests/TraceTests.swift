import HTTP
import Support
import Testing
import Text

/// The lines that `--verbose` shows: all events, and no credentials.
@Suite struct TraceTests {
  let clock = FakeClock()

  func lines(_ requests: [Request], _ transport: ScriptedTransport, many: Bool = false) -> [String] {
    let client = HTTPClient(
      transport: transport, world: makeWorld(clock: clock, random: 255), policy: HTTPClient.Policy(jobs: 1))
    var lines: [String] = []
    client.trace = { lines.append($0) }
    transport.whileWaiting = { clock.sleep(for: .milliseconds(35)) }
    if many { _ = try? client.send(requests) { _, _ in } } else { _ = try? client.send(requests[0]) }
    return lines
  }

  func request() throws -> Request {
    let token = try #require(Secret(parsing: "e1hM0123456789abcdefghij4aTz"))
    let url = try WebURL(parsing: "https://h/v2/me?a=1").with([
      QueryItem("user_token", token.revealed, isSecret: true)
    ])
    return Request(
      .post, url, headers: [Header("Authorization", prefix: "Bearer ", secret: token), Header("X-Plain", "text")],
      body: Array("e1hM0123456789abcdefghij4aTz".utf8), isRepeatable: true)
  }

  @Test func tracesRetryAndRedirect() throws {
    let transport = ScriptedTransport(
      Response(status: 503), Response(status: 307, headers: [HeaderField("Location", "/other")]),
      Response(status: 200, headers: [HeaderField("Content-Type", "application/json")], body: [1, 2, 3]),
      clock: clock)
    let head = ["> Authorization: Bearer e1hM…4aTz", "> X-Plain: text"]
    #expect(
      lines([try request()], transport) == ["> POST https://h/v2/me?a=1&user_token=…"] + head + [
        "< 503 0 bytes 35 ms", "retry 1 in 0.5 s: 503", "> POST https://h/v2/me?a=1&user_token=…",
      ] + head + ["< 307 0 bytes 35 ms", "redirect on the same host", "> POST https://h/other"] + head + [
        "< 200 application/json 3 bytes 35 ms"
      ])
  }

  /// A response with new credentials may repeat them in its header. A known credential is masked before a long line is
  /// cut.
  @Test func credentialsInAContentTypeAreMasked() throws {
    var request = Request(.post, try WebURL(parsing: "https://h/token"), body: Array("refresh_token=r-123456".utf8))
    request.bodySecrets = [Secret(word: "r-123456")]
    let body = Array(#"{"access_token":"a-new","nested":{"refresh_token":"r-new"}}"#.utf8)
    for (type, shown) in [
      ("text/a-new; r-new, r-123456", "text/…; …, …"), (String(repeating: "x", count: 75) + "r-123456", nil),
    ] {
      let response = Response(status: 200, headers: [HeaderField("Content-Type", type)], body: body)
      let line = try #require(lines([request], ScriptedTransport(response, clock: clock)).last)
      #expect(
        line.hasPrefix("< 200 \(shown ?? String(repeating: "x", count: 75) + "…") \(body.count) bytes"), "\(line)")
    }
  }

  @Test func repeatedCredentialsAreMasked() throws {
    var request = try request()
    request.method = .get
    request.body = nil
    let there = HeaderField("Location", "/e1hM0123456789abcdefghij4aTz")
    let transport = ScriptedTransport(
      answers: [
        { _ in .success(Response(status: 302, headers: [there])) },
        { _ in
          .failure(
            TransportError(kind: .tls, message: "no e1hM0123456789abcdefghij4aTz \u{1b}[2J", mayHaveArrived: false))
        },
      ])
    #expect(
      lines([request], transport).suffix(5) == [
        "redirect on the same host", "> GET https://h/e1hM…4aTz", "> Authorization: Bearer e1hM…4aTz",
        "> X-Plain: text", "< failed: no e1hM…4aTz \u{FFFD}[2J, 35 ms",
      ])
  }

  /// A server that issued a credential may repeat it even if the request does not contain it.
  @Test func credentialsNotInRequestAreMasked() throws {
    let key = try #require(Secret(parsing: "service-key-0123456789-abcd"))
    let words = "no \(key.revealed), c2VydmljZS1rZXktMDEyMzQ1Njc4OS1hYmNk"
    let there = HeaderField("Location", "http://\(key.revealed).example/")
    let transport = ScriptedTransport(
      answers: [
        { _ in .failure(TransportError(kind: .tls, message: words, mayHaveArrived: false)) },
        { _ in .success(Response(status: 302, headers: [there])) },
      ])
    let client = HTTPClient(transport: transport, world: makeWorld(clock: clock), policy: HTTPClient.Policy())
    client.otherSecrets = { [key] }
    var shown: [String] = []
    client.trace = { shown.append($0) }
    let request = Request(.get, try WebURL(parsing: "https://h/"))
    for _ in 0..<2 {
      do { _ = try client.send(request) } catch {
        shown.append("\(error)")
      }
    }
    for line in shown { #expect(!line.contains("0123456789") && !line.contains("MDEyMzQ1Njc4")) }
    #expect(shown.contains("< failed: no serv…abcd, serv…abcd, 0 ms"))
  }

  @Test func numberIdentifiesRequestInABatch() throws {
    let url = try WebURL(parsing: "https://h")
    let requests = [Request(.get, url.appending("a")), Request(.get, url.appending("b"))]
    #expect(
      lines(requests, ScriptedTransport(Response(status: 200), Response(status: 204)), many: true) == [
        "#1 > GET https://h/a", "#1 < 200 0 bytes 35 ms", "#2 > GET https://h/b", "#2 < 204 0 bytes 35 ms",
      ])
  }
}
