import HTTP
import Text
import World

/// The proof that a person signed in at the service.
struct ServiceSignIn {
  /// The value of a form field that proves it to the next page.
  let ticket: String
  /// The service's id and name of the user; nil without a server that knows them.
  var userID: String?
  var name: String?
  /// Whether a code in the URL replaced the service's page.
  let isByCode: Bool

  /// A sign-in by a code that no server verifies.
  static let simulated = ServiceSignIn(ticket: "code", isByCode: true)

  private init(ticket: String, isByCode: Bool) { (self.ticket, self.isByCode) = (ticket, isByCode) }

  fileprivate init(_ completed: SignInTable.Completed) {
    self.init(ticket: completed.ticket, isByCode: completed.isByCode)
    (userID, name) = (completed.userID, completed.name)
  }
}

// The page of the service, and the redirect from it (docs/api/service.md §2).
extension Emulator {
  /// Whether people sign in on a page of the service. Otherwise, the step is simulated.
  func hasSignInPage(for visit: Visit) -> Bool {
    exchangesCodes(of: visit.owner) && runtime?.rules.signIn?.authorizeURL != nil
  }

  /// The sign-in that the submitted form or the code in the URL proves; nil without any, or if the server has not
  /// responded yet.
  ///
  /// A code is exchanged once, by the first page after the account. If the server rejects it, the person signs in on
  /// the service's page (docs/api/activation.md §9).
  mutating func signIn(of visit: Visit, at now: Timestamp) -> ServiceSignIn? {
    let field = visit.filled("signed_in")
    guard exchangesCodes(of: visit.owner) else {
      let isValid = field == ServiceSignIn.simulated.ticket || oauthCode(of: visit, at: now).map(isValid) == true
      return isValid ? .simulated : nil
    }
    if let field { return runtime?.signIns.completed(field, at: now).map(ServiceSignIn.init) }
    let progress = ActivationProgress(visit)
    guard visit.filled("step") == ActivationProgress.Step.account.rawValue, person(of: progress) != nil,
      let code = oauthCode(of: visit, at: now)
    else { return nil }
    return try? signIn(with: code, redirectURI: callbackURL(visit), progress, isByCode: true, at: now)
  }

  /// The URL of the service's page at which the person signs in now; nil if the step is simulated.
  mutating func startSignIn(_ visit: Visit, at now: Timestamp) -> WebURL? {
    let redirectURI = callbackURL(visit)
    return runtime?.startSignIn(visit.request, target: visit.target, redirectURI: redirectURI, at: now)
  }

  /// Continue an activation after the service redirected the browser back.
  ///
  /// - Throws: The 400 page if no sign-in at this service has the state.
  mutating func finishSignIn(
    at service: String, _ request: Request, at now: Timestamp
  ) throws(WebPageError) -> EmulatorResponse {
    guard let causeKey, exchangesCodes(of: service), let state = request.parameter("state"),
      let pending = runtime?.signIns.use(state, by: causeKey, at: now),
      let route = WebRoute(of: pending.request.url, isService: { seed.service($0) != nil })
    else {
      throw WebPageError(
        heading: "Unknown sign-in",
        text: "The state is missing, unknown, expired or used already. Start the activation again.")
    }
    let visit = try visit(at: route, pending.request, target: pending.target)
    let signIn: ServiceSignIn?
    do throws(SignInFailure) {
      let code = try code(in: request)
      signIn = try self.signIn(
        with: code, redirectURI: pending.redirectURI, ActivationProgress(visit), isByCode: false, at: now)
    } catch {
      if !error.isRecorded {
        runtime?.recordFailedSignIn(error.reason, in: visit.connection, causedBy: causeKey, at: now)
      }
      return pages.failedSignInPage(visit, error).response
    }
    // Without a sign-in, the server has not responded yet, and this response is discarded.
    return signIn == nil ? EmulatorResponse() : try proceed(visit, signIn, at: now)
  }

  /// The code in the redirect of the service's page.
  private func code(in redirect: Request) throws(SignInFailure) -> String {
    let code = redirect.parameter("code") ?? ""
    if let error = redirect.parameter("error") {
      let text = [error, redirect.parameter("error_description") ?? ""].filter { !$0.isEmpty }.joined(separator: ": ")
      throw SignInFailure(reason: masked("the sign-in page responded with the error \(text)", hiding: [code]))
    }
    if code.isEmpty { throw SignInFailure(reason: "the redirect of the sign-in page has no code") }
    return code
  }

  /// Exchange a code, and make the person a user.
  /// - Returns: nil if the server has not responded yet.
  private mutating func signIn(
    with code: String, redirectURI: String, _ progress: ActivationProgress, isByCode: Bool, at now: Timestamp
  ) throws(SignInFailure) -> ServiceSignIn? {
    let visit = progress.visit
    guard let identity = try exchange(code, redirectURI: redirectURI, connection: visit.connection) else { return nil }
    let account = account(of: progress)
    return complete(identity, of: visit.owner, by: account, isByCode: isByCode, at: now).map(ServiceSignIn.init)
  }

  /// The URL to which the service redirects the browser: at the host under which the browser knows this server.
  private func callbackURL(_ visit: Visit) -> String {
    let origin = visit.request.header("Host").map { "http://\($0)" } ?? visit.request.url.origin
    return "\(origin)/channels/\(Percent.encode(visit.owner))/authorize"
  }
}

extension Visit {
  /// The id of the connection; nil for an Applet.
  fileprivate var connection: String? { subject.connection.isApplet ? nil : subject.id }
}
