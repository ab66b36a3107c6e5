import Dispatch
import HTTP
import ProgramDriver
import Store
import Support
import Testing
import Text
import World

@testable import DeveloperCommands

/// The responses to webhooks and to everything else, without a network.
@Suite struct WebhookResponderTests {
  let folder = TemporaryFolder()
  let notices: Mailbox<ListenNotice>
  let writer: WebhookWriter

  init() throws {
    notices = try Mailbox()
    writer = try WebhookWriter(
      to: Store(directories: AppDirectories(all: folder.path), world: .live()), profile: "default", forwardingTo: nil,
      notices: notices)
  }

  private static let path = "/api/ifttt/v1/webhooks/connection/enabled"
  private static let body = #"{"data":{"user_id":"u-5521"}}"#

  private func responder(key: String? = nil) -> WebhookResponder {
    WebhookResponder(
      key: key.flatMap(Secret.init(parsing:)), clock: World.live().clock, writer: writer, notices: notices)
  }

  private func request(
    _ method: String = "POST", _ target: String = path, _ fields: [(String, String)] = [], body: String = body
  ) -> ReceivedRequest {
    ReceivedRequest(
      method: method, target: target, fields: fields.map { HeaderField($0.0, $0.1) }, body: Array(body.utf8))
  }

  /// The reply, once it is known.
  private func reply(_ responder: WebhookResponder, _ request: ReceivedRequest) -> Reply {
    let reply = responder.respond(to: request)
    guard let deferred = reply.deferred else { return reply }
    let known = DispatchSemaphore(value: 0)
    deferred.whenKnown { _ in known.signal() }
    known.wait()
    return deferred.current ?? reply
  }

  private func stored() throws -> [StoredWebhook] {
    var found: [StoredWebhook] = []
    let store = Store(directories: AppDirectories(all: folder.path), world: .live())
    try WebhookStore(store, profile: "default").forEach(WebhookFilter(), last: nil) { found.append($0) }
    return found
  }

  @Test func anAcknowledgedWebhookIsStoredWithoutTheKey() throws {
    let key = "the-service-key-of-the-tests"
    let fields = [
      ("ifttt-service-key", key), ("IFTTT-Channel-Key", key), ("X-Copy", key), ("Cookie", "a=b"),
      ("X-Request-ID", "r1"),
      ("Accept", "application/json"),
    ]
    #expect(reply(responder(key: key), request("POST", Self.path, fields)).status == 200)
    let webhook = try #require(stored().first?.webhook)
    #expect(webhook.headers == [.init("X-Request-ID", "r1"), .init("Accept", "application/json")])
    #expect(webhook.body == Array(Self.body.utf8) && webhook.requestID == "r1")
    writer.finish()
    let texts = folder.names.compactMap { folder.text($0) }
    #expect(texts.contains { $0.contains("r1") }, "the files have the webhook")
    #expect(texts.allSatisfy { !$0.contains(key) })
  }

  /// The stored webhook is JSON for every reader.
  @Test func aByteOrderMarkIsNotPartOfTheBody() throws {
    #expect(reply(responder(), request(body: "\u{feff}" + Self.body)).status == 200)
    #expect(try stored().first?.webhook.body == Array(Self.body.utf8))
    #expect(reply(responder(), request(body: "\u{feff}\u{feff}" + Self.body)).status == 400)
  }

  @Test func rejectsWhatIsNoWebhook() throws {
    let responder = responder()
    let missing = reply(responder, request("POST", "/ifttt/v1/status"))
    #expect(missing.status == 404)
    #expect(missing.body.starts(with: #"{"errors":[{"message":""#.utf8))
    let wrongMethod = reply(responder, request("GET", body: ""))
    #expect(wrongMethod.status == 405 && wrongMethod.fields.contains(HeaderField("Allow", "POST")))
    for body in ["", "{", "[1]", "null", "\"x\"", "{}x", "{\"a\":\u{1}}", String(repeating: "[", count: 100_000)] {
      #expect(reply(responder, request(body: body)).status == 400, "\(body.prefix(20))")
    }
    #expect(reply(responder, request("POST", Self.path, [("Origin", "https://evil.test")])).status == 403)
    #expect(try stored().isEmpty)
  }

  @Test func withAKeyOnlyRequestsWithItAreAccepted() throws {
    let responder = responder(key: "the-service-key-of-the-tests")
    for fields in [
      [], [("IFTTT-Service-Key", "")], [("IFTTT-Service-Key", "the-service-key-of-the-testz")],
      [("IFTTT-Service-Key", "The-service-key-of-the-tests")],
      [("Authorization", "Bearer the-service-key-of-the-tests")],
    ] {
      #expect(reply(responder, request("POST", Self.path, fields, body: "{")).status == 401)
    }
    #expect(
      reply(responder, request("POST", Self.path, [("IFTTT-Service-Key", "the-service-key-of-the-tests")])).status
        == 200)
    #expect(try stored().count == 1)
  }

  @Test func aFloodOfRejectionsIsOneNotice() {
    var log = RejectionLog(notices)
    let rejection = Rejection(
      status: 401, reason: "wrong service key", request: RequestLine(method: "POST", target: "/x"))
    for _ in 0..<1000 { log.add(rejection, at: .milliseconds(1)) }
    let other = RequestLine(method: "GET", target: "/y")
    log.add(Rejection(status: 404, reason: "no such path", request: other), at: .milliseconds(2))
    log.add(rejection, at: .milliseconds(1002))
    var words: [String] = []
    while case .rejected(let rejection)? = notices.receive() { words.append(rejection.description) }
    #expect(
      words == [
        "Rejected POST /x with 401: wrong service key", "Rejected GET /y with 404: no such path",
        "Rejected POST /x with 401: wrong service key (and 999 others)",
      ])
  }

  @Test func whatTheServerRejectsItselfIsNoted() {
    let responder = responder()
    responder.noteRejection(413, "The body is longer", of: RequestLine(method: "POST", target: "/a"))
    responder.noteRejection(413, "The body is longer", of: RequestLine(method: "POST", target: "/b"))
    responder.noteRejection(400, "This is not HTTP/1.1", of: nil)
    var words: [String] = []
    while case .rejected(let rejection)? = notices.receive() { words.append(rejection.description) }
    #expect(
      words == [
        "Rejected POST /a with 413: the body is longer", "Rejected a request with 400: this is not HTTP/1.1",
      ])
  }

  @Test func whatCannotBeStoredIsNotAcknowledged() throws {
    folder.write("ifttt.db", String(repeating: "not a database ", count: 1000))
    #expect(reply(responder(), request()).status == 503)
    // The notice is sent after the reply.
    writer.finish()
    guard case .failed(let error, 1)? = notices.receive() else {
      Issue.record("no notice of the failure")
      return
    }
    #expect(error.code == .damaged || error.code == .foreign)
    #expect(reply(responder(), request()).status == 503, "after the end")
  }
}
