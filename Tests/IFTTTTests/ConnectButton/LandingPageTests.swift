import Crypto
import Foundation
@testable import IFTTT
import Testing
import Text

@Suite struct LandingPageTests {
  static let outcomes: [LandingPage.Outcome] = [
    .connected, .pending, .cancelled, .notConfirmed, .unexpected, .failed(.accountCreation), .failed(.partnerSignIn),
    .failed(.identity), .failed(.app), .failed(.other("odd_word")), .failed(.noReason), .failed(.unknownAnswer),
  ]

  static func html(
    _ outcome: LandingPage.Outcome, _ name: String? = "Lampost Lights", _ color: String? = "#f5a623",
    in language: Language = .americanEnglish
  ) -> String {
    let page = LandingPage(outcome: outcome, serviceName: name, brandColor: color, language: language)
    return String(decoding: page.html, as: UTF8.self)
  }

  @Test func outcomeIsShown() {
    let expected: [(LandingPage.Outcome, String)] = [
      (.connected, "<h1 dir=\"auto\">Connected to <bdi>Lampost Lights</bdi></h1>"),
      (.pending, "Connected, but not set up yet"), (.cancelled, "Nothing was changed."),
      (.notConfirmed, "IFTTT does not report this connection as enabled."),
      (.failed(.accountCreation), "IFTTT could not create an account for you."),
      (.failed(.partnerSignIn), "Signing in to <bdi>Lampost Lights</bdi> did not work."),
      (.failed(.identity), "could not verify that it is you"), (.failed(.app), "The IFTTT app could not finish"),
      (.failed(.other("odd_word")), "IFTTT gave this reason: <bdi>odd_word</bdi>"),
      (.failed(.noReason), "IFTTT gave no reason."), (.failed(.unknownAnswer), "does not recognize"),
      (.unexpected, "This page was not expected"),
    ]
    for (outcome, words) in expected { #expect(Self.html(outcome).contains(words), "\(outcome)") }
    for outcome in Self.outcomes {
      #expect(Self.html(outcome).contains("You can close this window and return to the terminal."))
      #expect(Self.html(outcome).contains("Lampost Lights") && Self.html(outcome).contains("fill=\"#f5a623\""))
    }
  }

  @Test func serviceMayLackNameAndColor() {
    #expect(Self.html(.connected, nil, nil).contains("<h1 dir=\"auto\">Connected</h1>"))
    #expect(Self.html(.connected, " \u{200b}").contains("<h1 dir=\"auto\">Connected</h1>"))
    #expect(Self.html(.failed(.partnerSignIn), nil).contains("Signing in to the service did not work."))
    #expect(Self.html(.connected, "x", "red\"/><script>").contains("fill=\"#222222\""))
  }

  @Test func untrustedTextIsEscaped() {
    let hostile = "</p><script>alert(1)</script><img src=x onerror=y>\u{202e}\u{2069}\u{0}"
    for outcome in Self.outcomes + [.failed(.other(hostile))] {
      let html = Self.html(outcome, hostile, hostile)
      #expect(!html.contains("<script") && !html.contains("<img") && !html.contains("\u{202e}") && !html.contains("\0"))
      #expect(html.split(separator: "</bdi>").count == html.split(separator: "<bdi>").count)
    }
    #expect(Self.html(.failed(.other(String(repeating: "x", count: 5000)))).utf8.count < 5000)
  }

  @Test(arguments: Language.allCases) func languageIsDeclared(language: Language) {
    for outcome in Self.outcomes {
      #expect(Self.html(outcome, in: language).contains("<html lang=\"\(language.tag)\" dir=\"ltr\">"))
    }
  }

  @Test func pageLoadsNothing() {
    for outcome in Self.outcomes {
      let html = Self.html(outcome)
      for address in ["src=", "url(", "http:", "https:", "@import", "<a ", "<form"] { #expect(!html.contains(address)) }
    }
  }

  @Test func policyAllowsOnlyThisStyle() throws {
    let page = LandingPage(outcome: .connected, serviceName: nil, brandColor: nil, language: .german)
    let fields = Dictionary(uniqueKeysWithValues: page.fields)
    let digest = Data(SHA256.hash(data: Data(LandingStyle.text.utf8))).base64EncodedString()
    #expect(
      fields["Content-Security-Policy"]
        == "default-src 'none'; style-src 'sha256-\(digest)'; img-src data:; base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'none'")
    #expect(fields["Cache-Control"] == "no-store" && fields["Referrer-Policy"] == "no-referrer")
    #expect(fields["Content-Type"] == "text/html; charset=utf-8" && fields["X-Content-Type-Options"] == "nosniff")
    let html = String(decoding: page.html, as: UTF8.self)
    #expect(html.contains("<style>\(LandingStyle.text)</style>") && !html.contains(" style="))
  }
}
