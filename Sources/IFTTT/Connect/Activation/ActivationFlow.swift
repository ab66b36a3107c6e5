/// The state machine of an activation: an event in, actions out (docs/api/activation.md §6).
///
/// It has no side effects. The caller executes the actions in order and reports the result of each as an event. An
/// interruption needs no event, because it only stops the flow.
package struct ActivationFlow: Sendable, Equatable {
  /// The requested activation, and the available credentials.
  package struct ActivationRequest: Sendable, Equatable {
    package var page: ActivationPage
    /// Whether to use the browser whatever the status.
    package var isForced = false
    /// Whether the redirect of an earlier run was supplied, so that no browser is opened.
    package var isHandedOver = false
    package var skipsConfiguration = false
    package var email: EmailAddress?
    /// Whether the user can be prompted for the address.
    package var mayAskEmail = false
    /// The highest available level of authentication.
    package var level: Authentication.Level
    /// Whether there is a service key. It is used if the user token is rejected, and to obtain a provisional access
    /// code.
    package var hasServiceKey = false
    package var hasOAuthCode = false
    package init(page: ActivationPage, level: Authentication.Level) { (self.page, self.level) = (page, level) }
  }

  package enum Event: Sendable, Equatable {
    case begun
    /// The connection was fetched.
    case loaded(UserStatus)
    case loadFailed(APIError)
    case reenabled
    case reenableFailed(APIError)
    /// The name of the account that owns the token, if IFTTT sent it.
    case login(String?)
    case loginFailed(APIError)
    /// Whether the e-mail address has an account; nil if the response is inconclusive.
    case account(Bool?)
    case accountFailed(APIError)
    /// The address the user entered, if any.
    case emailTyped(EmailAddress?)
    /// The store can save the token, and the listener is running.
    case prepared
    case codeExchanged
    case codeRefused(APIError)
    case returned(ActivationRedirect)
    /// The status, polled during the wait.
    case seen(UserStatus)
    /// The wait has ended. The value is whether redirects for another activation were received.
    case timeUp(sawForeignReturn: Bool)
    case saved
    /// The account of the new token was determined if possible, and the token belongs to the profile.
    case claimed
    /// The token belongs to another account and was declined.
    case declined(current: String, returned: String)
    case verified(UserStatus)
    case verifyFailed(APIError)
  }

  package enum Action: Sendable, Equatable {
    /// GET /v2/connections/{id}
    case load(Authentication.Level)
    /// POST /v2/connections/{id}/enable
    case reenable
    /// GET /v2/me
    case askLogin
    /// GET /v2/account/find
    case findAccount(EmailAddress)
    case askEmail
    /// Verify that a token can be saved, and start the listener, before any code is used up.
    case prepare
    /// POST /v2/provisional_access_code
    case exchangeCode
    /// Print the URL and open it.
    case open(ConnectingUser, Code)
    /// Wait for the redirect.
    case wait
    /// The connection is enabled. Wait a little longer for the redirect that should follow.
    case linger
    case saveToken
    /// Compare the token's account with the previous one, and prompt if they differ.
    case claimToken
    /// GET /v2/connections/{id}
    case verify(Authentication.Level)
    case markPending
    case note(Note)
    case end(Outcome)
  }

  /// The code in the URL that saves the user from signing in to the partner's service.
  package enum Code: Sendable, Equatable { case none, oauth, provisional }

  /// A message for the user.
  package enum Note: Sendable, Equatable {
    /// The user token was rejected; the flow continues at this level.
    case tokenRefused(Authentication.Level)
    case reenableFailed(APIError)
    /// It is unknown whether there is an account.
    case accountUnknown
    case newAccount(EmailAddress)
    case codeRefused(APIError)
    /// The Connect URL accepts an OAuth code only after an exchange, which needs the service key.
    case codeNeedsKey
    /// A poll returned the connection as enabled, but the browser was never redirected.
    case noRedirect
  }

  package enum Outcome: Sendable, Equatable {
    case done(Completion)
    case failed(Failure)
  }

  package struct Completion: Sendable, Equatable {
    package enum Way: Sendable { case alreadyEnabled, reenabled, browser }
    package var way: Way
    package var isPending: Bool
    /// The reason why the last check of the connection failed; nil if it did not.
    package var unverified: APIError?
    package init(_ way: Way, isPending: Bool = false, unverified: APIError? = nil) {
      (self.way, self.isPending, self.unverified) = (way, isPending, unverified)
    }
  }

  package enum Failure: Sendable, Equatable {
    case api(APIError)
    /// The connection could not be enabled again, and skipping its configuration was requested.
    case reenabling(APIError)
    case needsEmail
    case accountCreation
    case authorization(ActivationRedirect.AuthorizationFailure)
    case cancelled
    case unknownReturn(ActivationRedirect.Unknown)
    case foreignReturn
    case timeout
    case anotherAccount(current: String, returned: String)
    /// The redirect reported no failure, but the connection has this status.
    case notConfirmed(UserStatus)
    /// IFTTT accepted the request to enable the connection, but it has this status.
    case notReenabled(UserStatus)
  }

  let request: ActivationRequest
  var state = State.idle
  /// The level at which the connection is fetched; lower than requested if a token was rejected.
  package internal(set) var level: Authentication.Level
  /// The status before the activation.
  package internal(set) var previous = UserStatus.unknown
  var user: ConnectingUser?

  enum State: Sendable, Equatable {
    case idle, loading, reenabling, identifying, preparing, exchanging
    case waiting, lingering
    /// The result of the redirect: a complete activation, or only that the browser returned.
    case saving, claiming
    case verifying(ActivationFlow.Completion.Way, isComplete: Bool)
    case ended
  }

  package init(_ request: ActivationRequest) { (self.request, level) = (request, request.level) }
}

