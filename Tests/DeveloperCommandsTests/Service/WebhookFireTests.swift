import HTTP
import ProgramDriver
import Support
import Testing

@testable import Session

/// `webhook fire`: what is sent, how its outcome is reported, and that no event is fired twice.
@Suite struct WebhookFireTests {
  private static let key = "kEy0123456789-abcdefghijklmn_opq"
  private static let accepted = "Congratulations! You've fired the door event"
  private let home = Home()

  init() {
    home.environment["IFTTT_WEBHOOKS_KEY"] = Self.key
    home.secrets.append(Self.key)
  }

  private func sent(_ server: Server) -> [String] {
    server.requests.map { request in
      "\(request.method.rawValue) \(request.url.wire) \(String(decoding: request.body ?? [], as: UTF8.self))"
    }
  }

  @Test func anEventWithoutValuesHasNoBody() {
    let server = Server().answering(200, Self.accepted)
    let run = home.run("webhook fire door --json", answers: server)
    #expect(run.exit == .success)
    #expect(sent(server) == ["POST https://maker.ifttt.com/trigger/door/with/key/\(Self.key) "])
    #expect(server.requests.first?.header("Content-Type") == nil)
    #expect(
      run.output
        == #"{"event":"door","kind":"values","accepted":true,"message":"Congratulations! You've fired the door event"}"#
        + "\n")
    #expect(
      run.errors == "IFTTT accepted the event. That does not mean that an Applet ran: see https://ifttt.com/activity.\n"
    )
  }

  @Test func aByteOrderMarkIsNotSent() {
    let file = home.folder.write("event.json", "\u{feff}{\"a\":1}\n")
    let server = Server().answering(200, Self.accepted)
    #expect(home.run("webhook fire door --json-file \(file)", answers: server).exit == .success)
    #expect(server.requests.first?.body == Array("{\"a\":1}\n".utf8))
    let half = home.run("webhook fire door --stdin", input: .text("{\"a\":\"\\ud800\"}"))
    #expect(half.exit == .failure && half.errors.contains("an escape is half of a surrogate pair"))
  }

  @Test func theGivenValuesAreSent() {
    let server = Server().answering(200, Self.accepted)
    home.run("webhook fire door --value1 'a b' --value3 ''", answers: server)
    #expect(
      sent(server) == [
        #"POST https://maker.ifttt.com/trigger/door/with/key/\#(Self.key) {"value1":"a b","value3":""}"#
      ])
  }

  @Test(arguments: ["--json-file FILE", "--json-file -", "--stdin"]) func jsonIsSentAsGiven(_ option: String) {
    let json = #"{"a": 1.50}"# + "\n"
    let file = home.folder.write("event.json", json)
    let server = Server().answering(200, "Congratulations! You've fired the door JSON event")
    let run = home.run(
      "webhook fire door \(option.replacing("FILE", with: file)) --fields kind -o csv --no-header",
      input: option.hasSuffix("FILE") ? nil : .text(json), answers: server)
    #expect(run.lines == ["json"])
    #expect(sent(server) == ["POST https://maker.ifttt.com/trigger/door/json/with/key/\(Self.key) \(json)"])
  }

  @Test func invalidJSONIsRejectedBeforeAnythingIsSent() {
    for text in ["", "{", "a"] {
      let run = home.run("webhook fire door --stdin", input: .text(text))
      #expect(run.exit == .failure && run.errors.hasPrefix("ifttt: stdin is not JSON\n"))
    }
    #expect(home.run("webhook fire door --json-file \(home.folder["none"])").exit == .failure)
  }

  @Test(arguments: [
    "", "a-b", "'a b'", "''", "door other", "door --stdin --json-file x", "door --stdin --value1 a",
    "door --json-file x --value3 a",
  ])
  func invalidCommandLinesAreUsageErrors(_ words: String) {
    #expect(home.run("webhook fire \(words)").exit == .usage)
  }

  /// The statuses of the Webhooks service, with the message that it sends.
  @Test(arguments: [
    (401, ExitCode.credentials, "unauthorized"), (403, .credentials, "forbidden"), (404, .notFound, "not_found"),
    (429, .unavailable, "rate_limited"), (500, .unavailable, "server_error"), (503, .unavailable, "server_error"),
    (400, .failure, "refused"),
  ])
  func theExitCodeFollowsTheStatus(_ status: Int, _ exit: ExitCode, _ code: String) {
    let server = Server().answering(
      status, #"{"errors":[{"message":"You sent an invalid key, \#(Self.key)."}]}"#,
      headers: [Server.field("Retry-After", "7")])
    let run = home.run("webhook fire door --json", answers: server)
    #expect(run.exit == exit && run.output == "")
    #expect(server.requests.count == 1, "an event is never fired again")
    #expect(run.errors.contains(#""code":"\#(code)""#))
    #expect(run.errors.contains("You sent an invalid key, kEy0…_opq."))
  }

  @Test func aWrongKeyIsExplained() {
    let server = Server().answering(401, #"{"errors":[{"message":"You sent an invalid key."}]}"#)
    #expect(
      home.run("webhook fire door", answers: server).errors == """
        ifttt: IFTTT rejected the webhooks key from IFTTT_WEBHOOKS_KEY
          IFTTT responded with 401: You sent an invalid key.
          Copy the key from https://ifttt.com/maker_webhooks/settings. It is not the service key.

        """)
  }

  @Test func aRequestThatMayHaveArrivedIsNotRepeated() {
    for kind in [TransportKind.broken, .timeout] {
      let server = Server().failing(kind, "reset", mayHaveArrived: true)
      let run = home.run("webhook fire door", answers: server)
      #expect(run.exit == .unavailable && server.requests.count == 1)
      #expect(run.errors.contains("IFTTT may have accepted the event: check https://ifttt.com/activity"))
    }
    let redirect = Server().answering(308, headers: [Server.field("Location", "https://maker.ifttt.com/other")])
    #expect(home.run("webhook fire door", answers: redirect).exit == .unavailable)
    #expect(redirect.requests.count == 1)
  }

  @Test func aRequestThatCannotHaveArrivedIsRepeated() {
    let server = Server().failing(.connect, "refused").answering(200, Self.accepted)
    #expect(home.run("webhook fire door", answers: server).exit == .success)
    #expect(server.requests.count == 2)
  }

  @Test func aResponseCountsOnceItsStatusIsKnown() {
    let server = Server().answering(200)
    let run = home.run("webhook fire door --json --fields message", answers: server)
    #expect(run.output == #"{"message":null}"# + "\n")
    #expect(server.requests.allSatisfy { $0.needsStatusAlone && !$0.isRepeatable })
  }

  @Test func theBaseURLIsHonored() {
    home.environment["IFTTT_WEBHOOKS_URL"] = "http://127.0.0.1:9/x"
    let server = Server().answering(200)
    home.run("webhook fire door", answers: server)
    #expect(server.requests.map(\.url.wire) == ["http://127.0.0.1:9/x/trigger/door/with/key/\(Self.key)"])
  }

  @Test func aDryRunSendsNothing() {
    let run = home.run("webhook fire door --value1 a --dry-run --json")
    #expect(run.exit == .success)
    #expect(
      run.output == """
        [
        {"method":"POST","url":"https://maker.ifttt.com/trigger/door/with/key/kEy0…_opq",\
        "headers":{"Content-Type":"application/json"},"body":"{\\"value1\\":\\"a\\"}"}
        ]

        """)
  }

  @Test func theSandboxAcceptsItsOwnKey() {
    home.environment = [:]
    #expect(home.sandbox("webhook fire door --fields message -o csv --no-header").lines == [Self.accepted])
    home.environment["IFTTT_WEBHOOKS_KEY"] = Self.key
    #expect(home.sandbox("webhook fire door").exit == .credentials)
  }
}
