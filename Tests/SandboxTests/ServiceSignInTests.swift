import HTTP
import JSON
import Sandbox
import Testing

/// Signing in on the page of a partner's service (docs/api/service.md §2).
@Suite struct ServiceSignInTests {
  private static let callback = "http://127.0.0.1:8080/channels/lamps/authorize"

  @Test func theServicesOwnUserEnablesTheConnection() throws {
    var visit = try SignInVisit()
    let parameters = try visit.startSignIn()
    let state = try #require(parameters["state"])
    #expect(
      parameters == [
        "brand": "1", "client_id": "ifttt-id", "response_type": "code", "scope": "ifttt", "state": state,
        "redirect_uri": Self.callback,
      ])
    #expect(state.utf8.count == 64 && visit.session.sent.isEmpty, "nothing is requested before the redirect")

    visit.callBack("code=code-kai&state=\(state)")
    #expect(visit.shown.status == 200 && visit.step == "configuration" && visit.html.contains("Kai"))
    #expect(visit.exchanges == [.code("code-kai", redirectURI: Self.callback)])
    let userInfo = try #require(visit.session.sent.first { $0.call.path == ["user", "info"] })
    #expect(userInfo.accessToken == "at-1" && userInfo.call.method == .get)
    let options = visit.session.sent.filter { $0.call.path.last == "options" }
    #expect(options.map(\.accessToken) == ["at-1"] && visit.html.contains("Hall"))
    #expect(visit.session.activity.first?.step == .signedIn && visit.session.activity.first?.user == "kai-1")

