/// What can go wrong with a Grab sign-in. Each case is a row of the table in docs/grab.md.
package enum GrabEvent: String, Sendable, CaseIterable {
  case noClientID, badRedirectURI, unparsableRedirectURI, emptyScope, badSetting, noGrabSettings, noAppFile
  case badDiscoveryURL
  case noConnection, tlsFailed, timeLimit, tooManyRequests, unavailable
  case discoveryStatus, discoveryUnusable
  case authorizeURLImpossible, noRandomBytes
  case stateMismatch, foreignRedirect, redirectWithoutCode
  case userCancelled, interactionRequired, clientNotAllowed, invalidScope, redirectError
  case nobodyCameBack, noPendingLogin
  case codeRefused, clientRefused, tokenRefused, tokenServerError, tokenUnreadable
  case nonceMismatch, partnerMismatch, idTokenInvalid, noKeySet
  case refreshRefused, noRefreshToken
  case callUnauthorized, insufficientScope, callFailed
  case noSuchAccount, notSignedIn, noLongerValid
  case remoteRefused, remoteUnreadable, remoteNonce, remoteClaim, noVerificationEndpoint
  case logoutNotStored, notRevoked
  case publicInfoStatus, publicInfoUnusable, publicInfoURL
  case linkNotOpened
  case noDeviceGrant
}

/// What a row of the table says: the program's code, and Grab's.
package struct GrabEventRow: Sendable {
  package let event: GrabEvent
  /// In words, for the table.
  package let happened: String
  /// One, or, where the server's status decides, the one for 4xx and the one for 5xx. Empty: as the call failed.
  package let codes: [ProblemCode]
  /// Nil where Grab's list has nothing that fits.
  package let grab: Grab?

  package enum Grab: Sendable, Equatable {
    case code(GrabCode.Domain, GrabCode.Name)
    /// In the domain of whatever call it was.
    case ofCall(GrabCode.Name)
  }

  init(_ event: GrabEvent, _ happened: String, _ codes: ProblemCode..., grab: Grab?) {
    (self.event, self.happened, self.codes, self.grab) = (event, happened, codes, grab)
  }
}
