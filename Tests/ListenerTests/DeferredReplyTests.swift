import Listener
import Testing

/// Replies that are known only later.
@Suite struct DeferredReplyTests {
  private func get(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" }

  @Test func theClientWaitsAndTheConnectionEnds() throws {
    let served = try Served()
    let client = try served.client()
    client.send(get("/held"))
    // Nobody else waits for it meanwhile.
    #expect(try served.status("GET /a HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n") == 200)
    // No new client gets in, and the one that waits keeps its place.
    served.server.stopAccepting()
    EchoSite.held.fulfil(.text(203, "at last"))
    let said = client.readToEnd()
    #expect(said.text.hasPrefix("HTTP/1.1 203 "))
    #expect(said.text.hasSuffix("\r\n\r\nat last\n"))
    #expect(said.text.contains("\r\nConnection: close\r\n"))
    #expect(said.ending == .closed)
  }

  @Test func whatIsKnownIsSentAtOnceAndTheFirstCounts() throws {
    #expect(try Served().say(get("/known")).text.hasSuffix("first\n"))
  }

  @Test func onceTheTimeIsUpTheStandInIsSent() throws {
    #expect(try Served().say(get("/never")).text.hasSuffix("time is up\n"))
  }
}
