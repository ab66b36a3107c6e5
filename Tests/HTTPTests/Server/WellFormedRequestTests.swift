import HTTP
import Support
import Testing

/// Connections on which the client and the server follow the rules of HTTP.
@Suite struct WellFormedRequestTests {
  @Test func connectionStaysOpenUntilClientClosesIt() throws {
    let client = try Served().client()
    for path in ["/one", "/two?x=%20"] {
      client.send(get(path))
      #expect(client.read(until: " \n") == answer("GET \(path) \n"))
    }
    client.endOutput()
    #expect(client.readToEnd() == ("", .closed))
  }

  @Test func pipelinedRequestsAreAnsweredInOrder() throws {
    let served = try Served()
    // The first takes a while, and no later one overtakes it.
    let said = try served.say(
      get("/late") + get("/two") + "POST /three HTTP/1.1\r\nHost: [::1]:80\r\n"
        + "Content-Length: 3\r\n\r\nabc" + get("/four", closing: true) + get("/never"))
    #expect(
      said.text == answer("GET /late \n") + answer("GET /two \n") + answer("POST /three abc\n")
        + answer("GET /four \n", closing: true))
    #expect(said.end == .closed)
  }

  @Test func manyPipelinedRequestsAreAnswered() throws {
    let paths = (1...2000).map { "/\($0)" }
    let said = try Served().say(paths.map { get($0) }.joined() + get("/end", closing: true))
    #expect(said.text == paths.map { answer("GET \($0) \n") }.joined() + answer("GET /end \n", closing: true))
  }

  @Test func clientThatClosesItsOutputGetsResponses() throws {
    let client = try Served().client()
    client.send(get("/late") + get("/two"))
    client.endOutput()
    #expect(client.readToEnd().text.contains("GET /late \n"))
  }

  @Test func headRequestGetsLengthWithoutBody() throws {
    let said = try Served().say("HEAD /a HTTP/1.1\r\nHost: localhost\r\n\r\n" + get("/b", closing: true))
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 9\r\n\r\n"
    #expect(said.text == head + answer("GET /b \n", closing: true))
  }

  @Test func waitingClientGets100Continue() throws {
    let client = try Served().client()
    client.send("POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
    #expect(client.read(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
    client.send("hi")
    #expect(client.read(until: "hi\n") == answer("POST /a hi\n"))
  }

  @Test func chunkedRequestsAreParsed() throws {
    let served = try Served()
    let head = "POST /a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    let said = try served.say(head + "2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\nTrailer: t\r\n\r\n")
    #expect(said.text == answer("POST /a hello\n", closing: true))
  }

  @Test func acceptsHTTP10AndAbsoluteURLs() throws {
    let served = try Served()
    #expect(try served.say("GET /a HTTP/1.0\r\n\r\n").text == answer("GET /a \n", closing: true))
    #expect(
      try served.say("GET http://127.0.0.1:99/a?b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").text
        == answer("GET /a?b \n", closing: true))
  }

  @Test func responseWithoutABodyHasNoLength() throws {
    let said = try Served().say(get("/empty", closing: true))
    #expect(said.text == "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
  }

  @Test(.enabled(if: IPv6.isThere, Comment(rawValue: IPv6.requirement))) func listensOnIPv6Loopback() throws {
    let served = try Served { $0.address = LoopbackAddress(.v6, port: 0) }
    #expect(served.server.address.url.hasPrefix("http://[::1]:"))
  }

  @Test func loopbackHasTwoAddresses() {
    #expect(LoopbackAddress.Host.allCases.map(\.rawValue) == ["127.0.0.1", "::1"])
  }

  @Test func portInUseIsReported() throws {
    let served = try Served()
    let error = #expect(throws: ListenerError.self) { try Served { $0.address.port = served.server.address.port } }
    #expect(error?.isAddressInUse == true)
  }

  /// Swift takes a slash and a combining character after it for one character; HTTP does not.
  @Test func aSlashBeforeACombiningCharacterBeginsThePath() throws {
    let read = try #require(RequestTarget.read("http://localhost:80/\u{301}a?b"))
    #expect(read.authority == "localhost:80")
    #expect(read.target.utf8.elementsEqual("/\u{301}a?b".utf8))
  }
}
