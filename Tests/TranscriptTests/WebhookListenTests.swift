import Foundation
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `service listen` of the built program: crowds, crashes and clients that never finish.
@Suite(.enabled(if: Tool.isInstalled("python3"), "skipped: needs python3")) struct WebhookListenTests: ListenerTests {
  let home = Home()

  @Test func fiveHundredWebhooksAtOnce() throws {
    let (running, port) = try listen("--count", "500", "-o", "jsonl", "--fields", "user_id")
    let lines = Thread.reading(running)
    #expect(try send("crowd", port, "500") == "{200: 500}")
    #expect(running.wait() == 0)
    #expect(Set(lines.text().split(separator: "\n")).count == 500)
    #expect(Set(try stored()) == Set((0..<500).map { "u\($0)" }))
    // The same request ids again.
    let (second, otherPort) = try listen("--timeout", "1h")
    #expect(try send("crowd", otherPort, "20") == "{200: 20}")
    second.signal(SIGTERM)
    #expect(second.readToEnd() == "", "a repetition is not shown")
    #expect(second.wait() == 0)
    let marked = try home.run(
      "service", "events", "list", "--last", "21", "-o", "tsv", "--no-header", "--fields", "repeated")
    #expect(marked.text == "false\n" + String(repeating: "true\n", count: 20))
  }

  @Test func everyAcknowledgedWebhookSurvivesKill9() throws {
    var acknowledged: Set<String> = []
    for round in 1...5 {
      let (running, port) = try listen("--timeout", "1h")
      let flood = try start("flood", port)
      for _ in 0..<(50 * round) { acknowledged.insert(String(flood.read(until: "\n").dropLast())) }
      running.signal(SIGKILL)
      #expect(running.wait() == -SIGKILL)
      for line in flood.readToEnd().split(separator: "\n") { acknowledged.insert(String(line)) }
      flood.wait()
    }
    #expect(acknowledged.count >= 750)
    let missing = acknowledged.subtracting(try stored())
    #expect(missing.isEmpty, "\(missing.count) of \(acknowledged.count) are missing")
    #expect(try home.isIntact())
  }

  @Test func slowAndEndlessBodiesStopNobody() throws {
    let (running, port) = try listen(
      "--for", "connection/enabled", "--timeout", "1h", "-o", "tsv", "--fields", "user_id")
    #expect(try send("endless", port) == "HTTP/1.1 413")
    #expect(try send("slow", port, "300") == "200")
    #expect(running.readToEnd() == "user_id\npatient\n")
    #expect(running.wait() == 0)
    #expect(try stored() == ["patient"])
    let errors = running.readToEnd(running.errors)
    #expect(errors.contains("/enabled with 413: the body is longer than 1048576 bytes\n"), "\(errors)")
  }

  @Test func malformedRequestsAreNoted() throws {
    let (running, port) = try listen("--timeout", "1h")
    #expect(try send("malformed", port) == "HTTP/1.1 400\nHTTP/1.1 431\nHTTP/1.1 417\nHTTP/1.1 421")
    running.signal(SIGTERM)
    let errors = running.readToEnd(running.errors)
    for part in [
      "Rejected a request with 400: this is not HTTP/1.1", "Rejected a request with 431: the header has more",
      "Rejected GET / with 417: this expectation is not supported",
      "Rejected POST /x with 421: this server serves only",
    ] {
      #expect(errors.contains(part), "\(errors)")
    }
    #expect(running.wait() == 0)
  }

  @Test(arguments: [SIGTERM, SIGINT]) func aSignalShowsWhatWasAcknowledged(_ signal: Int32) throws {
    let (running, port) = try listen("-o", "jsonl", "--fields", "user_id")
    #expect(try send("crowd", port, "50") == "{200: 50}")
    running.signal(signal)
    #expect(running.readToEnd().split(separator: "\n").count == 50)
    #expect(running.wait() == 0)
  }

  @Test func aTimeoutBeforeTheWebhookIsNotYet() throws {
    let outcome = try home.run("service", "listen", "--port", "0", "--for", "fired", "--timeout", "10ms", "--json")
    #expect(outcome.status == 8 && outcome.code == "not_yet")
    #expect(outcome.errors.contains("timed out after 0 of 1 webhook"))
    let unlimited = try home.run("service", "listen", "--port", "0", "--timeout", "10ms", "-q")
    #expect(unlimited.status == 0 && unlimited.errors.isEmpty && unlimited.text.isEmpty)
  }

  @Test func aTakenPortIsReported() throws {
    let (running, port) = try listen()
    let outcome = try home.run("service", "listen", "--port", port, "--timeout", "0")
    running.signal(SIGTERM)
    #expect(running.wait() == 0)
    #expect(outcome.status == 1 && outcome.errors.contains("cannot listen on http://127.0.0.1:\(port)"))
  }

  @Test func otherTypesAreStoredButNotShown() throws {
    let (running, port) = try listen("--for", "disabled", "--timeout", "1h")
    #expect(try send("crowd", port, "3") == "{200: 3}")
    running.signal(SIGTERM)
    #expect(running.readToEnd() == "")
    #expect(running.wait() == 0)
    #expect(try stored().count == 3)
  }

  @Test func theReadyFileExistsWhileRequestsAreAccepted() throws {
    let file = home.workplace["ready.json"]
    let (running, port) = try listen("--ready-file", file)
    let ready = try #require(home.workplace.text("ready.json"))
    #expect(
      ready
        == #"{"url":"http://127.0.0.1:\#(port)","webhooks_url":"http://127.0.0.1:\#(port)/ifttt/v1/webhooks","pid":\#(running.id)}"#
        + "\n")
    running.signal(SIGTERM)
    #expect(running.wait() == 0)
    #expect(home.workplace.text("ready.json") == nil)
  }

  @Test func aClosedPipeEndsTheRun() throws {
    let (running, port) = try listen()
    running.endOutput()
    #expect(running.wait() == 0)
    #expect(try home.run("service", "listen", "--port", port, "--timeout", "0").status == 0)
  }

  // MARK: Forwarding

  @Test func aWebhookIsForwardedAndRetried() throws {
    home.environment["IFTTT_SERVICE_KEY"] = "the-service-key-of-the-tests"
    let receiver = try start("receive", "503", "200")
    let target = "http://127.0.0.1:\(receiver.read(until: "\n").dropLast())/api"
    let (running, port) = try listen("--forward", target, "-o", "jsonl", "--fields", "id,forwarded")
    #expect(try sendWithKey(port) == 200)
    #expect(running.read(until: "\n") == #"{"id":"1","forwarded":503}"# + "\n")
    let path = "/api/ifttt/v1/webhooks/connection/enabled r1 the-service-key-of-the-tests u-5521\n"
    #expect(receiver.read(until: "\n") == "503 " + path)
    #expect(receiver.read(until: "\n") == "200 " + path)
    // The result is stored a moment after the server has received the webhook.
    let list = ["service", "events", "list", "-o", "tsv", "--no-header", "--fields", "forwarded"]
    try waitUntil(home.run(list).text == "200\n", pause: 50_000)
    running.signal(SIGTERM)
    #expect(running.wait() == 0)
    let errors = running.readToEnd(running.errors)
    #expect(
      errors.contains("Forwarding failed") && errors.contains("responds again") && !errors.contains("of-the-tests"))
  }

  private func sendWithKey(_ port: String) throws -> Int? {
    let outcome = try Tool.required("curl").run(
      [
        "-sS", "-o", "/dev/null", "-w", "%{http_code}", "-H", "IFTTT-Service-Key: the-service-key-of-the-tests", "-H",
        "X-Request-ID: r1", "-d", #"{"data":{"user_id":"u-5521"}}"#,
        "http://127.0.0.1:\(port)/ifttt/v1/webhooks/connection/enabled",
      ], in: ScratchFolder())
    return Int(outcome.output)
  }

  @Test func anotherRunForwardsWhatWasNotDelivered() throws {
    let receiver = try start("receive", "500")
    let target = "http://127.0.0.1:\(receiver.read(until: "\n").dropLast())"
    let (running, port) = try listen("--forward", target, "--count", "3", "-o", "jsonl", "--fields", "forwarded")
    #expect(try send("crowd", port, "3") == "{200: 3}")
    #expect(running.readToEnd() == String(repeating: "{\"forwarded\":500}\n", count: 3))
    #expect(running.readToEnd(running.errors).contains("3 webhooks not forwarded yet"))
    #expect(running.wait() == 0)
    receiver.signal(SIGKILL)
    // Nothing listens there now, and nothing is lost.
    let unreachable = try home.start(["service", "listen", "--port", "0", "--forward", target, "--timeout", "300ms"])
    #expect(unreachable.wait() == 0)
    #expect(
      try home.run("service", "events", "show", "1", "--fields", "forwarding.state", "--json").text
        == "{\"forwarding.state\":\"waiting\"}\n")
    let other = try home.run("service", "listen", "--port", "0", "--forward", "http://127.0.0.1:9", "--timeout", "0")
    #expect(!other.errors.contains("not forwarded yet"), "they wait for another server")
    let replayed = try home.run("service", "events", "replay", "1", "--forward", target, "--retries", "0")
    #expect(replayed.status == 5)
  }
}

extension Thread {
  /// Reads a program's output on another thread, so that a full pipe does not stop the program.
  fileprivate static func reading(_ running: Running) -> Reading {
    let reading = Reading()
    let output = running
    nonisolated(unsafe) let source = output
    detachNewThread {
      reading.lines = source.readToEnd()
      reading.done.signal()
    }
    return reading
  }

  /// `lines` is read only after `done` is signaled.
  fileprivate final class Reading: @unchecked Sendable {
    var lines = ""
    let done = DispatchSemaphore(value: 0)
    func text() -> String {
      done.wait()
      return lines
    }
  }
}
