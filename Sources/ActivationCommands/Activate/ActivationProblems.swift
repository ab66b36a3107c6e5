import API
import Batch
import BrowserRedirects
import CommandContext
import Connect
import Hints

// The error for every way an activation can fail (reference: activation.md, section 13).

extension Problem {
  /// - Parameter address: the redirect URI, for a user who still has the browser open; nil if no browser was opened.
  init(_ failure: ActivationFlow.Failure, of id: ConnectionID, awaitedAt address: RedirectURI?) {
    let again: SuggestedCommand = "connections activate \(id)"
    switch failure {
    case .api(let failure): self.init(failure, subject: "connection '\(id)'")
    case .reenabling(let failure):
      self.init(failure, subject: "connection '\(id)'")
      hint =
        "If it was turned off before it was configured, do not skip that now: \(ifttt: Problem.wayOut(of: id.description))."
    case .needsEmail:
      self.init(
        .usage, "'connections activate' needs to know the user",
        reason: "there is no user token, and no e-mail was given",
        hint: "Give --email ADDRESS, or a user token.")
    case .accountCreation:
      self.init(
        .accountCreationFailed, "IFTTT could not create an account for this e-mail", reason: "account_creation",
        hint: "Try again later, or create one at https://ifttt.com and run \(ifttt: again) again.")
    case .authorization(let reason): self.init(reason, again: again)
    case .cancelled:
      self.init(
        .userCancelled, "the user cancelled it on IFTTT's configuration screen",
        hint: "Nothing was changed; run \(ifttt: again) to start again, with --skip-config to skip that screen.")
    case .unknownReturn(let what):
      self.init(
        .unknownRedirect, "the browser came back with something that is not known", reason: what.words,
        hint: "Nothing is assumed: \(ifttt: "connections show \(id)") tells what is true.")
    case .foreignReturn:
      self.init(
        .stateMismatch, "only returns without the random part of the address came",
        reason: "they are somebody else's, an old tab's, or IFTTT left that part out",
        hint: "Try again; --no-nonce takes a return at the address of --redirect-uri without it.")
    case .timeout:
      let handing = address.map { address -> Hint in
        let command: SuggestedCommand = "connections activate \(id) --redirect-uri \(address.text) --redirect-url -"
        return "; or hand over where the browser ended: \(ifttt: command)"
      }
      self.init(
        .timeout, "nobody came back in time",
        hint: "It may still be going on: look with \(ifttt: "connections show \(id)"), or allow more --timeout"
          + (handing ?? "."))
    case .anotherAccount(let kept, let returned):
      self.init(
        .conflict, "the token that came back belongs to another account",
        reason: "it is '\(returned)', and the profile's token is of '\(kept)', which stays",
        hint:
          "Name the other user with --user-id to keep both, say --yes to replace the token, or sign in as '\(kept)'.")
    case .notConfirmed(let status):
      self.init(
        .notConfirmed, "the browser came back, but the connection is not on",
        reason: "its status is \(status.rawValue) for whom these credentials speak",
        hint: "Another account may have been signed in: \(ifttt: "token verify") tells whose the token is.")
    }
  }

  private init(_ reason: ActivationRedirect.AuthorizationFailure, again: SuggestedCommand) {
    let (message, word, hint): (String, String?, Hint) =
      switch reason {
      case .partnerSignIn:
        (
          "signing in to the service failed", "auth_error",
          "Run \(ifttt: again) again, with a fresh OAuth code if you give one."
        )
      case .identityNotVerified:
        ("IFTTT could not verify who it is", "verification_failed", "Run \(ifttt: again) again.")
      case .appCouldNotFinish:
        (
          "the IFTTT app could not finish it", "connection_request_failed",
          "Run \(ifttt: again) again, and stay in the browser."
        )
      case .other(let word): ("IFTTT could not finish it", word, "Run \(ifttt: again) again.")
      case .unexplained: ("IFTTT could not finish it", "no reason was given", "Run \(ifttt: again) again.")
      }
    self.init(.authorizationFailed, message, reason: word, hint: hint)
  }

  static let returnedTokenRefused = Problem(
    .unauthorized, "IFTTT does not accept the user token that the browser brought",
    hint: "Nothing was changed. Run the command again; a proxy or an old tab may have answered for IFTTT.")

  /// The error for a URL that is not a redirect to the expected address.
  init(_ difference: RedirectParser.Difference) {
    switch difference {
    case .noURL, .scheme, .host:
      self.init(
        .unknownRedirect, "that is not the address that was expected", reason: difference.words,
        hint: "Copy the whole address from the browser, and give the one that was expected with --redirect-uri.")
    case .path, .query:
      self.init(
        .stateMismatch, "that is not the return of this activation", reason: difference.words,
        hint: "It may be an old one; run \(ifttt: "connections activate ID") again.")
    }
  }
}

extension ActivationRedirect.Unknown {
  fileprivate var words: String {
    switch self {
    case .noStep: "it says nothing of how it ended"
    case .step(let word): "next_step is '\(word)'"
    case .behindFragment: "its parameters stand behind '#', which no server sees"
    case .damaged: "the URL is damaged: an escape is cut off, or stands for no text"
    }
  }
}
