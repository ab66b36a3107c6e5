import HTTP
import Testing

/// Replies whose bodies continue until a side ends the connection.
@Suite struct StreamTests {
  @Test func piecesArriveAsTheyAreMade() throws {
    let client = try Served().client()
    client.send(get("/stream"))
    let head = client.read(until: "\r\n\r\n")
    #expect(head.contains("\r\nTransfer-Encoding: chunked\r\n") && !head.contains("Content-Length"))
    #expect(client.read(until: "piece 5\n\r\n") == "8\r\npiece 1\n\r\n8\r\npiece 3\n\r\n8\r\npiece 5\n\r\n")
  }

  @Test func otherClientsAreServedMeanwhile() throws {
    let served = try Served()
    let client = try served.client()
    client.send(get("/stream"))
    _ = client.read(until: "piece 1\n")
    #expect(try served.status(get("/a", closing: true)) == 200)
    _ = client.read(until: "piece 9\n")
  }

  @Test func closingTheServerEndsTheBodyInOrder() throws {
    let served = try Served()
    let client = try served.client()
    client.send(get("/stream"))
    _ = client.read(until: "piece 1\n")
    served.server.close()
    let rest = client.readToEnd()
    #expect(rest.text.hasSuffix("\r\n0\r\n\r\n") && rest.end == .closed)
  }

  @Test func slowClientNeedsNoMemory() async throws {
    let served = try Served()
    let client = try served.client()
    client.send(get("/flood"))
    _ = client.read(until: "\r\n\r\n")
    var last = -1
    // Once the buffers of the system are full, the server asks for no more.
    while case let count = served.pieces.now, count != last {
      last = count
      try await Task.sleep(for: .milliseconds(300))
    }
    #expect(last < 500)
    #expect(try served.status(get("/a", closing: true)) == 200)
  }

  @Test func clientThatLeavesEndsIt() async throws {
    let served = try Served()
    do {
      let client = try served.client()
      client.send(get("/flood"))
      _ = client.read(until: "\r\n\r\n")
    }
    try await Task.sleep(for: .milliseconds(200))
    let left = served.pieces.now
    try await Task.sleep(for: .milliseconds(200))
    #expect(left > 0 && served.pieces.now == left)
  }
}
