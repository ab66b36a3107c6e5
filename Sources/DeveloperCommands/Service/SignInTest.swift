import HTTP
import IFTTT
import Session
import Text
import World

/// The browser's part of the sign-in test: opens the authorization page and waits for its redirect.
struct SignInTest {
  let signIn: SignInPlan
  let options: SignInOptions
  let session: Session

  /// - Returns: the results that are known without a request, and the probes that use the code.
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
