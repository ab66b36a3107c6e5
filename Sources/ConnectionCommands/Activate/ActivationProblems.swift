import Changes
import IFTTT
import Session
import Text

// The error for every way an activation can fail (docs/api/activation.md §13).

extension Problem {
  /// - Parameter address: the redirect URI, for a user who still has the browser open; nil if no browser was opened.
  init(_ failure: ActivationFlow.Failure, of id: ConnectionID, awaitedAt address: RedirectURI?) {
    let again: SuggestedCommand = "connections activate \(id)"
    switch failure {
    case .api(let failure): self.init(failure, subject: "connection '\(id)'")
    case .reenabling(let failure):
      self.init(failure, subject: "connection '\(id)'")
      hint = .activatingWithoutSkipping(id)
    case .needsEmail:
      self.init(
        .usage, "'connections activate' needs a user",
        reason: "no user token and no email address were given",
        hint: "Pass --email ADDRESS, or a user token with --user-token-file FILE.")
    case .accountCreation:
      self.init(
        .accountCreationFailed, "IFTTT could not create an account for this email address", reason: "account_creation",
        hint: "Try again later, or create one at https://ifttt.com and run \(ifttt: again) again.")
    case .authorization(let reason): self.init(reason, again: again)
    case .cancelled:
      self.init(
        .userCancelled, "the user canceled on IFTTT's configuration screen",
        hint: "Nothing was changed; run \(ifttt: again) to start again, with --skip-config to skip that screen.")
    case .unknownReturn(let unknown):
      self.init(
        .unknownRedirect, "the redirect has an unknown result", reason: unknown.description,
        hint: "Check the connection's status with \(ifttt: "connections show \(id)").")
    case .foreignReturn:
      self.init(
        .stateMismatch, "no redirect with this run's nonce arrived",
        reason: "they come from another program or an old tab, or IFTTT dropped that part",
        hint: "Try again; --no-nonce accepts redirects to --redirect-uri without that part.")
    case .timeout:
      let finishHint = address.map { address -> Hint in
        let command: SuggestedCommand = "connections activate \(id) --redirect-uri \(address.text) --finish -"
        return "\nTo finish it, paste the URL that the browser was redirected to: \(ifttt: command)"
      }
      self.init(
        .timeout, "timed out waiting for the browser",
        hint: "To see whether it finished: \(ifttt: "connections show \(id)")\nTo wait longer, pass --timeout 15m."
          + (finishHint ?? ""))
    case .anotherAccount(let earlierLogin, let returned):
      self.init(
        .conflict, "the user token from the redirect belongs to another account",
        reason: "its owner is '\(returned)'; the profile's token of '\(earlierLogin)' was not replaced",
        hint:
          "Specify the other user with --user-id to store both, pass --yes to replace the token, or sign in as '\(earlierLogin)'."
      )
    case .notConfirmed(let status):
      self.init(
        .notConfirmed, "the browser was redirected, but the connection is not enabled",
        reason: "its status is \(status.rawValue) for the user of these credentials",
        hint: "Another account may have been signed in: \(ifttt: "token verify") shows the token's owner.")
    case .notReenabled(let status): self = .ineffective(Subject(id: id.description), status, code: .notConfirmed)
    }
  }

  private init(_ reason: ActivationRedirect.AuthorizationFailure, again: SuggestedCommand) {
    let (message, word, hint): (String, String?, Hint) =
      switch reason {
      case .partnerSignIn:
        (
          "signing in to the service failed", "auth_error",
          "Run \(ifttt: again) again, with a new OAuth code if you pass one."
        )
      case .identityNotVerified:
        ("IFTTT could not verify the user's identity", "verification_failed", "Run \(ifttt: again) again.")
      case .appCouldNotFinish:
        (
          "the IFTTT app could not finish the activation", "connection_request_failed",
          "Run \(ifttt: again) again, and stay in the browser."
        )
      case .other(let word): ("IFTTT could not finish the activation", word, "Run \(ifttt: again) again.")
      case .unexplained: ("IFTTT could not finish the activation", "no reason was given", "Run \(ifttt: again) again.")
      }
    self.init(.authorizationFailed, message, reason: word, hint: hint)
  }

  static let returnedTokenRefused = Problem(
    .unauthorized, "IFTTT rejected the user token from the redirect",
    hint: "Nothing was changed. Run the command again; the redirect may have come from a proxy or an old tab.")

  /// The error for a URL that is not a redirect to the expected address.
  init(_ difference: RedirectParser.Difference) {
    switch difference {
    case .noURL, .scheme, .host:
      self.init(
        .unknownRedirect, "not the expected redirect URL", reason: difference.description,
        hint: "Copy the whole URL from the browser, and pass the expected redirect URI with --redirect-uri.")
    case .path, .query:
      self.init(
        .stateMismatch, "the redirect does not belong to this activation", reason: difference.description,
        hint: "It may be from an earlier activation; run \(ifttt: "connections activate ID") again.")
    }
  }
}

extension ActivationRedirect.Unknown {
  fileprivate var description: String {
    switch self {
    case .noStep: "its 'next_step' parameter is missing"
    case .step(let word): "next_step is '\(word)'"
    case .behindFragment: "its parameters follow '#', which is not sent to servers"
    case .damaged: "the URL is damaged: a percent escape is incomplete, a control character or not UTF-8"
    }
  }
}
