import Foundation
import HTTP
import JSON
import Sandbox
import Testing
import Text

/// The safety rules of every page: no external resources, no scripts, no unescaped text and no complete credentials.
@Suite struct PageSafetyTests {
  private static let back = "sdk_return_to=lampost%3A%2F%2Fdone"

  @Test func thePolicyAllowsOnlyThePagesOwnStyle() throws {
    var browser = Browser()
    browser.open("/connections/Kd7Rn2Qx")
    let policy = try #require(browser.shown.header("Content-Security-Policy"))
    let style = browser.html.components(separatedBy: "<style>")[1].components(separatedBy: "</style>")[0]
    let hash = Data(SHA256.hash(Array(style.utf8))).base64EncodedString()
    #expect(
      policy == "default-src 'none'; style-src 'sha256-\(hash)'; base-uri 'none'; frame-ancestors 'none'")
    #expect(browser.shown.header("Referrer-Policy") == "no-referrer")
    #expect(browser.shown.header("X-Content-Type-Options") == "nosniff")
  }

  @Test func textFromFixturesAndURLsIsEscaped() {
    var browser = Browser()
    browser.open(
      "/access/api/Hx5Qm9Jd?\(Self.back)&email=%3Cb%3E%40mail.test&%22%3E%3Cscript%3E=%3Cscript%3E%1B%5B31m%00")
    check(browser.html)
    browser.goOn(typing: ["email": "\"><script>@x.test"])
    check(browser.html)
    browser.goOn()
    check(browser.html)
    browser.goOn(typing: ["c.0.actions0.0": "w\"1'<>&", "c.0.fields.0": "</textarea><script>"])
    #expect(browser.step == "connect")
    check(browser.html)
    browser.press(("outcome", "stay"))
    check(browser.html)
    browser.open("/connections/Hx5Qm9Jd/edit")
    check(browser.html)
    browser.open("/access/api/%3Cscript%3E?x=%3Cscript%3E")
    check(browser.html)
  }

  private func check(_ html: String) {
    for text in ["<script", "<img", "<b>", "<i>", "</h1><script", "\u{1b}", "\u{7}", "\u{9b}", "\0"] {
      #expect(!html.contains(text), "\(text.debugDescription)")
    }
    #expect(
      html.components(separatedBy: "<style>").count == 2 && !html.contains("<link") && !html.contains("http-equiv"))
    #expect(html.components(separatedBy: "</title>").count == 2)
  }

  @Test func showsDecodedParametersAndMasksCredentials() {
    var browser = Browser()
    browser.open(
      "/access/api/Kd7Rn2Qx?\(Self.back)%3Fa%3D1%26b&email=kai%2Blamps%40mail.test&code=oc_very_long_secret_code"
        + "&invite_code=lantern-4417&locale=fr-CA&available_email_app_schemes%5B%5D=message%3A%2F%2F")
    for text in [
      "lampost://done?a=1&amp;b", "kai+lamps@mail.test", "fr-CA", "available_email_app_schemes[]", "message://",
    ] {
      #expect(browser.html.contains("<bdi>\(text)</bdi>") || browser.html.contains(">\(text)</dt>"), "\(text)")
    }
    // The form is submitted to the unchanged URL, so the code appears there, and nowhere else.
    let visible = browser.html.components(separatedBy: "action=\"").enumerated().map { index, part in
      index == 0 ? part : part.components(separatedBy: "\"").dropFirst().joined(separator: "\"")
    }.joined()
    #expect(!visible.contains("oc_very_long") && !visible.contains("lantern-4417"))
  }

  @Test(arguments: [
    ("email=kai+lamps%40mail.test", "email contains a raw"),
    ("email=kai%40mail.test&locale=%z1", "locale contains a “%”"),
    ("email=kai%40mail.test&x=%4", "x contains a “%”"),
  ])
  func warnsAboutAmbiguousEncodings(query: String, warning: String) {
    var browser = Browser()
    browser.open("/access/api/Kd7Rn2Qx?\(Self.back)&\(query)")
    #expect(browser.shown.status == 200 && browser.html.contains(warning))
    browser.open("/access/api/Kd7Rn2Qx?\(Self.back)&email=kai%2Blamps%40mail.test")
    #expect(!browser.html.contains("class=\"warn\""))
  }

  @Test func pagesAreServedOnlyByTheWebHost() {
    var session = EmulatorSession()
    for (host, status) in [("ifttt.com", 200), ("127.0.0.1", 200), ("connect.ifttt.com", 404), ("api.ifttt.com", 404)] {
      #expect(session.ask(.get, "/connections/Kd7Rn2Qx", host: host).status == status)
    }
    let wrong = session.ask(.post, "/connections/Kd7Rn2Qx", host: "ifttt.com")
    #expect(wrong.status == 405 && wrong.header("Allow") == "GET, HEAD")
    #expect(session.ask(.put, "/connect/Kd7Rn2Qx", host: "ifttt.com").header("Allow") == "GET, HEAD, POST")
    #expect(session.ask(.head, "/connections/Kd7Rn2Qx", host: "ifttt.com").body.isEmpty)
    #expect(session.ask(.get, "/%zz", host: "ifttt.com").status == 404)
    #expect(session.ask(.get, "/connections", host: "ifttt.com").code == "emulator_unknown_path")
  }

  @Test func managePagesShowUsersAndConfigurations() {
    var browser = Browser()
    browser.open("/connections/Yb8Cz3Ve")
    #expect(browser.html.contains("enabled, pending") && browser.html.contains("disabled"))
    browser.open("/connections/Fq3Lw8Zt/edit")
    for text in ["Küche, warm", "Ground floor › Kitchen, bright", "Ceiling, Über dem Herd", "349.2418372528667 m"] {
      #expect(browser.html.contains(text), "\(text)")
    }
  }
}
