import Foundation
import HTTP
import JSON
import Sandbox
import Testing

/// Sign-ins at a partner's service that fail, and requests to the callback URL that belong to no sign-in.
@Suite struct SignInFailureTests {
  // MARK: Hostile requests

  @Test(arguments: ["", "code=code-kai", "code=code-kai&state=", "code=code-kai&state=unknown", "state=%00", "error=x"])
  func aRedirectWithoutAStateIsRejected(_ query: String) throws {
    var visit = try SignInVisit()
    _ = try visit.startSignIn()
    visit.callBack(query)
    #expect(visit.shown.status == 400 && visit.location == nil && visit.session.sent.isEmpty)
    #expect(visit.html.contains("Unknown sign-in") && !visit.html.contains("code-kai"))
  }

  @Test func aStateIsForOneServiceOneRedirectAndTenMinutes() throws {
    var visit = try SignInVisit()
    let state = try #require(try visit.startSignIn()["state"])
    for service in ["mail", "none", "%2Flamps"] {
      #expect(visit.callBack("code=code-kai&state=\(state)", service: service).status == 400)
    }
    #expect(visit.session.sent.isEmpty)
    #expect(visit.callBack("code=code-kai&state=\(state)").status == 200)
    let count = visit.session.sent.count
    for query in ["code=code-mira&state=\(state)", "error=access_denied&state=\(state)"] {
      #expect(visit.callBack(query).status == 400 && visit.location == nil)
    }
    let late = try #require(try visit.startSignIn()["state"])
    visit.session.pass(.seconds(600))
    #expect(visit.callBack("code=code-mira&state=\(late)").status == 400)
    #expect(visit.session.sent[count...].allSatisfy { $0.call.grant == nil })
  }

  @Test func theCallbackIsOnlyRead() throws {
    var visit = try SignInVisit()
    let state = try #require(try visit.startSignIn()["state"])
    let response = visit.session.browse("/channels/lamps/authorize", form: [QueryItem("state", state)])
    #expect(response.status == 405 && response.header("Allow") == "GET, HEAD")
  }

  @Test func withoutASignInPageThereIsNoCallback() throws {
    var visit = try SignInVisit(hasPage: false)
    #expect(visit.callBack("code=code-kai&state=x").status == 400 && visit.session.sent.isEmpty)
    visit.open(SignInVisit.access + "kai@mail.test")
    visit.press()
    #expect(visit.step == "service" && visit.html.contains("The sandbox skips that"))
    visit.press()
    #expect(visit.step == "configuration")
  }

  @Test func aResetForgetsAllSignIns() throws {
    var visit = try SignInVisit()
    let state = try #require(try visit.startSignIn()["state"])
    let old = visit.session.emulator
    visit.session = try SignInVisit().session
    visit.session.emulator.replace(old)
    #expect(visit.callBack("code=code-kai&state=\(state)").status == 400 && visit.session.sent.isEmpty)
  }

  // MARK: Failures

  private static let hostile = "<b>oops</b> code-kai"

