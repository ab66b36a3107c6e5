import HTTP
import JSON
import Sandbox
import Testing
import Text

/// Access tokens that a partner's server rejects.
@Suite struct AccessTokenRefreshTests {
  /// A session of which the first user has a refresh token, with the connection enabled.
  private func session(refreshes: Bool = true, secrets: [StaticString] = []) throws -> RuntimeSession {
    var seed = try #require(RuntimeSession.seed.object)
    var users = try #require(seed["users"]?.array)
    var first = try #require(users[0].object)
    first["refresh_token"] = "r-1"
    users[0] = .object(first)
    seed["users"] = .array(users)
    var session = try RuntimeSession(seed: .object(seed), secrets: secrets.map { Secret(word: $0) }) {
      $0.signIn = refreshes ? SignInRules(clientID: "ifttt", authorizeURL: nil, entropy: []) : nil
    }
    session.ask(.post, "/v2/connections/C1/enable")
    session.forget()
    session.pass(.seconds(5))
    return session
  }

  private func due(_ session: inout RuntimeSession) -> [PartnerRequest] {
    session.emulator.takeRequests(at: session.now)
  }

  private let rejection = PartnerResponse.errors(401, ["message": "No such token."])

  private func tokens(_ text: JSONValue) -> PartnerResponse { .response(status: 200, body: text.bytes) }

  private func refreshes(_ session: RuntimeSession) -> [ActivityRecord] {
    session.activity.filter { $0.cause == .unauthorized }
  }

  @Test func theRequestIsSentAgainWithTheNewToken() throws {
    var session = try session()
    let poll = try #require(due(&session).first)
    #expect(poll.accessToken == "a-1" && poll.call.grant == nil)
    #expect(session.emulator.receive(rejection, for: poll.id, at: session.now).isEmpty)
    let refresh = try #require(due(&session).first)
    #expect(refresh.call.grant == .refreshToken("r-1") && refresh.accessToken == nil)
    #expect(due(&session).isEmpty, "the poll waits")
    let body: JSONValue = ["access_token": "a-new", "refresh_token": "r-new", "token_type": "Bearer"]
    _ = session.emulator.receive(tokens(body), for: refresh.id, at: session.now)
    let again = try #require(due(&session).first)
    #expect(again.call == poll.call && again.accessToken == "a-new")
    #expect(refreshes(session).map(\.step) == [.refreshed] && refreshes(session)[0].user == "u-1")

    _ = session.emulator.receive(.data([]), for: again.id, at: session.now)
    // The next 401 is refreshed with the new refresh token.
    session.pass(.seconds(5))
    let later = try #require(due(&session).first)
    _ = session.emulator.receive(rejection, for: later.id, at: session.now)
    #expect(due(&session).map(\.call.grant) == [.refreshToken("r-new")])
  }

  /// The service has issued the token with which its server gets requests, as well as that of the fixtures.
  @Test func theTokenOfTheServerCanBeExchanged() throws {
    var session = try session()
    session.emulator.startRuntime(accessToken: "a-given", at: session.now)
    for (token, status) in [("a-given", 200), ("a-1", 200), ("a-2", 401), ("a-other", 401)] {
      let target = "/v2/user_token?user_id=u-1&access_token=\(token)"
      #expect(session.ask(.post, target, [RuntimeSession.key])?.status == status, "\(token)")
    }
  }

  @Test func aServerThatRejectsANewTokenGetsNoFurtherRefresh() throws {
    var session = try session()
    let poll = try #require(due(&session).first)
    _ = session.emulator.receive(rejection, for: poll.id, at: session.now)
    let refresh = try #require(due(&session).first)
    _ = session.emulator.receive(tokens(["access_token": "a-new"]), for: refresh.id, at: session.now)
    let again = try #require(due(&session).first)
    _ = session.emulator.receive(rejection, for: again.id, at: session.now)
    #expect(due(&session).isEmpty)
    #expect(session.activity.last?.step == .failed && session.activity.last?.detail == "No such token.")
    session.pass(.seconds(5))
    let later = try #require(due(&session).first)
    _ = session.emulator.receive(rejection, for: later.id, at: session.now)
    #expect(due(&session).isEmpty)
  }

  /// Otherwise the sandbox would wake up again and again until the response comes.
  @Test func aRequestThatWaitsForAResponseIsNotDue() throws {
    var session = try session()
    let poll = try #require(due(&session).first)
    session.ask(.post, "/v2/connections/C1/disable")
    #expect(due(&session).isEmpty, "the deletion of the identity waits for the poll")
    #expect(session.emulator.nextRuntimeTime.map { $0 > session.now } ?? true)
    _ = session.emulator.receive(.data([]), for: poll.id, at: session.now)
    #expect(due(&session).map(\.call.method) == [.delete])
  }

