import HTTP
import Testing

/// Idle and slow connections do not block requests.
@Suite struct CrowdTests {
  @Test func oldestIdleConnectionIsReplaced() throws {
    let served = try Served { $0.connectionLimit = 3 }
    // A connection is idle from its last reply on, like one that never sent a request.
    let answered = try served.client()
    let silent = try served.client()
    let partial = try served.client()
    partial.send("GET /late HTTP/1.1\r\n")
    // The server may accept the others only after its first reply, but not after its second.
    for _ in 0..<2 {
      answered.send(get("/a"))
      #expect(answered.read(until: " \n") == answer("GET /a \n"))
    }
    #expect(try served.say(get("/b", closing: true)).text == answer("GET /b \n", closing: true))
    #expect(silent.readToEnd() == ("", .closed))
    answered.send(get("/c"))
    #expect(answered.read(until: " \n") == answer("GET /c \n"))
    partial.send("Host: localhost\r\nConnection: close\r\n\r\n")
    #expect(partial.readToEnd().text == answer("GET /late \n", closing: true))
  }

  @Test func idleConnectionsLeaveRoomForARequest() throws {
    let served = try Served { $0.connectionLimit = 16 }
    let idle = try (0..<200).map { _ in try served.client() }
    #expect(try served.say(get("/a", closing: true)).text == answer("GET /a \n", closing: true))
    #expect(idle[0].readToEnd() == ("", .closed))
  }

  @Test func unfinishedRequestsAreReplaced() throws {
    let served = try Served { $0.connectionLimit = 2 }
    let slow = try (0..<2).map { _ in
      let client = try served.client()
      client.send("GET / HTTP/1.1\r\nHost: loc")
      return client
    }
    #expect(try served.say(get("/a", closing: true)).text == answer("GET /a \n", closing: true))
    #expect(slow[0].readToEnd().text.isEmpty)
  }

  @Test func busyConnectionsAreNotReplaced() throws {
    let served = try Served { $0.connectionLimit = 2 }
    let uploading = try served.client()
    uploading.send("POST /u HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
    #expect(uploading.read(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
    let waiting = try served.client()
    waiting.send(get("/slow"))
    #expect(waiting.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(try served.say("").text.hasPrefix("HTTP/1.1 503 "))
    uploading.send("ab")
    #expect(uploading.read(until: "ab\n") == answer("POST /u ab\n"))
    #expect(waiting.read(until: " \n") == "GET /slow \n")
  }

  /// The order in which two connections end shows which deadline applies.
  @Test func requestTimeStartsAtFirstByte() throws {
    let patient = try Served { ($0.idleTime, $0.requestTime) = (.milliseconds(100), .seconds(3600)) }
    let sending = try patient.client()
    sending.send("GET /a HT")
    #expect(try patient.say("") == ("", .closed), "its idle time started later")
    sending.send("TP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    #expect(sending.readToEnd().text == answer("GET /a \n", closing: true))

    let strict = try Served { ($0.idleTime, $0.requestTime) = (.seconds(60), .milliseconds(100)) }
    let (slow, idle) = (try strict.client(), try strict.client())
    slow.send("GET /a HT")
    #expect(slow.readToEnd() == ("", .closed))
    idle.send(get("/b", closing: true))
    #expect(idle.readToEnd().text == answer("GET /b \n", closing: true))
  }

  @Test func defaultIdleTimeIsFiveSeconds() {
    #expect(ListenerSettings(address: LoopbackAddress(port: 0)).idleTime == .seconds(5))
  }
}
