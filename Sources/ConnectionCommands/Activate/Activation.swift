import HTTP
package import IFTTT
package import Session
import Store
import Text
import World

/// Activates one connection: executes the actions of ``ActivationFlow`` and reports their results to it.
final class Activation {
  let id: ConnectionID
  let options: ActivationOptions
  let session: Session
  let page: ActivationPage
  let skipsConfiguration: Bool
  let timeout: Duration
  let credentials: ActivationCredentials
  private let returnedToken: ActivatedToken
  let oauthCode: Secret?
  private let inviteCode: Secret?
  /// The installation's id if usage events are on, otherwise an id for this flow only.
  private let anonymousID: String
  private var flow: ActivationFlow
  // State that changes while the flow runs.
  private var latest: FetchedConnection?
  private var connection: Connection?
  private var status = Connection.Status.unknown
  private var knownLogin: String?
  private var isTokenRejected = false
  private var provisionalCode: Secret?
  private var endpoint: RedirectEndpoint?
  private var wait: ActivationRedirectWait?
  private var newToken: Secret?
  private var hasSavedToken = false
  private var wasOpened = false
  private var outcome: ActivationFlow.Outcome?

  init(of id: ConnectionID, _ options: ActivationOptions, in session: Session) throws {
    let options = try options.completed(in: session)
    (self.id, self.options, self.session) = (id, options, session)
    credentials = try ActivationCredentials(options.credentials, in: session)
    inviteCode = try session.credentials.inviteCode(options.credentials.inviteCode)
    // Only the SDK page accepts an invite code, and an unpublished connection can be opened only with one.
    page = options.page ?? (credentials.level == .service && inviteCode == nil ? .connect : .sdk)
    skipsConfiguration = try options.skipsConfiguration ?? session.skipsConfiguration
    timeout = session.wholeTimeout ?? ActivationRedirectWait.defaultTimeout
    oauthCode = try session.credentials.given(.oauthCode, file: options.oauthCodeFile)
    returnedToken = ActivatedToken(session: session, user: try credentials.tokenUser)
    // Uppercase, as the SDKs send it.
    anonymousID = session.usage.anonymousID?.revealed ?? session.world.random.uuid().uppercased()
    var request = ActivationFlow.ActivationRequest(page: page, level: credentials.level)
    request.isForced = options.isForced
    request.isHandedOver = options.finishURL != nil
    request.skipsConfiguration = skipsConfiguration
    request.email = options.email
    request.mayAskEmail = session.console.mayPrompt
    request.hasServiceKey = credentials.hasServiceKey
    request.hasOAuthCode = oauthCode != nil && !options.hidesCode
    flow = ActivationFlow(request)
  }

  /// - Throws: ``Problem`` for every outcome except success.
  func run() throws -> ActivationResult {
    defer { endpoint?.listener?.close() }
    defer {
      if oauthCode != nil, !wasOpened { session.console.note("The OAuth code was not needed and has not been used.") }
    }
    // The flow's own requests have the usual request timeout, not the timeout of the whole activation.
    session.limitRequests(to: timeout)
    try resolveLeftoverToken()
    var event: ActivationFlow.Event? = .begun
    while outcome == nil {
      // If no action produced an event, wait for the next one.
      let actions = flow.receive(try event ?? nextEvent())
      event = nil
      for action in actions { event = try perform(action) ?? event }
    }
    switch outcome {
    case .done(let completion)?:
      let isPending =
        try (completion.isPending && hasFeatures)
        || connection.map(session.storage.pendingConnections.isPending) == true
      return ActivationResult(
        id: id, connection: connection, status: status, previous: flow.previous, isPending: isPending,
        unverified: completion.unverified, hasSavedToken: hasSavedToken, login: knownLogin,
        page: wasOpened ? page : nil)
    case .failed(let failure)?:
      var problem = Problem(failure, of: id, awaitedAt: wasOpened ? endpoint?.address : nil)
      if hasSavedToken {
        problem.details.append(Problem.Detail(parameter: nil, message: String(try savedTokenSentence.dropLast())))
      }
      throw problem
    case nil: throw Problem.interrupted
    }
  }

