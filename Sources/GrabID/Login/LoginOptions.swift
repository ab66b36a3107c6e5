/// How a person wants to sign in; what they sign in to is in ``GrabSettings``.
package struct LoginOptions: Sendable {
  /// Signs in although a session lasts.
  package var isForced = false
  package var account: String?
  package var opensBrowser = true
  /// The user's own command for it. The host knows it as well, and takes it from no one else.
  package var browser: String?
  package var port: Int?
  /// Prints the address, keeps the pending login, and ends.
  package var printsURL = false
  package var usesDevice = false

  package init() {}
}

/// How a sign-in ended.
package enum LoginResult: Sendable {
  /// A session that lasts was there; nothing was sent.
  case stillSignedIn(Account)
  case signedIn(Account)
  /// For another process to finish.
  case pending(url: String, redirectURI: String, state: String)
  /// As `--dry-run` shows it.
  case planned(url: String)
}
