import HTTP
import Testing

/// Replies that become known later.
@Suite struct DeferredReplyTests {
  private func get(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" }

  @Test func clientWaitsAndConnectionIsClosed() throws {
    let served = try Served()
    let client = try served.client()
    client.send(get("/deferred"))
    // Other clients do not wait for it.
    #expect(try served.status("GET /a HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n") == 200)
    // New clients are rejected, and the waiting client stays connected.
    served.server.stopAccepting()
    EchoResponder.deferred.fulfill(.text(203, "at last"))
    let said = client.readToEnd()
    #expect(said.text.hasPrefix("HTTP/1.1 203 "))
    #expect(said.text.hasSuffix("\r\n\r\nat last\n"))
    #expect(said.text.contains("\r\nConnection: close\r\n"))
    #expect(said.end == .closed)
  }

  @Test func knownReplyIsSentAtOnceAndFirstCounts() throws {
    #expect(try Served().say(get("/known")).text.hasSuffix("first\n"))
  }

  @Test func standInIsSentAfterTimeLimit() throws {
    #expect(try Served().say(get("/never")).text.hasSuffix("time is up\n"))
  }

  @Test func connectionStaysOpenIfTheReplyKeepsIt() throws {
    let client = try Served().client()
    // The second request arrives while the first waits.
    client.send(get("/kept") + get("/kept"))
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 5\r\n\r\nkept\n"
    #expect(client.read(until: "kept\nHTTP") + client.read(until: "kept\n") == head + head)
    client.send(get("/kept"))
    #expect(client.read(until: "kept\n") == head)
    client.send("GET /kept HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    let last = client.readToEnd()
    #expect(last.text.contains("\r\nConnection: close\r\n") && last.end == .closed)
  }

  @Test func closingTheServerWaitsForTheReply() throws {
    let served = try Served()
    let client = try served.client()
    client.send(get("/kept"))
    served.server.close()
    let last = client.readToEnd()
    #expect(last.text.isEmpty || last.text.hasSuffix("kept\n"))
  }
}