  // MARK: One action at a time

  private func perform(_ action: ActivationFlow.Action) throws -> ActivationFlow.Event? {
    switch action {
    case .load(let level): return try fetch(level).map(ActivationFlow.Event.loaded, or: ActivationFlow.Event.loadFailed)
    case .verify(let level):
      let found = try fetch(level)
      if case .failure = found { status = .unknown }
      return found.map(ActivationFlow.Event.verified, or: ActivationFlow.Event.verifyFailed)
    case .reenable: return try reenable()
    case .askLogin: return try fetchLogin().map(ActivationFlow.Event.login, or: ActivationFlow.Event.loginFailed)
    case .findAccount(let email):
      let client = try credentials.client(.anonymous)
      return try attempt { () throws(APIError) in try client.accountExists(email: email.description).send() }
        .map(ActivationFlow.Event.account, or: ActivationFlow.Event.accountFailed)
    case .askEmail: return .emailTyped(try promptForEmail())
    case .prepare:
      try returnedToken.prepare()
      if options.finishURL == nil {
        endpoint = try RedirectEndpoint(
          options.redirect, of: page, for: connection?.primaryService, isPending: skipsConfiguration, in: session)
      }
      return .prepared
    case .exchangeCode: return try exchangeCode()
    case .open(let user, let code): try open(user, code)
    case .wait: return try beginWait()
    case .linger:
      wait?.linger()
      return try nextEvent()
    case .saveToken:
      if let newToken { try returnedToken.save(newToken) }
      return .saved
    case .claimToken: return try adoptToken()
    case .markPending: if hasFeatures { try session.storage.pendingConnections.mark(id) }
    case .note(let note):
      if case .tokenRefused = note { isTokenRejected = true }
      session.report(note)
    case .end(let outcome):
      // The cached status may be stale, and a later command would trust it.
      if flow.previous != status || wasOpened {
        try session.store.expire(id.description, profile: session.profile.name)
      }
      if case .done(let completion) = outcome, completion.unverified == nil { try finish(completion) }
      self.outcome = outcome
    }
    return nil
  }

  private func attempt<Value>(
    _ body: () throws(APIError) -> Value
  ) throws -> Result<Value, APIError> {
    let result = Result { () throws(APIError) in try body() }
    if case .failure(.http(.interrupted)) = result { throw Problem.interrupted }
    return result
  }

  func fetch(_ level: Authentication.Level) throws -> Result<Connection.Status, APIError> {
    let client = try credentials.client(level, token: newToken)
    return try attempt { () throws(APIError) in
      let found = try client.show(id).send()
      (connection, status) = (found.connection, found.connection.status)
      latest = found
      return status
    }
  }

  /// Whether there may be something to configure. A connection without features is never pending.
  private var hasFeatures: Bool { connection?.features.isEmpty != true }

  /// Records a connection that IFTTT shows as enabled.
  private func finish(_ completion: ActivationFlow.Completion) throws {
    if completion.way != .alreadyEnabled { session.usage.record(.connected(id, before: flow.previous)) }
    // A user who completed IFTTT's own screen has configured the connection, even if this level does not show it. If
    // the connection was already enabled, a redirect without a result proves nothing.
    if completion.way == .browser, !skipsConfiguration, page == .sdk || flow.previous != .enabled {
      try session.storage.pendingConnections.clear(id)
    }
    try cacheLatest()
  }

  /// Tracks the connection and caches the last response, so that `list` and `show` find it.
  private func cacheLatest() throws {
    guard let latest else { return }
    let (store, profile) = (try session.store, try session.profile.name)
    _ = try store.track([id.description], profile: profile)
    // If a token was passed to this run, the new token's response would be cached under that token's identity.
    if newToken != nil, try session.credentials.given(.userToken, file: options.credentials.userTokenFile) != nil {
      return try store.expire(id.description, profile: profile)
    }
    try store.cache(
      [session.storage.pendingConnections.cacheRow(of: latest)],
      as: session.credentials.locate(options.credentials).identity, afterChange: true, profile: profile)
  }

