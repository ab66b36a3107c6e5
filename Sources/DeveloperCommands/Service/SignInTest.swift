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
  var authorizeURL: String?
  var tokenURL: String?
  var scope = "ifttt"
  var redirectURI: String?
  var usesBrowser = true

  static var flags: [Flag<SignInOptions>] {
    let details: [Flag<SignInOptions>] = [
      .value(
        "client-id", .nonEmpty("ID"), into: \.clientID, isAdvanced: true,
        help: "IFTTT's client id at your service"),
      .value(
        "client-secret-file", .file, into: \.clientSecretFile, isAdvanced: true,
        help: "Read IFTTT's client secret from this file (or set IFTTT_CLIENT_SECRET)"),
      .value(
        "authorize-url", .pageURL, into: \.authorizeURL, isAdvanced: true,
        help: "Your authorization URL"),
      .value(
        "token-url", .pageURL, into: \.tokenURL, isAdvanced: true, help: "Your token URL"),
      .value(
        "scope", .nonEmpty("SCOPE"), into: \.scope, defaultText: "ifttt", isAdvanced: true,
        help: "The scope to request"),
      .value(
        "redirect-uri", .nonEmpty("URI"), into: \.redirectURI, defaultText: "a free port of 127.0.0.1",
        isAdvanced: true, help: "The loopback URL to listen on, as registered at your service"),
      .toggle(
        "browser", negatable: true, into: \.usesBrowser, defaultText: "on", isAdvanced: true,
        help: "Open the browser; without it, only print the URL and wait"),
    ]
    return [
      .toggle("sign-in", into: \.isTested, help: "Also test the sign-in of users, which needs a browser")
    ] + details.grouped(under: "With --sign-in")
  }

  func check() throws(Conflict) {
    guard isTested else { return }
    let missing = [
      clientID == nil ? "--client-id" : nil, authorizeURL == nil ? "--authorize-url" : nil,
      tokenURL == nil ? "--token-url" : nil,
    ].compactMap(\.self)
    if !missing.isEmpty { throw Conflict("--sign-in needs \(missing.joined(separator: ", "))", options: ["sign-in"]) }
  }

  /// The credentials of the sign-in test.
  var needs: [CredentialNeed] {
    isTested ? [.secret(.clientSecret, file: clientSecretFile, isOfProfile: false)] : []
  }

  /// - Returns: nil without `--sign-in`.
  func plan(in session: Session) throws -> SignInPlan? {
    guard isTested, let clientID, let authorizeURL, let tokenURL else { return nil }
    let secret = try session.credentials.required(
      .clientSecret, file: clientSecretFile, for: "--sign-in", isOfProfile: false)
    return SignInPlan(
      clientID: clientID, clientSecret: secret,
      authorizeURL: try session.network.plainHTTP.url(authorizeURL, of: "--authorize-url"),
      tokenURL: try session.network.plainHTTP.url(tokenURL, of: "--token-url"), scope: scope)
  }
}

/// The browser's part of the sign-in test: opens the authorization page and waits for its redirect.
struct SignInTest {
  let signIn: SignInPlan
  let options: SignInOptions
  let session: Session

  /// - Returns: The results that are known without a request, and the probes that use the code.
  func begin(_ plan: ServiceTestPlan) throws -> (results: [ServiceCheckResult], probes: [Probe]) {
    let redirect = try SignInRedirect(at: options.redirectURI, in: session)
    defer { redirect.close() }
    let state = session.world.random.uuid()
    let url = signIn.authorizationURL(state: state, redirectURI: redirect.uri)
    let outcome = try redirect.wait(
      for: url.wire, state: state, usesBrowser: options.usesBrowser,
      limit: session.wholeTimeout ?? .seconds(300))
    let (authorize, isSameState, code) = evaluate(outcome)
    redirect.finish(isSuccess: code != nil)
    var results = [result(.authorize, authorize), result(.state, isSameState)]
    if code == nil {
      let rest = ServiceCheck.checks(of: .signIn).filter { $0 != .authorize && $0 != .state }
      results += rest.map { result($0, (.skipped, "the sign-in returned no code")) }
    }
    results = results.filter { plan.selection.includes($0.check, .signIn, $0.endpoint) }
    return (results, code.map { signIn.probes(code: $0, redirectURI: redirect.uri, plan) } ?? [])
  }

  private typealias Verdict = (outcome: ServiceCheckResult.Outcome, message: String?)

  private func evaluate(_ outcome: SignInRedirect.Outcome) -> (authorize: Verdict, state: Verdict, code: Secret?) {
    switch outcome {
    case .timedOut:
      return ((.failed, "timed out waiting for the redirect"), (.skipped, "there was no redirect"), nil)
    // The code is not spent, because it may belong to another user's sign-in.
    case .wrongState: return ((.skipped, "the redirect has another state"), (.failed, "the state differs"), nil)
    case .redirected(_, let error?): return ((.failed, "the redirect has the error \(error)"), (.passed, nil), nil)
    case .redirected(let code, nil):
      guard let code = code.flatMap(Secret.init(parsing:)) else {
        return ((.failed, "the redirect has no code"), (.passed, nil), nil)
      }
      return ((.passed, nil), (.passed, nil), code)
    }
  }

  private func result(_ check: ServiceCheck, _ verdict: Verdict) -> ServiceCheckResult {
    ServiceCheckResult(
      check: check, part: .signIn,
      endpoint: check == .authorize || check == .state ? SignInPlan.authorize : SignInPlan.token,
      outcome: verdict.outcome, message: verdict.message)
  }
}
