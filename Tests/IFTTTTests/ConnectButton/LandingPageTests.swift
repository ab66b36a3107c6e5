import Crypto
import Foundation
@testable import IFTTT
import Testing
import Text

@Suite struct LandingPageTests {
  static let outcomes: [(redirect: ActivationRedirect?, isPending: Bool)] = [
    (.complete(token: Secret(word: "hush")), false), (.complete(token: Secret(word: "hush")), true),
    (.cancelled, false), (nil, false), (.accountCreationFailed, false), (.authorizationFailed(.partnerSignIn), false),
    (.authorizationFailed(.identityNotVerified), false), (.authorizationFailed(.appCouldNotFinish), false),
    (.authorizationFailed(.other("odd_word")), false), (.authorizationFailed(.unexplained), false),
    (.unknown(.noStep), false),
  ]

  static func html(
    _ redirect: ActivationRedirect?, _ name: String? = "Lampost Lights", _ color: String? = "#f5a623",
    isPending: Bool = false, in language: Language = .americanEnglish
  ) -> String {
    let page = LandingPage(
      redirect: redirect, isPending: isPending, serviceName: name, brandColor: color, language: language)
    return String(decoding: page.html, as: UTF8.self)
  }

  @Test func outcomeIsShown() {
    let expected: [(ActivationRedirect?, String)] = [
      (.complete(token: nil), "<h1 dir=\"auto\">Connected to <bdi>Lampost Lights</bdi></h1>"),
      (.cancelled, "Nothing was changed."),
      (.accountCreationFailed, "IFTTT could not create an account for you."),
      (.authorizationFailed(.partnerSignIn), "Signing in to <bdi>Lampost Lights</bdi> did not work."),
      (.authorizationFailed(.identityNotVerified), "could not verify that it is you"),
      (.authorizationFailed(.appCouldNotFinish), "The IFTTT app could not finish"),
      (.authorizationFailed(.other("odd_word")), "IFTTT gave this reason: <bdi>odd_word</bdi>"),
      (.authorizationFailed(.unexplained), "IFTTT gave no reason."), (.unknown(.noStep), "does not recognize"),
      (nil, "This page was not expected"),
    ]
    for (redirect, words) in expected { #expect(Self.html(redirect).contains(words), "\(words)") }
    #expect(Self.html(.complete(token: nil), isPending: true).contains("Connected, but not set up yet"))
    for (redirect, isPending) in Self.outcomes {
      let html = Self.html(redirect, isPending: isPending)
      #expect(html.contains("You can close this window and return to the terminal."))
      #expect(html.contains("Lampost Lights") && html.contains("fill=\"#f5a623\""))
      #expect(!html.contains("hush"), "the token is not shown")
    }
  }

  @Test func serviceMayLackNameAndColor() {
    #expect(Self.html(.complete(token: nil), nil, nil).contains("<h1 dir=\"auto\">Connected</h1>"))
    #expect(Self.html(.complete(token: nil), " \u{200b}").contains("<h1 dir=\"auto\">Connected</h1>"))
    #expect(Self.html(.authorizationFailed(.partnerSignIn), nil).contains("Signing in to the service did not work."))
    #expect(Self.html(.complete(token: nil), "x", "red\"/><script>").contains("fill=\"#222222\""))
  }

  @Test func untrustedTextIsEscaped() {
    let hostile = "</p><script>alert(1)</script><img src=x onerror=y>\u{202e}\u{2069}\u{0}"
    var outcomes = Self.outcomes
    outcomes.append((.authorizationFailed(.other(hostile)), false))
    for (redirect, isPending) in outcomes {
      let html = Self.html(redirect, hostile, hostile, isPending: isPending)
      #expect(!html.contains("<script") && !html.contains("<img") && !html.contains("\u{202e}") && !html.contains("\0"))
      #expect(html.split(separator: "</bdi>").count == html.split(separator: "<bdi>").count)
    }
    let long = String(repeating: "x", count: 5000)
    #expect(Self.html(.authorizationFailed(.other(long))).utf8.count < 5000)
  }

  @Test(arguments: Language.allCases) func languageIsDeclared(language: Language) {
    for (redirect, isPending) in Self.outcomes {
      let html = Self.html(redirect, isPending: isPending, in: language)
      #expect(html.contains("<html lang=\"\(language.tag)\" dir=\"ltr\">"))
    }
  }

  @Test func pageLoadsNothing() {
    for (redirect, isPending) in Self.outcomes {
      let html = Self.html(redirect, isPending: isPending)
      for address in ["src=", "url(", "http:", "https:", "@import", "<a ", "<form"] { #expect(!html.contains(address)) }
    }
  }

  @Test func policyAllowsOnlyThisStyle() throws {
    let page = LandingPage(redirect: .complete(token: nil), serviceName: nil, brandColor: nil, language: .german)
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
