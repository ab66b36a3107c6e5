import HTTP
import Testing

/// Requests that are rejected: malformed, too large, too slow, or sent by a page from another site.
@Suite struct StrictnessTests {
  @Test(arguments: [
    "GARBAGE\r\n\r\n", "GET / HTTP/1.1\r\nHost: localhost\r\nBad Name: x\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
    "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
    "GET nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n", "GET ftp://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
  ])
  func rejectsMalformedRequestAndCloses(_ request: String) throws {
    #expect(try Served().status(request + get("/never")) == 400)
  }

  @Test(arguments: [
    "evil.test", "localhost.evil.test", "127.0.0.1.evil.test", "127.0.0.1@evil.test", "10.0.0.1", "128.0.0.1",
    "0.0.0.0", "127.1", "127.0.0.01", "127.0.0.256", "[::2]", "[::1", "[::1]x", "localhost:x", "localhost:123456",
    "", "localhost/", "2130706433",
  ])
  func rejectsHostsOtherThanThisMachine(_ host: String) throws {
    #expect(try Served().status("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n") == 421)
  }

  @Test(arguments: ["localhost", "LocalHost:1", "127.0.0.1", "127.0.0.1:65535", "127.9.8.7", "[::1]", "[::1]:8080"])
  func acceptsEveryNameOfThisMachine(_ host: String) throws {
    #expect(try Served().status("GET / HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n") == 200)
  }

  @Test func acceptsAnyHostIfTheSettingsSaySo() throws {
    let served = try Served { $0.acceptsAnyHost = true }
    #expect(try served.status("GET / HTTP/1.1\r\nHost: tunnel.test\r\nConnection: close\r\n\r\n") == 200)
    #expect(try served.status("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n") == 400)
  }

  @Test(arguments: ["ifttt", "IFTTT:8080", "a_b.test:1", "10.0.0.7", "[fd00::7]:8080", "[FD00:0:0::7]", "localhost"])
  func acceptsAllowedHosts(_ host: String) throws {
    let names = try HostName.list(parsing: "ifttt,A_b.test,10.0.0.7,fd00::7")
    let served = try Served { $0.allowedHosts = names }
    #expect(try served.status("GET / HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n") == 200)
  }

  @Test(arguments: [
    "x.ifttt", "ifttt.x", "ifttt.", "ifttt:x", "ifttt:123456", "ifttt@x", "10.0.0.8", "fd00::7", "[fd00::8]", "0.0.0.0",
    "ifttt\u{301}",
  ])
  func rejectsHostsThatAreNotAllowed(_ host: String) throws {
    let names = try HostName.list(parsing: "ifttt,10.0.0.7,fd00::7")
    let served = try Served { $0.allowedHosts = names }
    #expect(try served.status("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n") == 421)
  }

  @Test func aTargetForAnyHostIsExact() throws {
    let served = try Served { $0.targetsForAnyHost = ["/health"] }
    func status(_ target: String, host: String = "evil.test") throws -> Int? {
      try served.status("GET \(target) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
    }
    #expect(try status("/health") == 200)
    for target in ["/", "/health/", "/health?x", "/healthy", "/%68ealth", "http://localhost.evil.test/"] {
      #expect(try status(target) == 421, "\(target)")
    }
    #expect(try served.status("GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n") == 400)
  }

  @Test func rejectionsAreJSONIfTheSettingsSaySo() throws {
    let served = try Served { ($0.rejectsInJSON, $0.bodyLimit) = (true, 10) }
    let said = try served.say("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 11\r\n\r\n").text
    #expect(said.contains("\r\nContent-Type: application/json; charset=utf-8\r\n"))
    #expect(said.hasSuffix(#"{"errors":[{"message":"The body is longer than 10 bytes"}]}"#))
    let escaped = Reply.error(400, "a\"b\\c\u{1b}\n\u{e9}").body
    #expect(String(decoding: escaped, as: UTF8.self) == "{\"errors\":[{\"message\":\"a\\\"b\\\\c  \u{e9}\"}]}")
  }

  @Test func listensOnAnotherAddress() throws {
    let served = try Served { $0.interface = BindAddress(parsing: "0.0.0.0") }
    #expect(try served.status(get("/a", closing: true)) == 200)
  }

  @Test func rejectsAbsoluteURLOfAnotherHost() throws {
    #expect(try Served().status("GET http://evil.test/ HTTP/1.1\r\nHost: localhost\r\n\r\n") == 421)
  }

  @Test func rejectsOversizedFields() throws {
    let served = try Served()
    let long = String(repeating: "x", count: 40_000)
    #expect(try served.status("GET / HTTP/1.1\r\nHost: localhost\r\nA: \(long)\r\n\r\n") == 431)
    #expect(try served.status("GET /\(long) HTTP/1.1\r\nHost: localhost\r\n\r\n") == 431)
    let many = (1...200).map { "F\($0): x\r\n" }.joined()
    #expect(try served.status("GET / HTTP/1.1\r\nHost: localhost\r\n\(many)\r\n") == 431)
  }

  @Test func rejectsOversizedBodies() throws {
    let served = try Served { $0.bodyLimit = 10 }
    let head = "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    #expect(try served.status(head + "Content-Length: 11\r\nExpect: 100-continue\r\n\r\n") == 413)
    #expect(try served.status(head + "Content-Length: 99999999999999999999\r\n\r\n") == 400)
    #expect(try served.status(head + "Transfer-Encoding: chunked\r\n\r\nB\r\n12345678901\r\n0\r\n\r\n") == 413)
    #expect(try served.status(head + "Content-Length: 10\r\n\r\n1234567890") == 200)
  }

  @Test func rejectsOtherExpectations() throws {
    #expect(
      try Served().status("POST / HTTP/1.1\r\nHost: localhost\r\nExpect: wonders\r\nContent-Length: 1\r\n\r\n") == 417)
  }

  @Test func slowSendersTimeOut() throws {
    let served = try Served { ($0.requestTime, $0.idleTime) = (.milliseconds(100), .milliseconds(100)) }
    #expect(try served.status("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nab") == 408)
    #expect(try served.say("GET / HTTP/1.1\r\nHost: loc") == ("", .closed))
    #expect(try served.say("") == ("", .closed))
    #expect(try served.say(get("/a")).text == answer("GET /a \n"), "an idle connection ends too")
  }

  @Test func clientThatDoesNotReadDoesNotBlockClosing() throws {
    let served = try Served { ($0.idleTime, $0.replyTime) = (.milliseconds(100), .milliseconds(100)) }
    let client = try served.client()
    client.send(get("/padded"))
    #expect(client.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 OK\r\n"))
    served.server.close()
  }

  @Test(arguments: ["/big", "/big?closing"]) func slowReaderGetsCompleteReply(_ path: String) throws {
    let served = try Served { $0.idleTime = .milliseconds(50) }
    let client = try served.client()
    client.send(get(path, closing: path.hasSuffix("closing")))
    // More than the socket buffers hold: the rest stays in the server for longer than the idle time.
    #expect(client.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(try served.say("") == ("", .closed), "an idle connection that was opened later has ended")
    #expect(client.readToEnd() == (EchoResponder.big, .closed))
  }
}