extension ActivationFlow {
  /// Processes an event and returns the next actions. An event that no longer matters, such as a second redirect,
  /// returns none.
  package mutating func receive(_ event: Event) -> [Action] {
    switch state {
    case .idle: begin(event)
    case .loading: load(event)
    case .reenabling: reenable(event)
    case .identifying: identify(event)
    case .preparing, .exchanging: prepare(event)
    case .waiting, .lingering: wait(event)
    case .saving, .claiming: store(event)
    case .verifying(let way, let isComplete): verify(event, way, isComplete: isComplete)
    case .ended: []
    }
  }

  private mutating func begin(_ event: Event) -> [Action] {
    guard event == .begun else { return [] }
    state = .loading
    return [.load(level)]
  }

  private mutating func load(_ event: Event) -> [Action] {
    switch event {
    case .loaded(let status):
      previous = status
      return decide(status)
    case .loadFailed(let failure):
      guard level == .user, failure.isUnauthorized else { return fail(.api(failure)) }
      level = request.hasServiceKey ? .service : .anonymous
      return [.note(.tokenRefused(level)), .load(level)]
    default: return []
    }
  }

  private mutating func decide(_ status: UserStatus) -> [Action] {
    if request.isHandedOver { return makeReady() }
    if request.isForced { return identify() }
    switch status {
    case .enabled: return end(.done(Completion(.alreadyEnabled)))
    case .disabled where level == .user:
      state = .reenabling
      return [.reenable]
    case .disabled, .neverEnabled, .unknown: return identify()
    }
  }

  private mutating func reenable(_ event: Event) -> [Action] {
    switch event {
    case .reenabled: return verify(after: .reenabled, isComplete: true)
    case .reenableFailed(let failure):
      if failure.lacksResponse { return fail(.api(failure)) }
      // Skipping the configuration again would leave the connection pending, which is why enabling it failed
      // (docs/api/activation.md §10).
      if request.skipsConfiguration { return fail(.reenabling(failure)) }
      return [.note(.reenableFailed(failure))] + identify()
    default: return []
    }
  }

  // MARK: Identity

  private mutating func identify() -> [Action] {
    state = .identifying
    // The Connect URL identifies people by e-mail only, and creates accounts on its own.
    guard request.page == .sdk else { return identifyByEmail() }
    return level == .user ? [.askLogin] : identifyByEmail()
  }

  private mutating func identifyByEmail() -> [Action] {
    guard let email = request.email else { return request.mayAskEmail ? [.askEmail] : fail(.needsEmail) }
    return proceed(with: email)
  }

  private mutating func proceed(with email: EmailAddress) -> [Action] {
    guard request.page == .sdk else { return prepare(.email(email, isNew: false)) }
    user = .email(email, isNew: false)
    return [.findAccount(email)]
  }

