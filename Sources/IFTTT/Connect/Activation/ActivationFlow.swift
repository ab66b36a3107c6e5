/// The state machine of an activation: an event in, actions out (reference: activation.md, section 6).
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
    /// The wait has ended. Says whether redirects for another activation were received.
    case timeUp(sawForeignReturn: Bool)
    case saved
    /// The account of the new token was determined if possible, and the token belongs to the profile.
    case claimed
    /// The token belongs to another account and was declined.
    case declined(kept: String, returned: String)
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
    case end(Ending)
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
    /// The connection was seen to be enabled, but the browser was never redirected.
    case noReturn
  }

  package enum Ending: Sendable, Equatable {
    case done(Completion)
    case failed(Failure)
  }

  package struct Completion: Sendable, Equatable {
    package enum Way: Sendable { case alreadyEnabled, reenabled, browser }
    package var way: Way
    package var isPending: Bool
    /// Why the last check of the connection failed, if it did.
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
    case anotherAccount(kept: String, returned: String)
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
  var person: ConnectingUser?

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
