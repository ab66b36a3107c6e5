import Text

/// The page at the end of a redirect from IFTTT: it shows the result, and that the terminal continues.
///
/// It loads no resources, runs no scripts, and is not cached by the browser. Text from a server is always escaped.
package struct LandingPage: Sendable {
  package var language: Language
  private let redirect: ActivationRedirect?
  private let isPending: Bool
  private let serviceName: ButtonText?
  private let brandColor: RGB?

  /// - Parameters:
  ///   - redirect: the result, whose token is never shown; nil for a request for which no activation waits.
  ///   - isPending: whether the connection must still be configured after the activation.
  ///   - serviceName: as IFTTT sent it.
  ///   - brandColor: as IFTTT sent it; ignored unless ``RGB/init(parsing:)`` accepts it.
  package init(
    redirect: ActivationRedirect?, isPending: Bool = false, serviceName: String?, brandColor: String?,
    language: Language
  ) {
    (self.redirect, self.isPending, self.language) = (redirect, isPending, language)
    self.serviceName = serviceName.map(ButtonText.init).flatMap { $0.isEmpty ? nil : $0 }
    self.brandColor = brandColor.flatMap(RGB.init(parsing:))
  }

  /// Header fields in addition to the length. The policy allows the page's own style, by its hash, and the empty
  /// icon, without which a browser would request one.
  package var fields: [(String, String)] {
    [
      ("Content-Type", "text/html; charset=utf-8"),
      ("Cache-Control", "no-store"),
      ("Referrer-Policy", "no-referrer"),
      ("X-Content-Type-Options", "nosniff"),
      (
        "Content-Security-Policy",
        """
        default-src 'none'; style-src '\(LandingStyle.hash)'; img-src data:; base-uri 'none'; form-action 'none'; \
        frame-ancestors 'none'
        """
      ),
    ]
  }

  package var html: [UInt8] {
    let notes = notes.map { "<p dir=\"auto\">\(Markup.isolating($0))</p>" }.joined(separator: "\n")
    let page = """
      <!doctype html>
      <html lang="\(language.tag)" dir="ltr">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="robots" content="noindex">
      <link rel="icon" href="data:,">
      <title>\(MarkupText.escaped(heading.filter { !$0.isDirectionalMark })) – IFTTT</title>
      <style>\(LandingStyle.text)</style>
      </head>
      <body>
      <main>
      \(sign)
      \(caption)<h1 dir="auto">\(Markup.isolating(heading))</h1>
      \(notes)
      <p class="last" dir="auto">\(MarkupText.escaped(language.text(.closeWindow)))</p>
      </main>
      </body>
      </html>

      """
    return Array(page.utf8)
  }

  /// The service's name, if the heading does not contain it.
  private var caption: String {
    if case .complete = redirect, !isPending { return "" }
    guard let serviceName else { return "" }
    return "<p class=\"service\" dir=\"auto\">\(MarkupText.escaped(serviceName.text))</p>\n"
  }

  private var heading: String {
    switch redirect {
    case .complete where isPending: language.text(.notConfiguredYet)
    case .complete: serviceName.map { language.text(.connectedTo(service: $0.isolated)) } ?? language.text(.connected)
    // Only the terminal will show the result.
    case .back: language.text(.connecting)
    case .cancelled: language.text(.cancelled)
    case .accountCreationFailed, .authorizationFailed, .unknown: language.text(.notConnected)
    case nil: language.text(.pageNotExpected)
    }
  }

  private var notes: [String] {
    switch redirect {
    case .complete where isPending: [language.text(.configureToStart)]
    case .complete, .back: []
    case .cancelled, nil: [language.text(.nothingChanged)]
    case .accountCreationFailed: [language.text(.accountCreationFailed), language.text(.terminalKnowsMore)]
    case .authorizationFailed(let failure): [reason(failure), language.text(.terminalKnowsMore)]
    case .unknown: [language.text(.unknownAnswer), language.text(.terminalKnowsMore)]
    }
  }

  private func reason(_ failure: ActivationRedirect.AuthorizationFailure) -> String {
    switch failure {
    case .partnerSignIn:
      serviceName.map { language.text(.signInFailed(service: $0.isolated)) } ?? language.text(.partnerSignInFailed)
    case .identityNotVerified: language.text(.identityNotVerified)
    case .appCouldNotFinish: language.text(.appCouldNotFinish)
    case .other(let word): language.text(.refused(reason: ButtonText(String(word.prefix(100))).isolated))
    case .unexplained: language.text(.noReasonGiven)
    }
  }

  /// A mark in a circle of the service's color. Colors are set as attributes, which the style policy does not cover.
  private var sign: String {
    let fill = brandColor ?? .gray(0x22)
    let ink = Palette.ink(on: [fill]).hex
    let mark =
      switch redirect {
      case .complete where !isPending: "M26 41l9 9l20-21"
      case .complete, .back: "M40 26v18M40 54v1"
      case .cancelled, .accountCreationFailed, .authorizationFailed, .unknown: "M29 29l22 22M51 29l-22 22"
      case nil: "M33 33a7 7 0 1 1 10 7c-2 1-3 3-3 6M40 54v1"
      }
    return """
      <svg viewBox="0 0 80 80" width="80" height="80" aria-hidden="true" fill="none" stroke-linecap="round" \
      stroke-linejoin="round"><circle cx="40" cy="40" r="38" fill="\(fill.hex)" class="edge"/>\
      <path d="\(mark)" stroke="\(ink)" stroke-width="6"/></svg>
      """
  }
}

extension Character {
  /// Whether this is a mark around a name. A title is plain text, in which the marks would have no effect.
  fileprivate var isDirectionalMark: Bool {
    unicodeScalars.count == 1
      && unicodeScalars.first.map { $0 == ButtonText.opening || $0 == ButtonText.closing } ?? false
  }
}

/// The landing page's style, identical on every page so that the policy can contain its hash.
enum LandingStyle {
  static let text = """
    *{box-sizing:border-box}
    html{color-scheme:light dark;background:#f4f4f4;color:#222222}
    body{margin:0;min-height:100vh;display:flex;align-items:center;justify-content:center;padding:24px;\
    font:17px/1.5 "Avenir Next",Avenir,system-ui,sans-serif}
    main{width:100%;max-width:480px;padding:48px 32px;border-radius:24px;background:#ffffff;text-align:center;\
    box-shadow:0 1px 3px rgba(0,0,0,.12)}
    h1{margin:24px 0 0;font-size:28px;line-height:1.25;overflow-wrap:anywhere;hyphens:auto;text-wrap:balance}
    .service+h1{margin-top:8px}
    p{margin:16px 0 0;overflow-wrap:anywhere;text-wrap:balance}
    .service{font-weight:600}
    .last{margin-block-start:32px;color:#595959;font-size:15px}
    .edge{stroke:#ffffff}
    :lang(ja){line-break:strict;word-break:auto-phrase}
    :lang(ko){word-break:keep-all}
    @media(prefers-color-scheme:dark){html{background:#111111;color:#f4f4f4}main{background:#1e1e1e;box-shadow:none}\
    .last{color:#b3b3b3}.edge{stroke:#8a8a8a}}
    @media(max-width:480px){body{padding:12px}main{padding:40px 20px}}
    """

  /// The hash of ``text``, as a source expression of a Content-Security-Policy (CSP Level 3, section 2.3.1).
  static let hash = "sha256-CHQE+s8h1FWHBwRKDizI4yDUSngmZoxFJ93evOt/r9M="
}