    let token = try visit.finish()
    let me = visit.session.ask(.get, "/v2/connections/C1", [.bearer(token)])
    #expect(me?.json["user_status"] == "enabled")
    #expect(visit.status(of: "kai-1") == "enabled" && visit.status(of: "u-1") == "disabled")
    let webhook = visit.session.body("webhooks/connection/enabled")
    #expect(webhook?["data"]?["user_id"] == "kai-1")
    let poll = visit.session.sent.last { $0.call.path == ["triggers", "pressed"] }
    #expect(poll?.accessToken == "at-1")
    #expect(visit.exchanges.count == 1, "later pages exchange nothing")
  }

  @Test func theConnectURLAndSkippedConfigurationsSignInToo() throws {
    var visit = try SignInVisit()
    let state = try #require(try visit.startSignIn("kai@mail.test", "&skip_config=true")["state"])
    visit.callBack("code=code-kai&state=\(state)")
    #expect(visit.step == "connect" && visit.html.contains("pending") && visit.html.contains("Kai"))
    visit.press()
    #expect(visit.location?.contains("next_step=complete") == true && visit.status(of: "kai-1") == "enabled")

    visit.open("/connect/C1?email=mira%40mail.test")
    visit.press()
    visit.press()
    let next = try #require(visit.location?.split(separator: "state=").last?.prefix(64))
    visit.callBack("state=\(next)&code=code-mira")
    #expect(visit.step == "configuration" && visit.html.contains("Mira"))
    visit.press(typing: ["c.0.triggers0.0": "hall", "c.0.actions0.0": "Note"])
    visit.press()
    #expect(visit.html.contains("Connected") && visit.status(of: "mira-7") == "enabled")
  }

  @Test func severalPeopleHaveTheirOwnIdsAndTokens() throws {
    var visit = try SignInVisit()
    try visit.activate("kai@mail.test", code: "code-kai")
    try visit.activate("mira@mail.test", code: "code-mira")
    visit.session.forget()
    visit.session.pass(.seconds(5))
    visit.session.settle()
    let polls = visit.session.sent.filter { $0.call.path == ["triggers", "pressed"] }
    #expect(Set(polls.map(\.accessToken)) == ["at-1", "at-2"])
    visit.session.forget()
    visit.session.ask(.post, "/v1/notifications", [RuntimeSession.key], ["data": [["user_id": "mira-7"]]])
    #expect(visit.session.sent.map(\.accessToken) == ["at-2"])
    #expect(visit.session.emulator.users(from: 0).users.map(\.id) == ["u-1", "u-2", "kai-1", "mira-7"])
  }

  /// The service's id is the user, whatever the account.
  @Test func aPersonWhoSignsInAgainIsTheSameUser() throws {
    var visit = try SignInVisit()
    try visit.activate("kai@mail.test", code: "code-kai")
    try visit.activate("other@mail.test", code: "code-kai-2")
    let users = visit.session.emulator.users(from: 0).users
    #expect(users.map(\.id) == ["u-1", "u-2", "kai-1"] && users.last?.accessToken == "at-2")
    #expect(visit.session.ask(.get, "/v2/account/find?email=other@mail.test", [])?.status == 204)
    visit.session.forget()
    visit.session.scripted["triggers/pressed"] = .errors(500, ["message": "at-1 rt-1 at-2 rt-2"])
    visit.session.pass(.seconds(5))
    visit.session.settle()
    #expect(visit.session.sent.map(\.accessToken) == ["at-2"])
    #expect(visit.session.activity.last?.detail == "… … … …", "also the replaced tokens")
  }

  /// A user of the fixtures with the same id is the same user.
  @Test func aUserOfTheFixturesCanSignIn() throws {
    var visit = try SignInVisit()
    visit.session.codes["code-one"] = ["id": "u-1"]
    try visit.activate("new@mail.test", code: "code-one")
    #expect(visit.session.emulator.users(from: 0).users.map(\.id) == ["u-1", "u-2"])
    #expect(visit.status(of: "u-1") == "enabled")
    #expect(visit.session.sent.last { $0.call.path == ["triggers", "pressed"] }?.accessToken == "at-1")
  }

  @Test func eachUserHasARefreshTokenOfTheirOwn() throws {
    var visit = try SignInVisit()
    try visit.activate("kai@mail.test", code: "code-kai")
    try visit.activate("mira@mail.test", code: "code-mira")
    visit.session.forget()
    visit.session.expired = ["at-2"]
    visit.session.pass(.seconds(5))
    visit.session.settle()
    #expect(visit.exchanges == [.refreshToken("rt-2")])
    let polls = visit.session.sent.filter { $0.call.path == ["triggers", "pressed"] }.compactMap(\.accessToken)
    #expect(polls.sorted() == ["at-1", "at-2", "at-3"])
    #expect(visit.session.activity.last { $0.step == .refreshed }?.user == "mira-7")
  }

  @Test func theTokenOfTheServiceCanBeExchanged() throws {
    var visit = try SignInVisit()
    try visit.activate("kai@mail.test", code: "code-kai")
    for (user, token, status) in [("kai-1", "at-1", 200), ("kai-1", "at-2", 401), ("u-1", "at-1", 401)] {
      let target = "/v2/user_token?user_id=\(user)&access_token=\(token)"
      #expect(visit.session.ask(.post, target, [RuntimeSession.key])?.status == status, "\(user) \(token)")
    }
  }

  // MARK: Several windows

  @Test func windowsDoNotAffectEachOther() throws {
    var visit = try SignInVisit()
    let first = try #require(try visit.startSignIn("kai@mail.test")["state"])
    let second = try #require(try visit.startSignIn("mira@mail.test")["state"])
    #expect(first != second)
    visit.callBack("code=code-mira&state=\(second)")
    #expect(visit.step == "configuration" && visit.html.contains("Mira"))
    var other = visit
    other.callBack("code=code-kai&state=\(first)")
    #expect(other.step == "configuration" && other.html.contains("Kai"))
    visit.session = other.session
    _ = try visit.finish()
    #expect(visit.status(of: "mira-7") == "enabled" && visit.status(of: "kai-1") == "never_enabled")
  }

  /// The second request comes while the first one waits for the token URL.
  @Test func aStateAndACodeAreUsedByOneRequest() throws {
    var visit = try SignInVisit()
    let state = try #require(try visit.startSignIn()["state"])
    let other = try #require(try visit.startSignIn()["state"])
    func target(_ state: String) -> String { "/channels/lamps/authorize?code=code-kai&state=\(state)" }
    func callBack(_ state: String) throws -> Request {
      try #require(Request(receivedMethod: "GET", target: target(state), headers: [], body: []))
    }
    let now = visit.session.now
    let waiting = visit.session.emulator.respond(to: try callBack(state), target: target(state), at: now)
    #expect(waiting.response == nil)
    let again = visit.session.emulator.respond(to: try callBack(state), target: target(state), at: now)
    #expect(again.response?.status == 400)
    let replayed = visit.session.emulator.respond(to: try callBack(other), target: target(other), at: now)
    let replayedPage = String(decoding: try #require(replayed.response).body, as: UTF8.self)
    #expect(replayedPage.contains("used before"))
    visit.session.settle()
    #expect(visit.exchanges.count == 1)
    let late = try #require(visit.session.late[waiting.key])
    let page = String(decoding: late.body, as: UTF8.self)
    #expect(late.status == 200 && page.contains("Kai"))
  }

  /// The hidden fields of the forms cannot replace the sign-in.
  @Test(arguments: ["", "code", "0", "kai-1"]) func noStepSkipsTheSignIn(_ ticket: String) throws {
    var visit = try SignInVisit()
    try visit.activate("kai@mail.test", code: "code-kai")
    for step in ["configuration", "connect"] {
      let form = [
        QueryItem("step", step), QueryItem("email", "kai@mail.test"), QueryItem("signed_in", ticket),
        QueryItem("c.0.on", "on"), QueryItem("c.0.triggers0.0", "hall"), QueryItem("c.0.actions0.0", "x"),
      ]
      let response = visit.session.browse(SignInVisit.access + "kai%40mail.test", form: form)
      let html = String(decoding: response.body, as: UTF8.self)
      #expect(response.status == 200 && html.contains(#"name="step" value="service""#), "\(html)")
    }
  }

  @Test func aSignInIsForgottenAfterAnHour() throws {
    var visit = try SignInVisit()
    let state = try #require(try visit.startSignIn()["state"])
    visit.callBack("code=code-kai&state=\(state)")
    visit.session.pass(.seconds(3600))
    visit.press(typing: ["c.0.triggers0.0": "hall", "c.0.actions0.0": "Note"])
    #expect(visit.step == "service")
  }

  @Test func aStateCannotBeGuessed() throws {
    var states: Set<String> = []
    for entropy in [[1], [2]] as [[UInt8]] {
      var visit = try SignInVisit(entropy: entropy)
      for _ in 0..<3 { states.insert(try #require(try visit.startSignIn()["state"])) }
      // A reset makes no state again.
      var fresh = try SignInVisit(entropy: entropy)
      fresh.session.emulator.replace(visit.session.emulator)
      states.insert(try #require(try fresh.startSignIn()["state"]))
    }
    #expect(states.count == 8)
  }

  @Test func theNumberOfSignInsIsLimited() throws {
    var visit = try SignInVisit()
    let states = try (0..<1001).map { _ in try #require(try visit.startSignIn()["state"]) }
    #expect(visit.callBack("error=access_denied&state=\(states[0])").status == 400)
    #expect(visit.callBack("error=access_denied&state=\(states[1])").status == 200)
    #expect(visit.callBack("error=access_denied&state=\(states[1000])").status == 200)
  }
}
