import HTTP
import Testing

/// Replies with injected faults, and servers that are closed meanwhile.
@Suite struct DeliveryTests {
  @Test func resetInsteadOfAResponse() throws {
    #expect(try Served().say(get("/reset")) == ("", .reset))
  }

  @Test func resetInBody() throws {
    let said = try Served().say(get("/reset-in-body"))
    #expect(said.end == .reset)
    #expect(answer("GET /reset-in-body \n").hasPrefix(said.text))
  }

  @Test func truncatedBody() throws {
    let whole = answer("GET /cut \n")
    #expect(try Served().say(get("/cut")) == (String(whole.dropLast(6)), .closed))
  }

  @Test func drippingBodyIsComplete() throws {
    let client = try Served().client()
    client.send(get("/drip") + get("/next", closing: true))
    #expect(client.readToEnd().text == answer("GET /drip \n") + answer("GET /next \n", closing: true))
  }

  @Test func chunkedBody() throws {
    let said = try Served().say(get("/chunked", closing: true)).text
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nTransfer-Encoding: chunked\r\n"
    let chunks = "Connection: close\r\n\r\n1;part=first\r\nG\r\n2\r\nET\r\n3\r\n /c\r\n4\r\nhunk\r\n4\r\ned \n\r\n"
    #expect(said == head + chunks + "0\r\n\r\n")
    let trailed = try Served().say(get("/trailer", closing: true)).text
    #expect(
      trailed == head
        + chunks.replacing("/c", with: "/t").replacing("hunk", with: "rail").replacing("ed \n", with: "er \n")
        + "0\r\nX-Trailer: ignored\r\n\r\n")
  }

  @Test func paddingCountsAsBody() throws {
    let said = try Served().say(get("/padded", closing: true)).text
    #expect(
      said.contains("Content-Length: \(13 + 3 << 20)\r\n") || said.contains("Content-Length: \((3 << 20) + 13)\r\n"))
    #expect(said.utf8.count > 3 << 20 && said.hasSuffix("\n" + String(repeating: " ", count: 3 << 20)))
  }

  @Test func closingLetsRequestsInFlightFinish() throws {
    let served = try Served()
    let client = try served.client()
    let idle = try served.client()
    idle.send(get("/a"))
    #expect(idle.read(until: " \n") == answer("GET /a \n"))
    client.send(get("/drip") + get("/second"))
    #expect(client.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 OK\r\n"))
    served.server.close()
    #expect(client.readToEnd() == ("GET /drip \n", .closed))
    #expect(idle.readToEnd() == ("", .closed))
    #expect(throws: RawClient.Failure.self) { try served.client() }
  }
}
