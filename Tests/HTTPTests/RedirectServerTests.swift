import HTTP
import Testing
import Text

/// Redirects of a real server, checked with the recorded requests of both hosts.
@Suite struct RedirectServerTests {
  let server: Server
  let secret: Secret

  init() throws {
    server = try Server("faults.py")
    secret = try #require(Secret(parsing: "a-token-of-some-length"))
  }

  func request(_ method: Method = .get, _ path: String) throws -> Request {
    let headers = [Header("Authorization", prefix: "Bearer ", secret: secret), Header("X-Plain", "stays")]
    let url = try server.url(path).with([QueryItem("user_token", secret.revealed, isSecret: true)])
    return Request(method, url, headers: headers)
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func credentialsAreNotSentToAnotherHost(_ status: Int) throws {
    let response = try exchange(try request(.get, "/redirect/\(status)?http://localhost:\(server.port)/there?a=b"))
    #expect(response.text == #"{"ok":true}"#)
    let records = try server.records()
    #expect(records.count == 2)
    #expect(records[0].header("Authorization") == "Bearer a-token-of-some-length")
    // The server uses the whole query as the new URL, so the token is repeated in it.
    #expect(records[1].requestLine == "GET /there?a=b HTTP/1.1")
    #expect(records[1].header("Host") == "localhost:\(server.port)")
    #expect(records[1].header("X-Plain") == "stays")
    #expect(!records[1].head.contains("a-token"))
  }

  @Test func credentialsAreSentToSameHost() throws {
    _ = try exchange(try request(.get, "/redirect/302?/there"))
    let records = try server.records()
    #expect(records.count == 2)
    #expect(records[1].header("Authorization") == "Bearer a-token-of-some-length")
    #expect(records[1].header("Host") == "127.0.0.1:\(server.port)")
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func redirectedWriteIsNotSent(_ status: Int) throws {
    let request = try request(.post, "/redirect/\(status)?/there")
    #expect(throws: HTTPError.self) { try exchange(request) }
    #expect(try server.records().count == 1)
  }

  @Test func redirectLoopEnds() throws {
    let request = try request(.get, "/loop")
    let origin = request.url.origin
    #expect(throws: HTTPError.redirect("\(origin) redirects more than 5 times in a row")) { try exchange(request) }
    #expect(try server.records().count == 6)
  }

  @Test func rejectsRedirectToPlainHTTPElsewhere() throws {
    let request = try request(.get, "/redirect/302?http://service.example/")
    #expect(throws: HTTPError.self) { try exchange(request) }
    #expect(try server.records().count == 1)
  }
}
