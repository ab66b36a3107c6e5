import HTTP
import JSON
import ProgramDriver
import Sandbox
import Session
import Support
import Testing
import Text
import World

@testable import DeveloperCommands

/// What the inspector reads from the control endpoint, and who may read it.
@Suite struct InspectorControlTests {
  private let key = "0123456789abcdef"
  private static let now = Timestamp(milliseconds: 1_772_601_007_250)

  private func responder() -> SandboxResponder {
    let seed = SandboxSeed(.plain)
    var emulator = Emulator(state: .seed, seed: seed)
    emulator.web.hasInspector = true
    return SandboxResponder(
      .init(emulator: emulator, credentials: seed.credentials, seedName: "plain"), key: key,
      clock: TestWorld(now: Self.now).world.clock, accessLog: nil)
  }

  private func reply(
    _ responder: SandboxResponder, _ target: String, _ method: String = "GET", key: String? = nil,
    _ fields: [HeaderField] = [], body: String = ""
  ) -> Reply {
    let authorization = HeaderField("Authorization", "Bearer \(key ?? self.key)")
    return responder.respond(
      to: ReceivedRequest(
        method: method, target: target, fields: [HeaderField("Host", "127.0.0.1:8080"), authorization] + fields,
        body: Array(body.utf8)))
  }

  private func json(_ reply: Reply) throws -> JSONValue { try JSONValue(parsing: reply.body) }

  // MARK: Who may read it

  @Test func onlyTheServersOwnPageMayUseIt() {
    let responder = responder()
    #expect(reply(responder, "/.sandbox", [HeaderField("Origin", "http://127.0.0.1:8080")]).status == 200)
    for origin in [
      "null", "", "http://127.0.0.1", "http://127.0.0.1:8081", "https://127.0.0.1:8080", "http://localhost:8080",
      "http://127.0.0.1:8080/", "http://127.0.0.1:8080 ", "http://evil.test", "HTTP://127.0.0.1:8080",
    ] {
      let reply = reply(responder, "/.sandbox", [HeaderField("Origin", origin)])
      #expect(reply.status == 403, "\(origin)")
    }
  }

  @Test func noResponseLetsOtherPagesReadIt() {
    let responder = responder()
    for target in ["/", "/.sandbox", "/.sandbox/entries", "/.sandbox/stream", "/.sandbox/inspector/page.js"] {
      for origin in ["http://127.0.0.1:8080", "http://evil.test"] {
        let reply = reply(responder, target, [HeaderField("Origin", origin)])
        #expect(!reply.fields.contains { $0.name.lowercased().hasPrefix("access-control") })
      }
    }
  }

  @Test(arguments: ["", "/entries", "/entries/1", "/stream", "/users", "/faults", "/nothing"])
  func everythingNeedsTheKey(_ path: String) {
    for key in ["", "0123456789abcde", "0123456789abcdeg", "0123456789abcdef "] {
      #expect(reply(responder(), "/.sandbox" + path, key: key).status == 401)
    }
  }

  @Test func thePageNeedsNoKeyAndMayConnectOnlyToItsServer() {
    let responder = responder()
    for (target, type) in [
      ("/", "text/html"), ("/.sandbox/inspector/page.css", "text/css"),
      ("/.sandbox/inspector/page.js", "text/javascript"), ("/.sandbox/inspector/icon.svg", "image/svg+xml"),
    ] {
      let reply = responder.respond(to: ReceivedRequest(method: "GET", target: target))
      #expect(reply.status == 200 && !reply.body.isEmpty)
      #expect(reply.fields.first { $0.isNamed("Content-Type") }?.value == "\(type); charset=utf-8")
      let policy = reply.fields.first { $0.isNamed("Content-Security-Policy") }?.value ?? ""
      #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self'"))
      #expect(!policy.contains("unsafe") && !policy.contains("http"))
      #expect(responder.respond(to: ReceivedRequest(method: "POST", target: target)).status == 405)
    }
    #expect(responder.emulator.log.lastNumber == 0, "the page is not part of the log")
  }

