import HTTP
import Testing

/// The client's behavior with a failing server, one injected fault at a time.
@Suite struct ServerFaultTests {
  let server: Server

  init() throws { server = try Server("faults.py") }

  func get(_ path: String) throws -> Request { Request(.get, try server.url(path)) }

  @Test func latencyIsNotAFailure() throws {
    #expect(try exchange(try get("/latency")).status == 200)
  }

  @Test(arguments: [500, 502, 503, 429, 404])
  func errorStatusIsAResponse(_ status: Int) throws {
    let response = try exchange(try get("/status/\(status)"))
    #expect(response.status == status)
    #expect(response.text == "{}")
  }

  @Test(arguments: [(502, 3), (503, 3), (504, 3), (429, 3), (500, 1)])
  func transientStatusIsRetried(_ status: Int, _ asked: Int) throws {
    let response = try exchange(try get("/flaky/2/\(status)"), retries: 3)
    #expect(response.status == (asked == 3 ? 200 : status))
    #expect(try server.records().count == asked)
  }

  @Test(arguments: ["/status/503/Retry-After/600", "/status/429/Retry-After/600"])
  func waitLongerThanTimeoutIsNotStarted(_ path: String) throws {
    let response = try exchange(try get(path), retries: 3)
    #expect(response.header("retry-after") == "600")
    #expect(try server.records().count == 1)
  }

  @Test func honorsRetryAfterDate() throws {
    let path = "/status/429/Retry-After/Fri,%2031%20Dec%209999%2023:59:59%20GMT"
    #expect(try exchange(try get(path), retries: 3).status == 429)
    #expect(try server.records().count == 1)
  }

  @Test(arguments: ["/reset-before", "/reset-in-body", "/truncated", "/cut"])
  func brokenConnectionIsRetriedThenReported(_ path: String) throws {
    let (failure, tries) = try failure(try get(path), retries: 2)
    #expect(failure.kind == .broken)
    #expect(failure.mayHaveArrived)
    #expect(tries == 3)
    #expect(try server.records().count == 3)
  }

  @Test(arguments: ["/reset-before", "/truncated"], [true, false])
  func nonIdempotentRequestThatMayHaveArrivedIsNotRetried(_ path: String, observesSending: Bool) throws {
    let (failure, tries) = try failure(
      Request(.post, try server.url(path)), retries: 2, observesSending: observesSending)
    #expect(failure.mayHaveArrived)
    #expect(tries == 1)
    #expect(try server.records().count == 1)
  }

  @Test(arguments: ["/drip", "/hang"])
  func slowResponseTimesOut(_ path: String) throws {
    let (failure, tries) = try failure(try get(path), timeout: .milliseconds(150), retries: 2)
    #expect(failure.kind == .timeout)
    #expect(failure.mayHaveArrived)
    #expect(tries == 1)
  }

  @Test(arguments: ["/gzip", "/chunked"])
  func encodedBodyIsDecodedCompletely(_ path: String) throws {
    let response = try exchange(try get(path))
    #expect(response.text == #"{"name":"value"}"#)
    #expect(response.header("X-Trailer") == nil)
  }

  @Test func interimResponseLeavesNoHeader() throws {
    let response = try exchange(try get("/interim"))
    #expect(response.status == 200)
    #expect(response.header("X-Early") == nil)
    #expect(response.header("x-late") == "two words")
  }

  @Test func bytesAreReturnedUnchanged() throws {
    #expect(
      try exchange(try get("/bytes")).body == Array(#"{"name":""#.utf8) + [0xff, 0xc3, 0x28] + Array(#""}"#.utf8))
    let page = try exchange(try get("/html"))
    #expect(page.status == 200)
    #expect(page.header("Content-Type") == "text/html")
    #expect(page.text == "<html>no</html>")
    let nothing = try exchange(try get("/empty"))
    #expect(nothing.status == 204)
    #expect(nothing.body.isEmpty)
  }

  @Test(arguments: ["/large", "/endless", "/bomb"])
  func rejectsLargeBody(_ path: String) throws {
    let (failure, tries) = try failure(try get(path), retries: 2)
    #expect(failure.kind == .tooLarge)
    #expect(tries == 1)
  }

  @Test func bodyLimitIsExact() throws {
    var limits = CurlTransport.Limits()
    limits.body = 11
    #expect(try exchange(try get("/fits"), limits: limits).text == #"{"ok":true}"#)
    limits.body = 10
    #expect(try failure(try get("/fits"), limits: limits).failure.kind == .tooLarge)
  }

  @Test func rejectsLongHeader() throws {
    let (failure, _) = try failure(try get("/long-header"))
    #expect(failure.kind == .tooLarge)
    #expect(failure.message == "the response's header is larger than 256 KiB")
  }

  /// libcurl accepts no line of more than 100 KB, and reports it as "out of memory".
  @Test func rejectsLongHeaderLine() throws {
    let (failure, tries) = try failure(try get("/long-line"), retries: 2)
    #expect(failure.kind == .tooLarge)
    #expect(failure.message.hasPrefix("a line of the response's header is too long"))
    #expect(tries == 1)
  }

  @Test func acceptsHeadOfALargeBody() throws {
    let response = try exchange(Request(.head, try server.url("/large")))
    #expect(response.status == 200)
    #expect(response.header("Content-Length") == "104857600")
  }

  @Test(arguments: ["/ancient", "/broken-gzip"])
  func malformedResponseIsABrokenConnection(_ path: String) throws {
    let (failure, _) = try failure(try get(path))
    #expect(failure.kind == .broken)
    #expect(failure.mayHaveArrived)
  }
}