  private mutating func identify(_ event: Event) -> [Action] {
    switch event {
    case .login(let name):
      guard let name, !name.isEmpty else { return identifyByEmail() }
      return prepare(.username(name))
    case .loginFailed(let failure):
      guard failure.isUnauthorized else { return fail(.api(failure)) }
      level = request.hasServiceKey ? .service : .anonymous
      return [.note(.tokenRefused(level))] + identifyByEmail()
    case .emailTyped(let email): return email.map { proceed(with: $0) } ?? fail(.needsEmail)
    case .account(let exists):
      guard case .email(let email, _)? = user else { return [] }
      let notes: [Action] =
        exists == nil ? [.note(.accountUnknown)] : exists == false ? [.note(.newAccount(email))] : []
      // Only a clear "no" creates an account (docs/api/connect.md C17).
      return notes + prepare(.email(email, isNew: exists == false))
    case .accountFailed(let failure): return fail(.api(failure))
    default: return []
    }
  }

  // MARK: Browser

  private mutating func prepare(_ user: ConnectingUser) -> [Action] {
    self.user = user
    return makeReady()
  }

  private mutating func makeReady() -> [Action] {
    state = .preparing
    return [.prepare]
  }

  private mutating func prepare(_ event: Event) -> [Action] {
    switch event {
    case .prepared where request.isHandedOver:
      state = .waiting
      return [.wait]
    case .prepared:
      guard request.hasOAuthCode else { return open(.none) }
      guard request.page == .connect else { return open(.oauth) }
      guard request.hasServiceKey else { return [.note(.codeNeedsKey)] + open(.none) }
      state = .exchanging
      return [.exchangeCode]
    case .codeExchanged: return open(.provisional)
    // Without a code, or with a rejected one, the user signs in on the partner's own page (docs/api/activation.md §9).
    case .codeRefused(let failure): return [.note(.codeRefused(failure))] + open(.none)
    default: return []
    }
  }

  private mutating func open(_ code: Code) -> [Action] {
    guard let user else { return [] }
    state = .waiting
    return [.open(user, code), .wait]
  }

  private mutating func wait(_ event: Event) -> [Action] {
    switch event {
    case .returned(let redirect): return interpret(redirect)
    case .seen(.enabled) where state == .waiting && previous != .enabled:
      state = .lingering
      return [.linger]
    case .seen: return []
    case .timeUp where state == .lingering:
      return [.note(.noRedirect)] + verify(after: .browser, isComplete: false)
    case .timeUp(let sawForeignReturn): return fail(sawForeignReturn ? .foreignReturn : .timeout)
    default: return []
    }
  }

  private mutating func interpret(_ redirect: ActivationRedirect) -> [Action] {
    switch redirect {
    case .complete(nil): return verify(after: .browser, isComplete: true)
    case .complete:
      state = .saving
      return [.saveToken]
    case .back: return verify(after: .browser, isComplete: false)
    case .cancelled: return fail(.cancelled)
    case .accountCreationFailed: return fail(.accountCreation)
    case .authorizationFailed(let reason): return fail(.authorization(reason))
    case .unknown(let reason): return fail(.unknownReturn(reason))
    }
  }

  // MARK: Result

  private mutating func store(_ event: Event) -> [Action] {
    switch event {
    case .saved where state == .saving:
      state = .claiming
      return [.claimToken]
    case .claimed:
      level = .user
      return verify(after: .browser, isComplete: true)
    case .declined(let current, let returned): return fail(.anotherAccount(current: current, returned: returned))
    default: return []
    }
  }

  private mutating func verify(after way: Completion.Way, isComplete: Bool) -> [Action] {
    state = .verifying(way, isComplete: isComplete)
    return [.verify(level)]
  }

  private mutating func verify(_ event: Event, _ way: Completion.Way, isComplete: Bool) -> [Action] {
    // IFTTT's responses do not mark a connection as pending, so the client that skipped its configuration must record
    // it (docs/api/connect.md U4).
    let skipped = way == .browser && request.skipsConfiguration
    switch event {
    case .verified(let status):
      let isConfirmed = status == .enabled || (isComplete && (status == .unknown || skipped))
      guard isConfirmed else { return fail(way == .reenabled ? .notReenabled(status) : .notConfirmed(status)) }
      return complete(Completion(way, isPending: skipped))
    case .verifyFailed(let failure):
      guard isComplete else { return fail(.api(failure)) }
      return complete(Completion(way, isPending: skipped, unverified: failure))
    default: return []
    }
  }

  private mutating func complete(_ completion: Completion) -> [Action] {
    (completion.isPending ? [.markPending] : []) + end(.done(completion))
  }

  private mutating func fail(_ failure: Failure) -> [Action] { end(.failed(failure)) }

  private mutating func end(_ outcome: Outcome) -> [Action] {
    state = .ended
    return [.end(outcome)]
  }
}

extension APIError {
  /// Whether there was no response.
  fileprivate var lacksResponse: Bool {
    if case .http = self { true } else { false }
  }
}