  @Test func aBrowserIsLedToThePageFromUnknownPaths() {
    let responder = responder()
    let html = HeaderField("Accept", "text/html,application/xhtml+xml")
    let page = reply(responder, "/no/such/path", [html])
    #expect(page.status == 404 && String(decoding: page.body, as: UTF8.self).contains(#"<a href="/">"#))
    let json = reply(responder, "/no/such/path")
    #expect(json.status == 404 && json.body.first == UInt8(ascii: "{"))
    // An endpoint that exists reports its errors as for every client.
    #expect(reply(responder, "/v2/connections/none", [html]).body.first == UInt8(ascii: "{"))
  }

  // MARK: Entries

  @Test func theOverviewNamesTheServer() throws {
    let overview = try json(reply(responder(), "/.sandbox"))
    #expect(overview["environment"]?["IFTTT_API_URL"] == "http://127.0.0.1:8080")
    #expect(overview["environment"]?["IFTTT_SERVICE_KEY"]?.string == SandboxFixtures.serviceKey)
    #expect(overview["seed"] == "plain" && overview["service_url"] == .null)
    #expect(overview["started_at"]?.string == Self.now.rfc3339)
    #expect(overview["fault_names"]?.array?.contains { $0["name"]?.string?.hasPrefix("status=") == true } == true)
  }

  @Test func listsHaveNoMessagesAndOneEntryHasThem() throws {
    let responder = responder()
    _ = reply(responder, "/v2/me?a=1")
    let list = try json(reply(responder, "/.sandbox/entries")).array ?? []
    #expect(list.count == 1)
    let keys = (list.first?.object?.members ?? []).map(\.key)
    #expect(
      Set(keys) == [
        "number", "at", "method", "path", "query", "status", "fault", "direction", "step", "connection_id", "user_id",
        "cause", "endpoint", "event_id", "detail", "trigger_identity", "url", "attempt", "duration_ms", "request_id",
        "message", "caused_by",
      ] && keys.count == Set(keys).count)
    let entry = try json(reply(responder, "/.sandbox/entries/1"))
    #expect(entry["request"]?["headers"]?["Host"] == "127.0.0.1:8080" && entry["response"]?["body_size"]?.int ?? 0 > 0)
    for key in keys { #expect(entry[key] == list.first?[key], "\(key)") }
  }

  /// A summary is masked by a shorter search, which must find the same in what it shows.
  @Test func summariesAreMaskedAsTheWholeEntries() throws {
    let responder = responder()
    let secret = "e1hM0123456789abcdefghij4aTz"
    let targets = [
      "/v2/me?access_token=\(secret)", "/v2/me?apiKey=\(secret)", "/trigger/a/with/key/\(secret)",
      "/v2/\(secret)/x", "/v2/me?code=1&code=\(secret)", "/v2/me?a=Bearer%20\(secret)",
    ]
    for target in targets { _ = reply(responder, target, key: secret, [HeaderField("IFTTT-Service-Key", secret)]) }
    let list = try json(reply(responder, "/.sandbox/entries"))
    #expect(list.array?.count == targets.count && !list.text.contains("0123456789"), "\(list.text)")
    for row in list.array ?? [] {
      let whole = try json(reply(responder, "/.sandbox/entries/\(row["number"]?.int ?? 0)"))
      #expect(whole["url"] == row["url"] && whole["message"] == row["message"])
    }
  }

  @Test func sendingAgainRepliesInTheFormOfItsView() throws {
    let responder = responder()
    _ = reply(responder, "/v2/me")
    let request = try json(reply(responder, "/.sandbox/requests/1/send", "POST"))
    let entry = try json(reply(responder, "/.sandbox/entries/1/send", "POST"))
    #expect(request["number"] == 2 && request["cause"] == nil)
    #expect(entry["number"] == 3 && entry["cause"] == .null && entry["caused_by"] == 1)
  }

  @Test func aProgramGetsTheDescriptionWithoutAKey() throws {
    let responder = responder()
    for method in ["GET", "HEAD"] {
      let reply = responder.respond(to: ReceivedRequest(method: method, target: "/openapi.json"))
      #expect(reply.status == 200 && reply.body == responder.emulator.description(version: programVersion).bytes)
    }
    #expect(responder.respond(to: ReceivedRequest(method: "POST", target: "/openapi.json")).status == 404)
  }

