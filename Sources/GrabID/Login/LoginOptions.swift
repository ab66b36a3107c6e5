/// The options of a sign-in; its destination is part of ``GrabSettings``.
package struct LoginOptions: Sendable {
  /// Whether to sign in even if a session is still valid.
  package var isForced = false
  package var account: String?
  package var opensBrowser = true
  /// The user's own browser command. The host also knows it and accepts it only from the user.
  package var browser: String?
  package var port: Int?
  /// Whether to print the URL, store the pending sign-in, and exit.
  package var printsURL = false
  package var usesDevice = false

  package init() {}
}

/// The outcome of a sign-in.
package enum LoginResult: Sendable {
  /// A session was still valid; nothing was sent.
  case stillSignedIn(Account)
  case signedIn(Account)
  /// Another process finishes the sign-in.
  case pending(url: String, redirectURI: String, state: String)
  /// The URL that `--dry-run` shows.
  case planned(url: String)
}
