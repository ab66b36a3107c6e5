/// The configurable behavior of the sandbox's web pages.
package struct WebRules: Sendable, Equatable {
  /// The outcome that every activation ends with immediately, without user input; nil for interactive pages.
  package var outcome: ActivationOutcome?
  /// The only accepted redirect URIs, compared exactly; nil to accept any valid one (docs/api/activation.md U13).
  package var registered: [String]?
  /// Whether the Connect URL's `redirect_uri` receives the same results as the SDKs' (docs/api/activation.md U12).
  package var addsResultsToConnect = false
  /// Whether webhooks have `type` and `event` (docs/api/service.md C6).
  package var namesWebhookEvents = false

  package init() {}
}

/// The outcome of an activation.
package enum ActivationOutcome: String, Sendable, CaseIterable {
  case complete
  case completeWithoutToken = "complete-without-token"
  case completeSkipped = "complete-skipped"
  case completeAsAnother = "complete-as-another"
  case accountCreationFailed = "account-creation-failed"
  case authError = "auth-error"
  case verificationFailed = "verification-failed"
  case connectionRequestFailed = "connection-request-failed"
  case cancelled
  case oddNothing = "odd-nothing"
  case oddNextStep = "odd-next-step"
  case oddFragment = "odd-fragment"
  case oddEscape = "odd-escape"
  case stay

  /// A summary of the outcome for users.
  package var summary: String {
    switch self {
    case .complete: "enabled, with a token"
    case .completeWithoutToken: "enabled, without a token"
    case .completeSkipped: "enabled, but not configured yet"
    case .completeAsAnother: "enabled by another user, with that user's token"
    case .accountCreationFailed: "the account could not be created"
    case .authError: "signing in to the service failed"
    case .verificationFailed: "the user could not be verified"
    case .connectionRequestFailed: "the IFTTT app could not finish"
    case .cancelled: "cancelled"
    case .oddNothing: "redirect without a result"
    case .oddNextStep: "redirect with an unknown next_step"
    case .oddFragment: "redirect with the result after a #"
    case .oddEscape: "redirect with an invalid escape"
    case .stay: "no redirect; the page stays"
    }
  }

  var completes: Bool {
    switch self {
    case .complete, .completeWithoutToken, .completeSkipped, .completeAsAnother: true
    default: false
    }
  }

  /// The result in the query of the redirect URI, without a token; nil if absent.
  func result(owner: String) -> String? {
    switch self {
    case .complete, .completeWithoutToken, .completeSkipped, .completeAsAnother: "next_step=complete"
    case .accountCreationFailed: "next_step=error&error_type=account_creation"
    case .authError: "next_step=error&error_type=auth_error"
    case .verificationFailed: "next_step=error&error_type=verification_failed"
    case .connectionRequestFailed: "next_step=error&error_type=connection_request_failed"
    case .cancelled: "next_step=user_cancelled_configuration"
    case .oddNextStep: "next_step=service_authentication&service_id=\(owner)"
    case .oddFragment: "next_step=complete&user_token=behind_the_fragment"
    case .oddEscape: "next_step=complete&user_token=%zz"
    case .oddNothing, .stay: nil
    }
  }
}
