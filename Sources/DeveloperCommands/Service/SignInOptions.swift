import CommandLine
import HTTP
import IFTTT
import Session
import Text
import World

/// The options of the sign-in test.
struct SignInOptions: Sendable {
  var isTested = false
  var clientID: String?
  var clientSecretFile: String?
  var authorizeURL: WebURL?
  var tokenURL: WebURL?
  var scope = "ifttt"
  var redirectURI: String?
  var usesBrowser = true

  static var flags: [Flag<SignInOptions>] {
    [
      .toggle("sign-in", into: \.isTested, help: "Also test the sign-in of users, which needs a browser"),
      .value(
        "client-id", .nonEmpty("ID"), into: \.clientID, isAdvanced: true,
        help: "With --sign-in, IFTTT's client id at your service"),
      .value(
        "client-secret-file", .file, into: \.clientSecretFile, isAdvanced: true,
        help: "With --sign-in, read IFTTT's client secret from this file (or set IFTTT_CLIENT_SECRET)"),
      .value(
        "authorize-url", .pageURL, into: \.authorizeURL, isAdvanced: true,
        help: "With --sign-in, your authorization URL"),
      .value(
        "token-url", .pageURL, into: \.tokenURL, isAdvanced: true, help: "With --sign-in, your token URL"),
      .value(
        "scope", .nonEmpty("SCOPE"), into: \.scope, defaultText: "ifttt", isAdvanced: true,
        help: "With --sign-in, the scope to request"),
      .value(
        "redirect-uri", .nonEmpty("URI"), into: \.redirectURI, defaultText: "a free port of 127.0.0.1",
        isAdvanced: true, help: "With --sign-in, the loopback URL to listen on, as registered at your service"),
      .toggle(
        "browser", negatable: true, into: \.usesBrowser, defaultText: "on", isAdvanced: true,
        help: "With --sign-in, open the browser; without it, only print the URL and wait"),
    ]
  }

  func check() throws(Conflict) {
    guard isTested else { return }
    let missing = [
      clientID == nil ? "--client-id" : nil, authorizeURL == nil ? "--authorize-url" : nil,
      tokenURL == nil ? "--token-url" : nil,
    ].compactMap(\.self)
    if !missing.isEmpty { throw Conflict("--sign-in needs \(missing.joined(separator: ", "))", options: ["sign-in"]) }
  }

  /// - Returns: nil without `--sign-in`.
  func plan(in session: Session) throws -> SignInPlan? {
    guard isTested, let clientID, let authorizeURL, let tokenURL else { return nil }
    let secret =
      try session.credentials.given(.clientSecret, file: clientSecretFile)
      ?? session.credentials.ask(.clientSecret, for: "--sign-in")
    return SignInPlan(
      clientID: clientID, clientSecret: secret, authorizeURL: authorizeURL, tokenURL: tokenURL, scope: scope)
  }
}