  // MARK: The stream

  private func messages(_ bytes: [UInt8]) throws -> [JSONValue] {
    let text = String(decoding: bytes, as: UTF8.self)
    guard !text.isEmpty else { return [] }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 5 && lines[0] == "event: entries" && lines[3...].allSatisfy(\.isEmpty))
    let data = try JSONValue(parsing: Array(lines[2].dropFirst("data: ".count).utf8))
    #expect(lines[1] == "id: \(data["last"]?.int ?? -1)")
    return [data]
  }

  @Test func theStreamBeginsAtOnceAndIsNeverStored() {
    let reply = reply(responder(), "/.sandbox/stream?after=0")
    #expect(reply.status == 200 && reply.stream?.pause == .milliseconds(100) && reply.body == LogStream.comment)
    #expect(reply.fields.first { $0.isNamed("Content-Type") }?.value == "text/event-stream")
    #expect(reply.fields.first { $0.isNamed("Cache-Control") }?.value == "no-store")
    #expect(self.reply(responder(), "/.sandbox/stream?after=x").status == 400)
  }

  /// The stream goes on after a reset, which removes the entries before it.
  @Test func theStreamHasEachEntryOnce() throws {
    let responder = responder()
    _ = reply(responder, "/v2/me")
    var stream = LogStream(after: 0)
    let first = try messages(stream.next(of: responder.emulator))
    #expect(first.first?["entries"]?.array?.map { $0["path"] } == ["/v2/me"])
    #expect(try messages(stream.next(of: responder.emulator)).isEmpty)
    _ = reply(responder, "/v2/other")
    _ = reply(responder, "/.sandbox/reset", "POST")
    _ = reply(responder, "/v2/third")
    let next = try messages(stream.next(of: responder.emulator)).first
    #expect(next?["entries"]?.array?.compactMap { $0["path"]?.string } == ["/v2/third"])
    #expect(next?["skipped"] == 0 && next?["last"] == 3)
  }

  @Test func aSlowClientGetsTheNewestAndACount() throws {
    let responder = responder()
    var stream = LogStream(after: 0)
    for _ in 0..<250 { _ = reply(responder, "/v2/me") }
    let message = try messages(stream.next(of: responder.emulator)).first
    let numbers = message?["entries"]?.array?.compactMap { $0["number"]?.int } ?? []
    #expect(numbers == Array(151...250) && message?["skipped"] == 150 && message?["last"] == 250)
  }

  @Test func aQuietStreamShowsThatItWorks() throws {
    let emulator = responder().emulator
    var stream = LogStream(after: 0)
    let pieces = (0..<301).map { _ in stream.next(of: emulator) }
    #expect(pieces.filter { !$0.isEmpty } == [LogStream.comment, LogStream.comment])
    #expect(pieces[149] == LogStream.comment, "every 15 s")
  }

  @Test func unknownPathsAndMethodsAreRejected() {
    let responder = responder()
    for (method, target, status) in [
      ("GET", "/nothing", 404), ("GET", "/entries/0", 404), ("GET", "/entries/x", 404), ("GET", "/entries/1/2/3", 404),
      ("POST", "/entries/1/send", 404), ("POST", "/entries/1/sent", 404), ("DELETE", "/entries", 405),
      ("PUT", "/entries/1", 405), ("GET", "/entries/1/send", 405), ("POST", "/stream", 405), ("GET", "/reset", 405),
      ("GET", "/stop", 405), ("PATCH", "/faults", 405), ("POST", "", 405), ("GET", "/faults/1", 404),
      ("GET", "/users?from=-1", 400), ("GET", "/entries?x=1", 400),
    ] {
      #expect(reply(responder, "/.sandbox\(target)", method).status == status, "\(method) \(target)")
    }
  }
}

extension InspectorControlTests {
  fileprivate func reply(_ responder: SandboxResponder, _ target: String, _ fields: [HeaderField]) -> Reply {
    reply(responder, target, "GET", key: nil, fields)
  }

  fileprivate func reply(
    _ responder: SandboxResponder, _ target: String, key: String, _ fields: [HeaderField] = []
  ) -> Reply { reply(responder, target, "GET", key: key, fields) }
}
