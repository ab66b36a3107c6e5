package import API

/// Decides what an activation does next: takes what happened and gives what to do (reference: activation.md, section 6).
///
/// It does nothing itself. Whoever runs it does the actions in their order and tells of each what came of it; an interruption
/// needs no event, since it only stops.
package struct ActivationFlow: Sendable, Equatable {
  /// What the user asked for, and what is at hand.
  package struct Wish: Sendable, Equatable {
    package var page: ActivationPage
    /// Through the browser whatever the status.
    package var isForced = false
    /// The return of an earlier run is at hand, and nothing is opened.
    package var isHandedOver = false
    package var skipsConfiguration = false
    package var email: EmailAddress?
    /// Whether somebody can be asked for the address.
    package var mayAskEmail = false
    /// The best credentials there are.
    package var level: Authentication.Level
    /// What speaks where the user token is not accepted, and makes a provisional access code.
    package var hasServiceKey = false
    package var hasOAuthCode = false
    package init(page: ActivationPage, level: Authentication.Level) { (self.page, self.level) = (page, level) }
  }

  package enum Event: Sendable, Equatable {
    case begun
    /// The connection was read.
    case loaded(UserStatus)
    case loadFailed(APIError)
    case reenabled
    case reenableFailed(APIError)
    /// The name of the account whose token it is, if IFTTT told it.
    case login(String?)
    case loginFailed(APIError)
    /// Whether the e-mail has an account; nil where the answer tells neither.
    case account(Bool?)
    case accountFailed(APIError)
    /// What was typed, if anything was.
    case emailTyped(EmailAddress?)
    /// The store takes what will come, and something listens for it.
    case prepared
    case codeExchanged
    case codeRefused(APIError)
    case returned(ActivationRedirect)
    /// The status, looked at during the wait.
    case seen(UserStatus)
    /// The wait is over. Whether returns came that were somebody else's.
    case timeUp(sawForeignReturn: Bool)
    case saved
    /// Whose the new token is, where that could be learned, and that it is the profile's.
    case claimed
    /// It is another account's, and is not wanted.
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
    /// Prove that a token can be saved, and listen: before anything is spent.
    case prepare
    /// POST /v2/provisional_access_code
    case exchangeCode
    /// Print the URL and show it.
    case open(ConnectingUser, Code)
    /// Wait for the return.
    case wait
    /// The connection is on; wait a moment longer for the return that should follow.
    case linger
    case saveToken
    /// Compare the token's account with the one before, and ask where they differ.
    case claimToken
    /// GET /v2/connections/{id}
    case verify(Authentication.Level)
    case markPending
    case note(Note)
    case end(Ending)
  }

  /// What goes into the URL so that the user need not sign in to the partner's service.
  package enum Code: Sendable, Equatable { case none, oauth, provisional }

  /// What the user should know.
  package enum Note: Sendable, Equatable {
    /// The user token is not accepted; it goes on as this level.
    case tokenRefused(Authentication.Level)
    case reenableFailed(APIError)
    /// Nobody knows whether there is an account.
    case accountUnknown
    case newAccount(EmailAddress)
    case codeRefused(APIError)
    /// The Connect URL takes an OAuth code only exchanged, which needs the service key.
    case codeNeedsKey
    /// It was seen to be on, and the browser never came back.
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
    /// Why the last look at the connection failed, if it did.
    package var unverified: APIError?
    package init(_ way: Way, isPending: Bool = false, unverified: APIError? = nil) {
      (self.way, self.isPending, self.unverified) = (way, isPending, unverified)
    }
  }

  package enum Failure: Sendable, Equatable {
    case api(APIError)
    /// It could not be switched on again, and its configuration was to be skipped.
    case reenabling(APIError)
    case needsEmail
    case accountCreation
    case authorization(ActivationRedirect.AuthorizationFailure)
    case cancelled
    case unknownReturn(ActivationRedirect.Unknown)
    case foreignReturn
    case timeout
    case anotherAccount(kept: String, returned: String)
    /// The return said nothing of a failure, and the connection is not on.
    case notConfirmed(UserStatus)
  }

  let wish: Wish
  var state = State.idle
  /// As whom the connection is read; lower than wished once a token was refused.
  package internal(set) var level: Authentication.Level
  /// Before it began.
  package internal(set) var previous = UserStatus.unknown
  var person: ConnectingUser?

  enum State: Sendable, Equatable {
    case idle, loading, reenabling, identifying, preparing, exchanging
    case waiting, lingering
    /// What the return said: a whole activation, or only that the browser is back.
    case saving, claiming
    case verifying(ActivationFlow.Completion.Way, isComplete: Bool)
    case ended
  }

  package init(_ wish: Wish) { (self.wish, level) = (wish, wish.level) }
}
