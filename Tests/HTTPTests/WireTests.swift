import HTTP
import Testing
import Text

/// The bytes that are sent, as recorded by a server.
@Suite struct WireTests {
  let server: Server

  init() throws { server = try Server("faults.py") }

  func record(_ request: Request) throws -> Server.Record {
    #expect(try exchange(request).status == 200)
    return try #require(try server.records().last)
  }

  func names(_ record: Server.Record) -> [String] {
    record.lines.dropFirst().map { String($0.prefix { $0 != ":" }) }
  }

  @Test func plainGet() throws {
    let record = try record(Request(.get, try server.url("/v2/me")))
    #expect(record.requestLine == "GET /v2/me HTTP/1.1")
    #expect(names(record) == ["Host", "User-Agent", "Accept-Encoding", "Accept"])
    #expect(record.header("Host") == "127.0.0.1:\(server.port)")
    #expect(record.header("User-Agent") == "ifttt/0.0.0")
    #expect(record.header("Accept") == "application/json")
    #expect(try #require(record.header("Accept-Encoding")).contains("gzip"))
  }

  @Test func headersAreSentUnchanged() throws {
    let token = try #require(Secret(parsing: "a-token-of-some-length"))
    let headers = [
      Header("Authorization", prefix: "Bearer ", secret: token), Header("accept", "text/plain"),
      Header("X-Empty", ""), Header("X-Text", "é; a=\"b\""),
    ]
    let record = try record(Request(.get, try server.url("/"), headers: headers))
    #expect(record.header("Authorization") == "Bearer a-token-of-some-length")
    #expect(record.lines.contains("accept: text/plain"))
    #expect(record.lines.contains("X-Empty:"))
    #expect(record.header("X-Text") == String(decoding: "é".utf8.map { UInt16($0) }, as: UTF16.self) + "; a=\"b\"")
    #expect(!record.lines.contains("Accept: application/json"))
  }

  @Test func pathAndQueryArePercentEncoded() throws {
    let url = try server.url("/v2/").appending("connections", "a b/c+d?é", "..", ".")
      .with([QueryItem("user id", "a b+c&d=é~"), QueryItem("e", "", isSecret: true)])
    #expect(
      try record(Request(.get, url)).requestLine
        == "GET /v2/connections/a%20b%2Fc%2Bd%3F%C3%A9/%2E%2E/%2E?user%20id=a%20b%2Bc%26d%3D%C3%A9~&e= HTTP/1.1")
  }

  @Test func parsedTextIsSentUnchanged() throws {
    let record = try record(Request(.get, try server.url("/a;b='c'/%7e?x=1,2&&flag&y=a+b%20c")))
    #expect(record.requestLine == "GET /a;b='c'/%7e?x=1,2&&flag&y=a+b%20c HTTP/1.1")
  }

  @Test(arguments: [Method.post, .put, .patch])
  func emptyBodyHasALengthButNoType(_ method: Method) throws {
    for body in [nil, []] as [[UInt8]?] {
      let record = try record(Request(method, try server.url("/enable"), body: body))
      #expect(record.requestLine == "\(method.rawValue) /enable HTTP/1.1")
      #expect(record.header("Content-Length") == "0")
      #expect(names(record) == ["Host", "User-Agent", "Accept-Encoding", "Accept", "Content-Length"])
    }
  }

  @Test func contentTypeIsSentIfSet() throws {
    let headers = [Header("Content-Type", "application/json")]
    let empty = try record(Request(.post, try server.url("/"), headers: headers))
    #expect(empty.header("Content-Type") == "application/json")
    #expect(empty.header("Content-Length") == "0")
  }

  @Test(arguments: Method.allCases)
  func methodIsSentUnchanged(_ method: Method) throws {
    let request = Request(method, try server.url("/"))
    #expect(try record(request).requestLine == "\(method.rawValue) / HTTP/1.1")
    #expect(try record(request).header("Transfer-Encoding") == nil)
  }

  private static let body = (0..<2_000_000).map { UInt8(truncatingIfNeeded: ($0 &* 7) >> 3) }

  @Test(arguments: [Method.get, .post, .put, .patch, .delete])
  func bodyIsSentCompletely(_ method: Method) throws {
    let record = try record(Request(method, try server.url("/"), body: Self.body))
    #expect(record.requestLine == "\(method.rawValue) / HTTP/1.1")
    #expect(record.header("Content-Length") == "2000000")
    #expect(record.header("Expect") == nil)
    #expect(record.header("Content-Type") == nil)
    #expect(record.hasBody(Self.body))
  }

  @Test func reusedHandleKeepsNothing() throws {
    let world = makeWorld()
    let client = HTTPClient(
      transport: CurlTransport(world: world, version: "0.0.0"), world: world, policy: HTTPClient.Policy())
    let secret = try #require(Secret(parsing: "secret"))
    _ = try client.send(
      Request(.put, try server.url("/"), headers: [Header("X-Key", secret: secret)], body: Array("body".utf8)))
    _ = try client.send(Request(.get, try server.url("/second")))
    let second = try #require(try server.records().last)
    #expect(second.connection == 1)
    #expect(names(second) == ["Host", "User-Agent", "Accept-Encoding", "Accept"])
  }

  @Test(arguments: [
    Header("X-Text", "one\r\nX-Other: two"), Header("X-Text", "nul\0"), Header("X: Y", "text"), Header("", "text"),
    Header("X\r\nY", "text"),
  ])
  func headerWithALineBreakIsNotSent(_ header: Header) throws {
    let failure = try failure(Request(.get, try server.url("/"), headers: [header])).failure
    #expect(failure.kind == .unsupported)
    #expect(try server.records().isEmpty)
  }
}
