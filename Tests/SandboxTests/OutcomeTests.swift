import Foundation
import HTTP
import JSON
import Sandbox
import Testing

/// Every outcome of an activation, its redirect, and the requests that are rejected beforehand
/// (docs/api/activation.md §17).
@Suite struct OutcomeTests {
  private static func access(_ uri: String, _ rest: String = "&email=kai%40mail.test") -> String {
    let allowed = CharacterSet.alphanumerics
    return
      "/access/api/Ud6Jn1Gs?sdk_return_to=\(uri.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")\(rest)"
  }

  private static let outcomes = [
    ("complete", "?next_step=complete&user_token="), ("complete-without-token", "?next_step=complete"),
    ("complete-skipped", "?next_step=complete&user_token="), ("complete-as-another", "?next_step=complete&user_token="),
    ("account-creation-failed", "?next_step=error&error_type=account_creation"),
    ("auth-error", "?next_step=error&error_type=auth_error"),
    ("verification-failed", "?next_step=error&error_type=verification_failed"),
    ("connection-request-failed", "?next_step=error&error_type=connection_request_failed"),
    ("cancelled", "?next_step=user_cancelled_configuration"), ("odd-nothing", ""),
    ("odd-next-step", "?next_step=service_authentication&service_id=lampost"),
    ("odd-fragment", "#next_step=complete&user_token=behind_the_fragment"),
    ("odd-escape", "?next_step=complete&user_token=%zz"),
  ]

  @Test(arguments: outcomes)
  func everyOutcomeRedirectsWithItsResult(name: String, result: String) throws {
    let target = Self.access("https://lampost.test/done")
    var (clicked, asked, switched) = (Browser(), Browser(), Browser())
    clicked.open(target)
    #expect(clicked.html.contains("value=\"\(name)\""))
    clicked.press(("outcome", name))
    asked.open("\(target)&emulator_outcome=\(name)")
    switched.session.emulator.web.outcome = ActivationOutcome(rawValue: name)
    switched.open(target)
    for var browser in [clicked, asked, switched] {
      #expect(browser.shown.status == 303 && browser.shown.body.isEmpty)
      #expect(browser.shown.header("Cache-Control") == "no-store")
      #expect(browser.shown.header("Content-Type") == nil)
      let location = try #require(browser.returned)
      let expected = "https://lampost.test/done\(result)"
      if result.hasSuffix("user_token=") {
        #expect(location.hasPrefix(expected) && location.utf8.count == expected.utf8.count + 48)
        let token = String(location.suffix(48))
        let login = browser.session.get("/v2/me", [.bearer(token)]).json["user_login"]
        #expect(login == (name == "complete-as-another" ? "mira_o" : "kai_lamps"))
        let shown = browser.session.get("/v2/connections/Ud6Jn1Gs", [.bearer(token)])
        #expect(shown.status200 == "enabled" && shown.assumptions == (name == "complete-skipped" ? ["U4"] : []))
      } else {
        #expect(location == expected)
        let status = browser.session.get("/v2/connections/Ud6Jn1Gs", [.token]).status200
        #expect(status == (name == "complete-without-token" ? "enabled" : "never_enabled"))
      }
    }
  }

  /// Every outcome is above, except the one that does not redirect.
  @Test func everyOutcomeIsTested() {
    #expect(Set(Self.outcomes.map(\.0)) == Set(ActivationOutcome.allCases.map(\.rawValue)).subtracting(["stay"]))
  }

  @Test func stayDoesNotRedirect() {
    var browser = Browser()
    browser.open(Self.access("https://lampost.test/", "&username=kai_lamps&emulator_outcome=stay"))
    #expect(browser.shown.status == 200 && browser.returned == nil && browser.html.contains("This page ends here"))
  }

  /// The redirect URI keeps its own parts; the result is appended (docs/api/activation.md U14).
  @Test(arguments: [
    ("lampost://done", "lampost://done?R"), ("lampost://done?a=1&b=2#f", "lampost://done?a=1&b=2&R#f"),
    ("https://a.test/?", "https://a.test/?R"), ("https://a.test/x?y&", "https://a.test/x?y&R"),
    ("com.lampost.app:/back#x?y", "com.lampost.app:/back?R#x?y"),
    ("https://a.test/ü\"<>", "https://a.test/%C3%BC%22%3C%3E?R"),
    ("http://[::1]:8080/r", "http://[::1]:8080/r?R"), ("http://localhost/r", "http://localhost/r?R"),
  ])
  func redirectsKeepTheURIsOwnParts(redirectURI: String, expected: String) {
    var browser = Browser()
    browser.open(Self.access(redirectURI, "&email=kai%40mail.test&emulator_outcome=cancelled"))
    #expect(
      browser.returned == expected.replacingOccurrences(of: "R", with: "next_step=user_cancelled_configuration"))
  }

  @Test(arguments: [
    ("", "sdk_return_to is missing"), ("http://lampost.test/", "loopback"), ("http://127.0.0.1.evil.test/", "loopback"),
    ("http://localhost@evil.test/", "loopback"), ("http://127.0.0.1:80@evil.test/", "loopback"),
    ("/relative", "scheme"),
    ("javascript:alert(1)", "Redirects to this scheme are not allowed"),
    ("DATA:text/html,x", "Redirects to this scheme are not allowed"), ("https:", "no host"),
    ("https://a.test/\r\nSet-Cookie: a=b", "control character"), ("https://a.test/a b", "space"), ("1a:b", "scheme"),
  ])
  func rejectsUnsafeRedirectURIs(redirectURI: String, reason: String) {
    var browser = Browser()
    browser.open(Self.access(redirectURI, "&email=kai%40mail.test&emulator_outcome=complete"))
    #expect(browser.shown.status == 400 && browser.returned == nil && browser.html.contains(reason), "\(browser.html)")
  }

  @Test func acceptsOnlyRegisteredRedirectURIs() {
    var browser = Browser()
    browser.session.emulator.web.registered = ["lampost://done", "https://a.test/r"]
    for (redirectURI, status) in [
      ("lampost://done", 303), ("lampost://done/", 400), ("https://a.test/r?x", 400), ("https://a.test/r", 303),
    ] {
      browser.open(Self.access(redirectURI, "&email=kai%40mail.test&emulator_outcome=cancelled"))
      #expect(browser.shown.status == status, "\(redirectURI)")
    }
  }

  @Test(arguments: [
    ("/access/api/nosuch?sdk_return_to=a%3Ab&email=k%40m.test", 404), ("/connect/nosuch?email=k%40m.test", 404),
    ("/access/api/Mh4Ts7Aq?sdk_return_to=a%3Ab&email=k%40m.test", 404),
    ("/access/api/Mh4Ts7Aq?sdk_return_to=a%3Ab&email=k%40m.test&invite_code=no", 404),
    ("/access/api/Mh4Ts7Aq?sdk_return_to=a%3Ab&email=k%40m.test&invite_code=lantern-4417", 200),
    ("/access/api/Kd7Rn2Qx?sdk_return_to=a%3Ab", 400), ("/access/api/Kd7Rn2Qx?email=k%40m.test", 400),
    ("/access/api/Kd7Rn2Qx?sdk_return_to=a%3Ab&email=&username=", 400),
    ("/access/api/Kd7Rn2Qx?sdk_return_to=a%3Ab&email=k%40m.test&emulator_outcome=nosuch", 400),
    ("/connect/Kd7Rn2Qx", 400), ("/connect/Kd7Rn2Qx?email=k%40m.test", 200),
    ("/connect/Kd7Rn2Qx?email=k%40m.test&skip_config=true", 400),
    ("/connect/Kd7Rn2Qx?email=k%40m.test&skip_config=true&redirect_uri=https%3A%2F%2Fa.test", 200),
    ("/embed/lampost/applets/nosuch?redirect_uri=a%3Ab&user_id=u", 404),
    ("/embed/orchard/applets/mB3xWq7T?user_id=u", 404),
    ("/embed/lampost/applets/mB3xWq7T?user_id=u", 400), ("/embed/lampost/applets/mB3xWq7T?redirect_uri=a%3Ab", 400),
    ("/embed/lampost/applets/mB3xWq7T?redirect_uri=a%3Ab&user_id=u", 200), ("/connections/nosuch", 404),
    ("/connections/nosuch/edit", 404), ("/connections/Kd7Rn2Qx", 200), ("/connections/Kd7Rn2Qx/edit", 200),
  ])
  func pagesHaveTheExpectedStatus(target: String, status: Int) {
    var browser = Browser()
    browser.open(target)
    #expect(browser.shown.status == status)
    #expect(browser.shown.header("Content-Type") == "text/html; charset=utf-8")
    #expect(browser.shown.header("Cache-Control") == "no-store")
  }

  /// The Connect URL's redirect has no result unless the option is enabled (docs/api/activation.md U12).
  @Test func theConnectURLRedirectsWithoutAResult() throws {
    var browser = Browser()
    let target =
      "/connect/Ud6Jn1Gs?email=kai%40mail.test&redirect_uri=https%3A%2F%2Fa.test%2Fr%3Fx%3D1&emulator_outcome="
    for name in ["complete", "auth-error", "odd-fragment"] {
      browser.open(target + name)
      #expect(browser.returned == "https://a.test/r?x=1" && browser.shown.header("X-Emulator-Assumption") == "U12")
    }
    #expect(browser.session.get("/v2/connections/Ud6Jn1Gs", [.token]).status200 == "enabled")
    browser.session.emulator.web.addsResultsToConnect = true
    browser.open(target + "complete")
    #expect(browser.returned?.hasPrefix("https://a.test/r?x=1&next_step=complete&user_token=") == true)
    browser.open("/connect/Ud6Jn1Gs?email=kai%40mail.test&emulator_outcome=complete")
    #expect(browser.shown.status == 200 && browser.html.contains("Connected"))
  }

  @Test func anAppletRedirectsWithoutAResultAndIsEnabled() {
    var browser = Browser()
    let applet = "/v1/services/lampost/applets/cH8nRt5K"
    #expect(browser.session.get(applet, [.token]).json["user_status"] == "never_enabled")
    browser.open("/embed/lampost/applets/cH8nRt5K?user_id=u-5521&redirect_uri=lampost%3A%2F%2Fdone")
    #expect(browser.step == "account")
    browser.goOn(typing: ["email": "kai@mail.test"])
    browser.goOn()
    #expect(browser.step == "connect")
    browser.goOn()
    #expect(browser.returned == "lampost://done")
    #expect(browser.session.get(applet, [.token]).json["user_status"] == "enabled")
  }
}