  /// The responses of the token URL and of `user/info`, and what the page shows.
  private static let failures: [(endpoint: String, PartnerResponse, shown: String)] = [
    ("token", .failure("no response: it is down"), "the token URL failed: no response: it is down"),
    ("token", .response(status: 500, body: []), "the token URL responded with 500"),
    ("token", .response(status: 200, body: Array("{}".utf8)), "has no access_token"),
    ("token", .response(status: 200, body: Array(#"{"access_token":"a\nb"}"#.utf8)), "has no access_token"),
    (
      "token", .response(status: 400, body: Array(#"{"error":"\#(hostile)"}"#.utf8)),
      "the token URL responded with 400: &lt;b&gt;oops&lt;/b&gt; …"
    ),
    ("user/info", .errors(401, ["message": .string(hostile)]), "user/info responded with 401: &lt;b&gt;oops"),
    ("user/info", .failure("no response: timeout"), "user/info failed: no response: timeout"),
    ("user/info", .data(["name": "Kai"]), "has no id"), ("user/info", .data(["id": 7]), "has no id"),
    ("user/info", .data(["id": ""]), "has no id"),
    ("user/info", .data(["id": .string(String(repeating: "x", count: 201))]), "has no id"),
    ("user/info", .data([]), "has no id"), ("user/info", .response(status: 200, body: [0xff]), "has no id"),
  ]

  @Test(arguments: failures.indices) func aFailureIsShownAndReturnsToTheApp(_ index: Int) throws {
    let (endpoint, response, text) = Self.failures[index]
    var visit = try SignInVisit()
    let state = try #require(try visit.startSignIn()["state"])
    visit.session.scripted[endpoint] = response
    visit.callBack("code=code-kai&state=\(state)")
    try expectFailure(&visit, showing: text)
    let failed = visit.session.activity.filter { $0.step == .failed }
    #expect(failed.count == 1 && failed[0].detail?.hasPrefix("sign-in: ") == true)
    if case .response(let status, _) = response { #expect(failed[0].status == status) }
    #expect(visit.session.steps == ["failed"] && visit.session.emulator.users(from: 0).users.count == 2)
  }

  @Test(arguments: [
    ("error=access_denied", "the error access_denied"), ("error=server_error&code=code-kai", "the error server_error"),
    ("error=x&error_description=%3Cb%3Eoops%20code-kai&code=code-kai", "the error x: &lt;b&gt;oops …"),
    ("error=", "the error "), ("", "has no code"), ("code=", "has no code"), ("code=%00", "the code is not valid"),
  ])
  func anErrorInTheRedirectIsShown(_ query: String, _ text: String) throws {
    var visit = try SignInVisit()
    let state = try #require(try visit.startSignIn()["state"])
    visit.callBack("\(query)&state=\(state)")
    #expect(visit.session.sent.isEmpty)
    try expectFailure(&visit, showing: text)
    #expect(visit.session.activity.map(\.step) == [.failed] && visit.session.activity[0].connection == "C1")
    #expect(visit.session.activity[0].detail?.contains("code-kai") == false)
  }

  /// A page with one button, which returns to the app.
  private func expectFailure(_ visit: inout SignInVisit, showing text: String) throws {
    #expect(visit.shown.status == 200 && visit.html.contains(text), "\(visit.html)")
    for part in ["code-kai", "at-1", "<b>"] { #expect(!visit.html.contains(part), "\(visit.html)") }
    #expect(visit.html.components(separatedBy: "<button").count == 2 && !visit.html.contains("<a "))
    let count = visit.session.sent.count
    visit.press(("outcome", "auth-error"))
    #expect(visit.shown.status == 303 && visit.session.sent.count == count)
    #expect(visit.location == "http://127.0.0.1:9/r?next_step=error&error_type=auth_error")
  }

  @Test(arguments: ["/connect/C1?email=kai%40mail.test", "/connect/C1?email=kai%40mail.test&redirect_uri=app%3Ax"])
  func theConnectURLEndsAsEver(_ target: String) throws {
    var visit = try SignInVisit()
    visit.open(target)
    visit.press()
    visit.press()
    let state = try #require(visit.location?.split(separator: "state=").last?.prefix(64))
    visit.callBack("error=access_denied&state=\(state)")
    visit.press(("outcome", "auth-error"))
    if target.hasSuffix("x") {
      #expect(visit.location == "app:x")
    } else {
      #expect(visit.shown.status == 200 && visit.html.contains("signing in to the service failed"))
    }
  }

  /// A user of another service cannot be taken over.
  @Test func anIdOfAnotherServiceIsRejected() throws {
    var seed = try #require(RuntimeSession.seed.object)
    seed["services"] = [
      ["id": "lamps", "name": "Lamps", "key": "k-1"], ["id": "mail", "name": "Mail", "key": "k-2"],
    ]
    var users = try #require(seed["users"]?.array)
    users.append(["id": "m-1", "service": "mail", "login": "mail", "user_token": "t-m", "access_token": "a-m"])
    seed["users"] = .array(users)
    var visit = try SignInVisit()
    let rules = try #require(visit.session.emulator.runtime).rules
    visit.session = try RuntimeSession(seed: .object(seed)) { $0 = rules }
    visit.session.codes["code-m"] = ["id": "m-1"]
    let state = try #require(try visit.startSignIn()["state"])
    visit.callBack("code=code-m&state=\(state)")
    try expectFailure(&visit, showing: "another service of the sandbox has a user with this id")
  }

  // MARK: Codes

  @Test(arguments: [true, false]) func aCodeInTheURLIsExchangedOnce(_ hasPage: Bool) throws {
    var visit = try SignInVisit(hasPage: hasPage)
    visit.open(SignInVisit.access + "kai@mail.test&code=code-kai")
    visit.open(SignInVisit.access + "kai@mail.test&code=code-kai")
    #expect(visit.session.sent.isEmpty, "the first page exchanges nothing")
    visit.press()
    #expect(visit.step == "configuration" && visit.html.contains("Kai"), "\(visit.html)")
    #expect(
      visit.exchanges == [.code("code-kai", redirectURI: "http://127.0.0.1:8080/channels/lamps/authorize")])
    _ = try visit.finish()
    #expect(visit.status(of: "kai-1") == "enabled")

    visit.open(SignInVisit.access + "kai@mail.test&code=code-kai")
    visit.press()
    #expect(visit.step == "service" && visit.exchanges.count == 1, "a used code is not sent again")
  }

  /// The rule for codes without a server does not apply.
  @Test(arguments: [true, false], ["oc_91fz", "wrong", "%00"])
  func aBadCodeAddsTheSignIn(_ hasPage: Bool, _ code: String) throws {
    var visit = try SignInVisit(hasPage: hasPage)
    visit.open(SignInVisit.access + "kai@mail.test&code=\(code)")
    visit.press()
    #expect(visit.step == "service" && visit.shown.status == 200)
    #expect(visit.exchanges.count == (code == "%00" ? 0 : 1))
    visit.press()
    #expect(visit.shown.status == (hasPage ? 303 : 200))
  }

  @Test func theCodeBehindAProvisionalCodeIsExchanged() throws {
    var visit = try SignInVisit()
    func provisional(_ code: String) throws -> String {
      let body: JSONValue = ["oauth_code": .string(code)]
      let response = visit.session.ask(.post, "/v2/provisional_access_code", [RuntimeSession.key], body)
      return try #require(response?.json["provisional_access_code"]?.string)
    }
    let good = try provisional("code-kai")
    let bad = try provisional("oc_1")
    for (code, step, count) in [(good, "configuration", 1), (good, "service", 1), (bad, "service", 2)] {
      visit.open("/connect/C1?email=kai%40mail.test&code=\(code)")
      visit.press()
      #expect(visit.step == step && visit.exchanges.count == count, "\(visit.html)")
    }
  }

  // MARK: The log

  @Test func noEntryContainsACredential() throws {
    var visit = try SignInVisit()
    let state = try #require(try visit.startSignIn()["state"])
    let text = "code-kai at-1 rt-1"
    visit.session.scripted["user/info"] = .errors(500, ["message": .string(text)])
    visit.callBack("code=code-kai&state=\(state)")
    let details = visit.session.activity.compactMap(\.detail)
    #expect(details == ["sign-in: user/info responded with 500: … … …"], "\(details)")
    #expect(visit.html.contains("… … …"))
  }

  @Test func anExchangeIsNotSentAgain() throws {
    var visit = try SignInVisit()
    visit.session.scripted["token"] = .response(status: 400, body: [])
    let state = try #require(try visit.startSignIn()["state"])
    visit.callBack("code=code-kai&state=\(state)")
    let entry = try #require(visit.session.emulator.log.all.last { $0.activity?.step == .failed })
    #expect(throws: SendAgainError.self) {
      try visit.session.emulator.sendAgain(entry, RequestEdit(), at: visit.session.now)
    }
  }
}