  @Test(arguments: [
    (PartnerResponse.response(status: 400, body: Array(#"{"error":"invalid_grant"}"#.utf8)), "invalid_grant"),
    (.response(status: 200, body: Array("{}".utf8)), "the response has no access_token"),
    (.failure("no response: it is down"), "no response: it is down"),
  ])
  func aFailedRefreshEndsTheRequest(_ response: PartnerResponse, _ reason: String) throws {
    var session = try session()
    let poll = try #require(due(&session).first)
    _ = session.emulator.receive(rejection, for: poll.id, at: session.now)
    let refresh = try #require(due(&session).first)
    _ = session.emulator.receive(response, for: refresh.id, at: session.now)
    #expect(due(&session).isEmpty)
    #expect(refreshes(session).map(\.detail) == ["no new access token: \(reason)"])
    #expect(session.activity.last?.step == .failed && session.activity.last?.detail == "No such token.")
    // Only a refresh token that the server rejected is not used again.
    session.pass(.seconds(5))
    let later = try #require(due(&session).first)
    _ = session.emulator.receive(rejection, for: later.id, at: session.now)
    #expect(due(&session).isEmpty == (reason == "invalid_grant"))
  }

  /// Servers repeat what they received in the texts of errors and events.
  @Test(arguments: [400, 200]) func theActivityContainsNoCredentials(status: Int) throws {
    var session = try session(secrets: ["client-secret", "service-key"])
    let credentials = ["client-secret", "service-key", "a-1", "a-2", "r-1", "r-unused"]
    let note = credentials.joined(separator: "; ")
    let rejection = PartnerResponse.errors(401, ["message": .string(note)])
    let poll = try #require(due(&session).first)
    _ = session.emulator.receive(rejection, for: poll.id, at: session.now)
    let refresh = try #require(due(&session).first)
    let body: JSONValue = ["error": .string(note), "refresh_token": "r-unused"]
    _ = session.emulator.receive(.response(status: status, body: body.bytes), for: refresh.id, at: session.now)
    for _ in 0..<2 {
      session.pass(.seconds(5))
      let later = try #require(due(&session).first)
      let event: JSONValue = ["meta": ["id": .string("\(later.id) \(note)"), "timestamp": 1_772_600_000]]
      _ = session.emulator.receive(.data([event]), for: later.id, at: session.now)
    }
    let texts = session.activity.flatMap { [$0.detail, $0.event, $0.identity, $0.user] }.compactMap(\.self)
    #expect(texts.contains { $0.hasSuffix("…; …; …; …; …; …") || $0.contains("…; …; …; …; …; r-") })
    for text in texts {
      for credential in credentials.dropLast() { #expect(!text.contains(credential), "\(text)") }
    }
    #expect(!refreshes(session).contains { $0.detail?.contains("r-unused") != false })
    #expect(session.activity.contains { $0.event?.contains("…") == true })
  }

  /// A server may also repeat a token that was replaced.
  @Test func replacedTokensStayMasked() throws {
    var session = try session()
    let poll = try #require(due(&session).first)
    _ = session.emulator.receive(rejection, for: poll.id, at: session.now)
    let refresh = try #require(due(&session).first)
    _ = session.emulator.receive(
      tokens(["access_token": "a-new", "refresh_token": "r-new"]), for: refresh.id, at: session.now)
    let again = try #require(due(&session).first)
    let note: JSONValue = ["message": "a-1, r-1, a-new, r-new"]
    _ = session.emulator.receive(.errors(500, note), for: again.id, at: session.now)
    #expect(session.activity.last?.detail == "…, …, …, …")
  }

  @Test func requestsThatAreRejectedTogetherLeadToOneRefresh() throws {
    var session = try session()
    let poll = try #require(due(&session).first)
    let asked = session.emulator.respond(
      to: request(
        .get, "/v2/connections/C1/triggers/lamps.pressed/field_options", [RuntimeSession.first], host: "127.0.0.1"),
      at: session.now)
    #expect(asked.response == nil, "the options need the server")
    let options = try #require(due(&session).first)
    for id in [poll.id, options.id] { _ = session.emulator.receive(rejection, for: id, at: session.now) }
    let refresh = due(&session)
    #expect(refresh.map(\.call.grant) == [.refreshToken("r-1")])
    _ = session.emulator.receive(tokens(["access_token": "a-new"]), for: refresh[0].id, at: session.now)
    let again = due(&session)
    #expect(again.map(\.call.path) == [poll.call.path, options.call.path])
    #expect(again.map(\.accessToken) == ["a-new", "a-new"])
    let done = session.emulator.receive(.data([]), for: again[1].id, at: session.now)
    #expect(done.map(\.key) == [asked.key])
  }

  @Test func aRequestWithAnOlderTokenIsSentAgainAtOnce() throws {
    var session = try session()
    let poll = try #require(due(&session).first)
    _ = session.emulator.respond(
      to: request(
        .get, "/v2/connections/C1/triggers/lamps.pressed/field_options", [RuntimeSession.first], host: "127.0.0.1"),
      at: session.now)
    let options = try #require(due(&session).first)
    _ = session.emulator.receive(rejection, for: poll.id, at: session.now)
    let refresh = try #require(due(&session).first)
    _ = session.emulator.receive(tokens(["access_token": "a-new"]), for: refresh.id, at: session.now)
    _ = due(&session)
    _ = session.emulator.receive(rejection, for: options.id, at: session.now)
    #expect(due(&session).map(\.accessToken) == ["a-new"])
    #expect(refreshes(session).count == 1)
  }

  @Test func withoutAClientATokenIsNotRefreshed() throws {
    var session = try session(refreshes: false)
    let poll = try #require(due(&session).first)
    _ = session.emulator.receive(rejection, for: poll.id, at: session.now)
    #expect(due(&session).isEmpty && refreshes(session).isEmpty)
    #expect(session.activity.last?.step == .failed)
  }
}