  private func reenable() throws -> ActivationFlow.Event {
    let client = try credentials.client(.user)
    let result = try attempt { () throws(APIError) in try client.change(.enable, id).send() }
    if case .failure(let failure) = result { return .reenableFailed(failure) }
    // After a failure, opening the browser records the event, so record it here only on success.
    session.usage.record(.connecting(id, flow.previous))
    return .reenabled
  }

  private func promptForEmail() throws -> EmailAddress? {
    session.usage.record(.emailRequested(id))
    let email = try session.promptForEmail()
    if email != nil { session.usage.record(.emailConfirmed(id)) }
    return email
  }

  private func fetchLogin() throws -> Result<String?, APIError> {
    let client = try credentials.client(.user)
    let login = try attempt { () throws(APIError) in try client.me().send().userLogin }
    if case .success(let name) = login { knownLogin = name }
    return login
  }

  private func exchangeCode() throws -> ActivationFlow.Event {
    guard let oauthCode else { return .prepared }
    let client = try credentials.client(.service)
    switch try attempt({ () throws(APIError) in try client.provisionalCode(oauthCode: oauthCode).send() }) {
    case .success(let code):
      provisionalCode = code
      return .codeExchanged
    case .failure(let failure): return .codeRefused(failure)
    }
  }

  // MARK: The browser

  func url(for user: ConnectingUser?, _ code: ActivationFlow.Code, at address: RedirectURI?) throws -> ActivationURL {
    var url = ActivationURL(
      of: id, at: page, returningTo: address, user: user,
      client: ClientName(version: programVersion, anonymousID: anonymousID))
    url.inviteCode = inviteCode
    url.locale = session.console.language.tag
    url.skipsConfiguration = skipsConfiguration
    switch code {
    case .none: break
    case .oauth: url.code = oauthCode
    case .provisional: url.code = provisionalCode
    }
    return url
  }

  private func open(_ user: ConnectingUser, _ code: ActivationFlow.Code) throws {
    let base = try session.activationBase(beside: endpoint?.listener?.origin)
    let url = try url(for: user, code, at: endpoint?.address)
    var shownURL = url
    // The code must not end up in a log. Without it, the page still works, but the user signs in at the service.
    if !options.revealsCode { shownURL.code = nil }
    wasOpened = true
    session.usage.record(.connecting(id, flow.previous))
    if page == .connect, try session.credentials.givenInviteCode(options.credentials.inviteCode) != nil {
      session.console.note(
        "The connect page ignores invite codes and does not open unpublished connections; use --url sdk.")
    }
    let isOpen = try session.open(
      url.url(below: base).wire, shownAs: shownURL.url(below: base).wire, usesBrowser: options.redirect.usesBrowser)
    if !isOpen, oauthCode != nil, !options.revealsCode { session.console.note(Hint(hiddenCodeNote(code))) }
  }

  /// The note for a URL that is only printed, without the code.
  private func hiddenCodeNote(_ code: ActivationFlow.Code) -> String {
    let spent = code == .provisional
    return
      "The printed URL does not contain the OAuth code, which has \(spent ? "" : "not ")been used: sign in at the service "
      + "on that page, or press Ctrl-C and run the command again with \(spent ? "a new code and " : "")--reveal."
  }

  // MARK: Waiting

  private func beginWait() throws -> ActivationFlow.Event {
    if let text = options.finishURL { return .returned(try parseFinishURL(text)) }
    let isElsewhere = options.redirect.isElsewhere
    if isElsewhere { try session.console.reserveInput(for: "--redirect-uri") }
    wait = ActivationRedirectWait(
      in: session, at: endpoint, of: page, takesInput: isElsewhere || session.console.mayPrompt, timeout: timeout,
      poll: try credentials.showsStatus(at: flow.level) ? { [unowned self] in try poll($0) } : nil)
    session.noteWait(timeout)
    return try nextEvent()
  }

  private func nextEvent() throws -> ActivationFlow.Event {
    guard var wait else { throw Problem.interrupted }
    defer { self.wait = wait }
    var event: ActivationFlow.Event
    do {
      event = try wait.next()
      if case .timeUp = event, let late = wait.end() { event = .returned(late) }
    } catch {
      // IFTTT sends a token only once, so save a token that arrives together with Ctrl-C before anything else.
      guard let late = wait.end(), case .complete(_?) = late else { throw error }
      event = .returned(late)
    }
    if case .returned(.complete(let token?)) = event { newToken = token }
    return event
  }

