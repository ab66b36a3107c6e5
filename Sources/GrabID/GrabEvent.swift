/// The errors of a Grab sign-in. Each case is a row of the table in docs/grab.md.
package enum GrabEvent: String, Sendable, CaseIterable {
  case noClientID, badRedirectURI, unparsableRedirectURI, emptyScope, badSetting, noGrabSettings, noAppFile
  case badDiscoveryURL
  case noConnection, tlsFailed, timeLimit, tooManyRequests, unavailable
  case discoveryStatus, discoveryUnusable
  case authorizeURLImpossible, noRandomBytes
  case stateMismatch, foreignRedirect, redirectWithoutCode
  case userCancelled, interactionRequired, clientNotAllowed, invalidScope, redirectError
  case redirectTimeout, noPendingLogin
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

/// A row of the table: an event with the program's code and Grab's code.
package struct GrabEventRow: Sendable {
  package let event: GrabEvent
  /// The description for the table.
  package let happened: String
  /// One code, or one for 4xx and one for 5xx if the server's status decides. If empty, the failure decides.
  package let codes: [ProblemCode]
  /// Grab's code; nil if Grab's list has none that fits.
  package let grab: Grab?

  package enum Grab: Sendable, Equatable {
    case code(GrabCode.Domain, GrabCode.Name)
    /// A name in the domain of the request.
    case ofCall(GrabCode.Name)
  }

  init(_ event: GrabEvent, _ happened: String, _ codes: ProblemCode..., grab: Grab?) {
    (self.event, self.happened, self.codes, self.grab) = (event, happened, codes, grab)
  }
}
