import IFTTT
import Session
import Store
import Text

/// A user token from a redirect. Until its owner is known, it is stored apart from the profile's own token, so that
/// neither is lost.
struct ActivatedToken {
  let session: Session
  let user: String

  private var store: Store { get throws { try session.store } }
  private var profile: String { get throws { try session.profile.name } }

  /// Verifies that the token can be stored, before a single-use code is spent to get it.
  func prepare() throws { try store.prove(.returnedToken, userID: user, profile: profile) }

  /// - Throws: ``StoreError``, which names the file that contains the token instead.
  func save(_ token: Secret) throws {
    try store.keep(token, as: .returnedToken, userID: user, profile: profile)
    session.recording?.note(token, as: .userToken)
  }

  /// The token of an earlier run that ended before it determined the token's owner.
  var left: Secret? { get throws { try store.credential(.returnedToken, userID: user, profile: profile) } }

  /// Makes the token the profile's own.
  func adopt(_ token: Secret) throws {
    try store.save(token, as: .userToken, userID: user, profile: profile)
    try discard()
  }

  func discard() throws { _ = try store.removeCredential(.returnedToken, userID: user, profile: profile) }

  /// Whether the token replaces the earlier one.
  enum Verdict {
    /// The token is now the profile's. `login` is the owner's account name, if it could be determined.
    case adopted(login: String?)
    case declined(kept: String, returned: String)
    /// IFTTT does not accept the token, so discarding it loses nothing.
    case refused
  }

  /// - Parameters:
  ///   - earlier: the token that was known before; nil if there was none or IFTTT no longer accepts it.
  ///   - knownLogin: the account name of the earlier token, if it was already fetched.
  func accept(
    _ token: Secret, over earlier: Secret?, _ knownLogin: String?, login: (Secret) throws -> Result<String?, APIError>
  ) throws -> Verdict {
    let new = try login(token)
    if case .failure(let failure) = new, failure.isUnauthorized {
      try discard()
      return .refused
    }
    guard let earlier, earlier != token else {
      // Nothing is displaced, so the owner need not be known.
      try adopt(token)
      return .adopted(login: try? new.get())
    }
    let returned: String?
    switch new {
    case .success(let login): returned = login
    case .failure(let failure): throw unverified(failure)
    }
    let kept: String?
    switch try knownLogin.map({ .success($0) }) ?? login(earlier) {
    case .success(let login): kept = login
    case .failure(let failure) where failure.isUnauthorized:
      try adopt(token)
      return .adopted(login: returned)
    case .failure(let failure): throw unverified(failure)
    }
    if let kept, kept == returned {
      try adopt(token)
      return .adopted(login: returned)
    }
    guard try isWanted(returned ?? "?", kept ?? "?") else {
      try discard()
      return .declined(kept: kept ?? "?", returned: returned ?? "?")
    }
    try adopt(token)
    return .adopted(login: returned)
  }

  private func isWanted(_ returned: String, _ kept: String) throws -> Bool {
    if session.options.saysYes { return true }
    guard session.console.mayPrompt else { return false }
    return try session.console.agrees(.keepOtherToken(login: returned, expected: kept))
  }

  private func unverified(_ failure: APIError) -> Problem {
    var problem = Problem(failure, subject: nil)
    problem.message = "the new user token was saved, but its owner could not be determined: \(problem.message)"
    problem.hint = "Run the command again to continue from here; the profile's earlier token is unchanged."
    return problem
  }
}

extension APIError {
  var isUnauthorized: Bool {
    if case .answer(let error) = self { error.kind == .unauthorized } else { false }
  }
}