  private func poll(_ limit: Duration) throws -> PollResult<Connection.Status> {
    var found: PollResult<Connection.Status>?
    let client = try credentials.client(flow.level)
    try session.polling(for: limit, of: timeout) {
      try client.poll([id], now: session.world.clock.now()) { id, result, retryAfter in
        found = PollResult(result.map(\.connection.status), retryAfter: retryAfter, subject: "connection '\(id)'")
      }
    }
    guard let found else { throw Problem.interrupted }
    return found
  }

  private func parseFinishURL(_ text: String) throws -> ActivationRedirect {
    var text = text
    if text == "-" {
      try session.console.reserveInput(for: "--finish")
      text = try session.world.input.readLine() ?? ""
    }
    guard let address = options.redirect.address else { throw Problem(.noURL) }
    switch RedirectParser(line: text, at: address, of: page) {
    case .accepted(let redirect):
      if case .complete(let token?) = redirect { newToken = token }
      return redirect
    case .refused(let difference): throw Problem(difference)
    }
  }

  // MARK: The token

  private func adoptToken() throws -> ActivationFlow.Event {
    guard let newToken else { return .claimed }
    let earlier = isTokenRejected ? nil : credentials.userToken
    let verdict: ActivatedToken.Verdict
    do {
      verdict = try returnedToken.accept(newToken, over: earlier, earlier == nil ? nil : knownLogin, login: login)
    } catch {
      if (error as? Problem)?.code == .interrupted {
        session.console.note("The user token from the redirect was saved; run the command again to finish.")
      }
      throw error
    }
    switch verdict {
    case .adopted(let login):
      try noteAdoption(by: login)
      return .claimed
    case .declined(let earlierLogin, let returned): return .declined(current: earlierLogin, returned: returned)
    case .refused: throw Problem.returnedTokenRefused
    }
  }

  /// Notes the owner of the saved token, since the browser may have been signed in with any account.
  private func noteAdoption(by login: String?) throws {
    (hasSavedToken, knownLogin) = (true, login)
    session.console.note(Hint(try savedTokenSentence + (login == nil ? " Its owner could not be determined." : "")))
  }

  private var savedTokenSentence: String {
    get throws {
      let owner = knownLogin.map { " of '\($0)'" } ?? ""
      return "Saved the user token\(owner) in profile '\(try session.profile.name)'."
    }
  }

  private func login(of token: Secret) throws -> Result<String?, APIError> {
    let client = try credentials.client(.user, token: token)
    return try attempt { () throws(APIError) in try client.me().send().userLogin }
  }

  /// Determines the owner of a token that an earlier run saved without checking its owner, and adopts or rejects it.
  private func resolveLeftoverToken() throws {
    guard let leftover = try returnedToken.leftover else { return }
    session.console.note(
      "An earlier activation saved a user token without checking its owner; checking the owner first.")
    switch try returnedToken.accept(leftover, over: credentials.userToken, nil, login: login) {
    case .adopted(let login):
      newToken = leftover
      try noteAdoption(by: login)
    case .declined(let earlierLogin, let returned):
      throw Problem(.anotherAccount(current: earlierLogin, returned: returned), of: id, awaitedAt: nil)
    case .refused: session.console.note("IFTTT rejected that token; it was removed.")
    }
  }
}

extension Result {
  fileprivate func map<Event>(_ success: (Success) -> Event, or failure: (Failure) -> Event) -> Event {
    switch self {
    case .success(let value): success(value)
    case .failure(let error): failure(error)
    }
  }
}

extension Session {
  /// Activates a connection at IFTTT.
  package func activate(_ id: ConnectionID, _ options: ActivationOptions) throws -> Output {
    let activation = try Activation(of: id, options, in: self)
    if self.options.isDryRun { return try activation.dryRun() }
    return try activation.run().output(in: self)
  }
}
