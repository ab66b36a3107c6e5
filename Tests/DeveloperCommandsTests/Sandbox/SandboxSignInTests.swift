import CommandLine
import HTTP
import IFTTT
import JSON
import ProgramDriver
import Sandbox
import Session
import Support
import Testing
import Text
import World

@testable import DeveloperCommands

/// The options and the log of a sign-in at a partner's service.
@Suite struct SandboxSignInTests {
  private static let url = "http://127.0.0.1:9"

  @Test(arguments: [
    "--authorize-url \(url)/a --service-url \(url)", "--authorize-url \(url)/a --service-url \(url) --client-id x",
    "--authorize-url \(url)/a --token-url \(url)/t --service-url \(url)", "--authorize-url \(url)/a",
  ])
  func aSignInNeedsItsOptions(_ options: String) {
    let run = ServedSandbox().run("sandbox start \(options)")
    #expect(run.exit == .usage, "\(run.errors)")
    #expect(
      run.errors.contains("--authorize-url requires --client-id, --client-secret-file and --token-url"), "\(run.errors)"
    )
  }

  @Test func theOptionsBelongToAServer() {
    let options = "--authorize-url \(Self.url)/a?b=c --token-url \(Self.url)/t --client-id x"
    let sandbox = ServedSandbox()
    #expect(sandbox.run("sandbox start \(options)").errors.contains("requires --service-url"))
    #expect(sandbox.run("sandbox start \(options) --service-url \(Self.url) --dry-run").exit == .success)
    let run = sandbox.run("sandbox start \(options) --service-url \(Self.url)")
    #expect(run.exit != .success && run.errors.contains("--client-secret-file"), "\(run.errors)")
  }

  @Test func aTokenURLIsEnoughToExchangeCodes() throws {
    var options = PartnerServerOptions()
    options.clientID = "x"
    #expect(options.rules(Self.random(1)).signIn == nil)
    options.tokenURL = Self.url
    let rules = try #require(options.rules(Self.random(1)).signIn)
    #expect(rules.clientID == "x" && rules.authorizeURL == nil)
    #expect(rules != options.rules(Self.random(2)).signIn, "the states of another server are others")
    let page = try WebURL(parsing: "\(Self.url)/a")
    #expect(options.rules(Self.random(1), signingInAt: page).signIn?.authorizeURL == page)
  }

  private static func random(_ seed: UInt64) -> any RandomBytes { TestWorld(seed: seed).world.random }

  private static let definition =
    #"{"service":{"id":"lamps"},"triggers":[{"id":"pressed","fields":[{"id":"lamp","options":true}]}]}"#
  private static let target = "/access/api/lamps-1?email=kai%40mail.test&sdk_return_to=http%3A%2F%2F127.0.0.1%3A9%2F"
  private static let code = "code-0123456789abcdef-0123456789"
  private static let tokens = ["access-0123456789abcdef-01234567", "refresh-0123456789abcdef-0123456"]

  @Test func theLogOfASignInHasNoCredentials() throws {
    let responder = try responder()
    func ask(_ target: String, _ body: String? = nil) throws -> Reply {
      let fields = [HeaderField("Host", "127.0.0.1:8080"), HeaderField("Authorization", "Bearer k")]
      return responder.respond(
        to: ReceivedRequest(
          method: body == nil ? "GET" : "POST", target: target, fields: fields, body: Array((body ?? "").utf8)))
    }
    let start = try ask(Self.target, "step=service&email=kai%40mail.test")
    let location = try #require(start.fields.first { $0.isNamed("Location") }?.value)
    let state = try #require(try WebURL(parsing: location).query.first { $0.name == "state" }?.value)
    let waiting = try #require(try ask("/channels/lamps/authorize?code=\(Self.code)&state=\(state)").deferred)
    while waiting.current == nil {
      let due = responder.takeRequests().requests
      try #require(!due.isEmpty)
      for planned in due { try answer(planned, responder) }
    }
    let page = String(decoding: try #require(waiting.current).body, as: UTF8.self)
    let ticket = try #require(
      page.split(separator: #"name="signed_in" value=""#).last?.split(separator: #"""#).first.map(String.init))
    #expect(ticket.count == 64 && ticket != state)
    _ = try ask(Self.target, "step=configuration&email=kai%40mail.test&signed_in=\(ticket)")

    for part in ["requests", "activity"] {
      let shown = String(decoding: try ask("/.sandbox/\(part)").body, as: UTF8.self)
      #expect(shown.contains("signed_in") && (part == "activity" || shown.contains("grant_type=authorization_code")))
      for secret in [state, ticket, Self.code, "client-secret"] + Self.tokens {
        #expect(!shown.contains(secret), "\(part) contains \(secret): \(shown)")
      }
    }
  }

  private func responder() throws -> SandboxResponder {
    let definition = try ServiceDefinition(parsing: Array(Self.definition.utf8))
    let seed = try SandboxSeed(parsing: DefinedSeed(definition).json.bytes)
    var emulator = Emulator(state: .seed, seed: seed)
    let now = Timestamp(milliseconds: 1_772_601_007_250)
    var rules = ConnectionRuntime.Rules()
    rules.signIn = SignInRules(
      clientID: "x", authorizeURL: try WebURL(parsing: "\(Self.url)/a"), entropy: Array(0..<32))
    emulator.startRuntime(rules, secrets: [Secret(word: "client-secret")], at: now)
    return SandboxResponder(
      .init(emulator: emulator), key: "k", clock: TestWorld(now: now).world.clock, accessLog: nil)
  }

  /// Respond as the service does. Its responses repeat the credentials.
  private func answer(_ planned: PartnerRequest, _ responder: SandboxResponder) throws {
    let requests = ServiceRequests(
      ServiceURL(prefix: try WebURL(parsing: Self.url)), isTest: false, random: Self.random(1))
    let request: Request
    let body: JSONValue
    switch planned.call.grant {
    case .code(let code, let redirectURI):
      let client = TokenClient(
        id: "x", secret: Secret(word: "client-secret"), url: try WebURL(parsing: "\(Self.url)/t"))
      request = client.exchange(try #require(Secret(parsing: code)), redirectURI: redirectURI, requests)
      body = ["access_token": .string(Self.tokens[0]), "refresh_token": .string(Self.tokens[1]), "note": .string(code)]
    default:
      let token = try #require(planned.accessToken.flatMap(Secret.init(parsing:)))
      request = requests.request(planned.call.method, ServicePath(planned.call.path), .accessToken(token))
      let user: JSONValue = ["id": "kai-1", "name": .string("\(Self.code) \(Self.tokens.joined(separator: " "))")]
      body = ["data": planned.call.path == ["user", "info"] ? user : [["value": "hall", "label": "Hall"]]]
    }
    let response = Response(status: 200, body: body.bytes)
    responder.receive(
      .response(status: 200, body: body.bytes),
      LoggedExchange(sent: request, .success(response), failure: nil, duration: .zero), for: planned.id)
  }
}
