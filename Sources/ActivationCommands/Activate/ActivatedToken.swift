import API
import CommandContext
import Connect
import Hints
import Phrases
import Secrets
import Store

/// A user token that a browser brought back. It is kept apart from the profile's own, so that neither is lost, until it is
/// known whose it is.
struct ActivatedToken {
  let session: Session
  let user: String

  private var store: Store { get throws { try session.store } }
  private var profile: String { get throws { try session.profile.name } }

  /// Proves that it can be kept, before anything is spent for it.
  func prepare() throws { try store.prove(.returnedToken, userID: user, profile: profile) }

  /// - Throws: ``StoreError``, which names the file that it is in instead.
  func save(_ token: Secret) throws {
    try store.keep(token, as: .returnedToken, userID: user, profile: profile)
    session.recording?.note(token, as: .userToken)
  }

  /// One that an earlier run left, since it ended before it knew whose it is.
  var left: Secret? { get throws { try store.credential(.returnedToken, userID: user, profile: profile) } }

  /// Makes it the profile's.
  func adopt(_ token: Secret) throws {
    try store.save(token, as: .userToken, userID: user, profile: profile)
    try discard()
  }

  func discard() throws { _ = try store.removeCredential(.returnedToken, userID: user, profile: profile) }

  /// Whose it is, held against the token before it.
  enum Verdict {
    /// The profile's now; the name of its account where it could be learned.
    case adopted(login: String?)
    case declined(kept: String, returned: String)
    /// IFTTT does not accept it, so that nothing is lost with it.
    case refused
  }

  /// - Parameters:
  ///   - earlier: the token that was known before; nil where there was none, or IFTTT does not accept it any more.
  ///   - knownLogin: of that one's account, where it was asked for already.
  func claim(
    _ token: Secret, over earlier: Secret?, _ knownLogin: String?, login: (Secret) throws -> Result<String?, APIError>
  ) throws -> Verdict {
    let new = try login(token)
    if case .failure(let failure) = new, failure.isUnauthorized {
      try discard()
      return .refused
    }
    guard let earlier, earlier != token else {
      // Nothing is displaced, so whose it is need not be known.
      try adopt(token)
      return .adopted(login: try? new.get())
    }
    let returned: String?
    switch new {
    case .success(let login): returned = login
    case .failure(let failure): throw unclaimed(failure)
    }
    let kept: String?
    switch try knownLogin.map({ .success($0) }) ?? login(earlier) {
    case .success(let login): kept = login
    case .failure(let failure) where failure.isUnauthorized:
      try adopt(token)
      return .adopted(login: returned)
    case .failure(let failure): throw unclaimed(failure)
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
    guard session.mayPrompt else { return false }
    return try session.agrees(.keepOtherToken(login: returned, expected: kept))
  }

  private func unclaimed(_ failure: APIError) -> Problem {
    var problem = Problem(failure, subject: nil)
    problem.message = "the new user token is kept, but whose it is could not be learned: \(problem.message)"
    problem.hint = "Run the command again: it goes on from here, and what the profile had is still there."
    return problem
  }
}

extension APIError {
  var isUnauthorized: Bool {
    if case .answer(let error) = self { error.kind == .unauthorized } else { false }
  }
}
