import IFTTT
import Session
import Store
import Text

/// The credentials of an activation, per level. It starts with the best level and may have to fall back to a lower
/// one.
struct ActivationCredentials {
  let session: Session
  let options: CredentialOptions
  /// The level to start with.
  let level: Authentication.Level
  /// The user token from before the browser was opened.
  let userToken: Secret?
  private let serviceKey: LocatedCredential?

  init(_ options: CredentialOptions, in session: Session) throws {
    (self.session, self.options) = (session, options)
    let best = try session.credentials.locate(options).authentication()
    level = best.level
    if case .user(let token) = best { userToken = token } else { userToken = nil }
    var serviceOptions = options
    serviceOptions.level = .service
    let key = options.level == .anonymous ? nil : try session.credentials.locate(serviceOptions)
    serviceKey = key?.location == nil ? nil : key
  }

  var hasServiceKey: Bool { serviceKey != nil }

  /// - Parameter token: used instead of ``userToken``.
  func client(_ level: Authentication.Level, token: Secret? = nil) throws -> ConnectClient {
    let credentials = session.credentials
    switch level {
    case .anonymous: return try session.network.connect(credentials.located(.anonymous, options))
    case .user:
      guard let token = token ?? userToken else {
        throw try credentials.problem(
          missing: [.secret(.userToken, file: options.userTokenFile)], for: "this request")
      }
      return try session.network.connect(credentials.located(.user(token), options))
    case .service:
      guard let serviceKey else {
        throw try credentials.problem(
          missing: [.secret(.serviceKey, file: options.serviceKeyFile)], for: "this request")
      }
      return try session.network.connect(serviceKey)
    }
  }

  /// Whether IFTTT returns the user's status at this level.
  func showsStatus(at level: Authentication.Level) throws -> Bool {
    switch level {
    case .user: true
    case .service: try session.credentials.userID(options.userID) != nil
    case .anonymous: false
    }
  }

  /// The user ID that a returned token is stored under: the given user, or the owner of the token that it replaces.
  var tokenUser: String {
    get throws {
      try session.credentials.storedRecord(of: options.userID).0?.userID ?? session.credentials.userID(options.userID)
        ?? ""
    }
  }
}

/// A user token from a redirect. Until its owner is known, it is stored apart from the profile's own token, so that
/// neither is lost.
struct ActivatedToken {
  let session: Session
  let user: String

  private var store: Store { get throws { try session.store } }
  private var profile: String { get throws { try session.profile.name } }

  /// Verifies that the token can be stored, before a single-use code is spent to get it.
  func prepare() throws { try store.prove(.returnedToken, userID: user, profile: profile) }

  /// - Throws: ``StoreError``; it names the file that the token was written to instead.
  func save(_ token: Secret) throws {
    try store.saveOrRecover(token, as: .returnedToken, userID: user, profile: profile)
    session.recording?.note(token, as: .userToken)
  }

  /// The token of an earlier run that ended before it determined the token's owner.
  var leftover: Secret? { get throws { try store.credential(.returnedToken, userID: user, profile: profile) } }

  /// Makes the token the profile's own.
  func adopt(_ token: Secret) throws {
    try store.save(token, as: .userToken, userID: user, profile: profile)
    try discard()
  }

  func discard() throws { _ = try store.removeCredential(.returnedToken, userID: user, profile: profile) }

  /// Whether the token replaces the earlier one.
  enum Verdict {
    /// The token is now the profile's. `login` is the owner's account name; nil if it could not be determined.
    case adopted(login: String?)
    case declined(earlierLogin: String, returned: String)
    /// IFTTT does not accept the token, so discarding it loses nothing.
    case refused
  }

  /// - Parameters:
  ///   - earlier: the token from before; nil if it is missing or IFTTT no longer accepts it.
  ///   - knownLogin: the account name of the earlier token, if it was already fetched.
  func accept(
    _ token: Secret, over earlier: Secret?, _ knownLogin: String?, login: (Secret) throws -> Result<String?, APIError>
  ) throws -> Verdict {
    let result = try login(token)
    if case .failure(let failure) = result, failure.isUnauthorized {
      try discard()
      return .refused
    }
    guard let earlier, earlier != token else {
      // No token is replaced, so the owner does not matter.
      try adopt(token)
      return .adopted(login: try? result.get())
    }
    let newLogin: String?
    switch result {
    case .success(let login): newLogin = login
    case .failure(let failure): throw unverified(failure)
    }
    let earlierLogin: String?
    switch try knownLogin.map({ .success($0) }) ?? login(earlier) {
    case .success(let login): earlierLogin = login
    case .failure(let failure) where failure.isUnauthorized:
      try adopt(token)
      return .adopted(login: newLogin)
    case .failure(let failure): throw unverified(failure)
    }
    if let earlierLogin, earlierLogin == newLogin {
      try adopt(token)
      return .adopted(login: newLogin)
    }
    guard try mayReplace(earlierLogin ?? "?", with: newLogin ?? "?") else {
      try discard()
      return .declined(earlierLogin: earlierLogin ?? "?", returned: newLogin ?? "?")
    }
    try adopt(token)
    return .adopted(login: newLogin)
  }

  /// Whether the user agrees to replace the token of one account with that of another.
  private func mayReplace(_ earlierLogin: String, with newLogin: String) throws -> Bool {
    if session.options.assumesYes { return true }
    guard session.console.mayPrompt else { return false }
    return try session.console.agrees(.keepOtherToken(login: newLogin, expected: earlierLogin))
  }

  private func unverified(_ failure: APIError) -> Problem {
    var problem = Problem(failure, subject: nil)
    problem.message = "the new user token was saved, but its owner could not be determined: \(problem.message)"
    problem.hint = "Run the command again to resume; the profile's earlier token is unchanged."
    return problem
  }
}
