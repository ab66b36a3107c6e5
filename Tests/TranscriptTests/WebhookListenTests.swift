import Foundation
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `service listen` of the built program: crowds, crashes and clients that never finish.
@Suite(.enabled(if: Tool.isInstalled("python3"), "skipped: needs python3")) struct WebhookListenTests {
  let home = Home()
  private let script: String
  private let python: Tool

  init() throws {
    script = try #require(Bundle.module.resourceURL).appendingPathComponent("Servers/webhooks.py").path
    python = try Tool.required("python3")
  }

  /// A running listener, and its port.
  private func listen(_ options: String...) throws -> (running: Running, port: String) { try listen(options) }

  private func listen(_ options: [String]) throws -> (running: Running, port: String) {
    let running = try home.start(["service", "listen", "--port", "0"] + options)
    let note = running.read(until: "stop.\n", from: running.errors)
    let url = try #require(note.split(separator: " ").first { $0.hasPrefix("http://") }, "\(note)")
    let port = try #require(url.split(separator: ":").last?.prefix { $0 != "/" })
    return (running, String(port))
  }

  private func send(_ words: String...) throws -> String {
    let outcome = try python.run(["-B", script] + words, in: ScratchFolder())
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output.trimmingCharacters(in: .newlines)
  }

  private func start(_ words: String...) throws -> Running {
    try Running([python.path, "-B", script] + words, environment: ["PATH": "/usr/bin:/bin"])
  }

  private func stored() throws -> [String] {
    let listing = try home.run("service", "events", "list", "--fields", "user_id", "-o", "tsv", "--no-header")
    return listing.text.split(separator: "\n").map(String.init)
  }

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
      "service", "events", "list", "-n", "21", "-o", "tsv", "--no-header", "--fields", "repeated")
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

  @Test func aCommandReceivesEachWebhook() throws {
    let (running, port) = try listen("--count", "2", "--exec", "sh", "--", "-c", "printf 'got '; cat; exit 3")
    #expect(try send("crowd", port, "2") == "{200: 2}")
    let lines = running.readToEnd().split(separator: "\n")
    #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix(#"got {"id":""#) && $0.hasSuffix("}") })
    #expect(running.readToEnd(running.errors).contains("sh for webhook 2 (connection/enabled) ended with status 3"))
    #expect(running.wait() == 0)
  }

  // MARK: Commands

  /// The program for a command that reports the user id of its webhook on a file, and waits until a file exists.
  private func blocking(_ marks: String, until file: String) -> [String] {
    let script = #"IFS= read -r line; printf '%s\n' "${line#*user_id\":\"}" | cut -d'"' -f1 >> "$1"; "#
    return ["--exec", "sh", "--", "-c", script + #"while ! test -e "$2"; do sleep 0.02; done"#, "sh", marks, file]
  }

  private func lines(_ file: String) -> [String] {
    (home.workplace.text(file) ?? "").split(separator: "\n").map(String.init)
  }

  private func states(_ fields: String = "user_id,exec") throws -> [String] {
    let listing = try home.run("service", "events", "list", "--fields", fields, "-o", "tsv", "--no-header")
    return listing.text.split(separator: "\n").map { $0.replacingOccurrences(of: "\t", with: " ") }
  }

  /// Sends one webhook after the other, so that their order is known.
  private func sendInOrder(_ users: [String], to port: String) throws {
    for user in users { #expect(try send("one", port, user) == "200") }
  }

  @Test func commandsSurviveKill9() throws {
    let (marks, file) = (home.workplace["marks"], home.workplace["go"])
    let (running, port) = try listen(blocking(marks, until: file))
    try sendInOrder(["a", "b", "c"], to: port)
    while lines("marks") != ["a"] { usleep(10_000) }
    running.signal(SIGKILL)
    #expect(running.wait() == -SIGKILL)
    #expect(try states() == ["a waiting", "b waiting", "c waiting"])
    // The command of the killed program is still running, and never ends by itself.
    home.workplace.write("go", "")
    let (second, otherPort) = try listen(["--count", "1"] + blocking(marks, until: file))
    #expect(try send("one", otherPort, "d") == "200")
    #expect(second.wait() == 0)
    #expect(lines("marks") == ["a", "a", "b", "c", "d"], "in order, and the new one alone counts")
    #expect(
      second.readToEnd(second.errors).contains("The command runs for 3 webhooks from earlier runs first."))
    #expect(try states() == ["a succeeded", "b succeeded", "c succeeded", "d succeeded"])
    let third = try home.run("service", "listen", "--port", "0", "--timeout", "10ms", "--exec", "false")
    #expect(third.status == 0 && !third.errors.contains("earlier"))
  }

  @Test func theFilterSelectsAmongEarlierWebhooksToo() throws {
    let (marks, file) = (home.workplace["marks"], home.workplace["go"])
    let (running, port) = try listen(blocking(marks, until: file))
    try sendInOrder(["a", "b"], to: port)
    while lines("marks") != ["a"] { usleep(10_000) }
    running.signal(SIGTERM)
    #expect(running.wait() == 0)
    #expect(
      running.readToEnd(running.errors).contains(
        "The command did not run for 2 webhooks. The next 'service listen --exec' starts with them."))
    home.workplace.write("go", "")
    let filtered = try home.run(
      "service", "listen", "--port", "0", "--for", "fired", "--timeout", "10ms", "--exec", "cat")
    #expect(filtered.status == 8 && filtered.text == "")
    #expect(try states() == ["a waiting", "b waiting"])
    let rest = try home.start(["service", "listen", "--port", "0", "--timeout", "1h"] + blocking(marks, until: file))
    while try states() != ["a succeeded", "b succeeded"] {}
    rest.signal(SIGTERM)
    #expect(rest.wait() == 0)
  }

  @Test func aFailedCommandDoesNotRunAgain() throws {
    let (running, port) = try listen("--count", "1", "--exec", "sh", "--", "-c", "exit 3")
    #expect(try send("one", port, "a") == "200")
    #expect(running.wait() == 0)
    #expect(try states("exec") == ["failed"])
    let shown = try home.run("service", "events", "show", "1", "--fields", "exec,exec_status", "--json")
    #expect(shown.text == #"{"exec":"failed","exec_status":3}"# + "\n")
    let (missing, otherPort) = try listen("--count", "1", "--exec", home.workplace["missing"])
    #expect(try send("one", otherPort, "b") == "200")
    #expect(missing.wait() == 0)
    #expect(missing.readToEnd(missing.errors).contains("did not run"))
    #expect(try states("exec") == ["failed", "waiting"])
  }

  @Test func concurrentRunsRunTheirOwnCommands() throws {
    let (marks, file) = (home.workplace["marks"], home.workplace["go"])
    let (running, port) = try listen(blocking(marks, until: file))
    try sendInOrder(["a", "b"], to: port)
    while lines("marks") != ["a"] { usleep(10_000) }
    let (second, otherPort) = try listen("-v", "--count", "1", "--exec", "cat")
    #expect(try send("one", otherPort, "c") == "200")
    let output = second.readToEnd()
    #expect(output.contains(#""user_id":"c""#) && !output.contains(#""user_id":"b""#), "\(output)")
    #expect(second.wait() == 0)
    #expect(second.readToEnd(second.errors).contains("another 'service listen --exec' of this profile runs"))
    home.workplace.write("go", "")
    while try states() != ["a succeeded", "b succeeded", "c succeeded"] {}
    running.signal(SIGTERM)
    #expect(running.wait() == 0)
    #expect(lines("marks") == ["a", "b"])
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
    while try home.run("service", "events", "list", "-o", "tsv", "--no-header", "--fields", "forwarded").text != "200\n"
    {}
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
