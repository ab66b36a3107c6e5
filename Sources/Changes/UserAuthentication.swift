package import HTTP
package import IFTTT
package import Session
import Store
import Text

/// The authentication of requests for each of many users.
package struct UserAuthentication {
  private enum Method {
    case service(Secret)
    /// The tokens stored in the profile, by user id.
    case storedTokens(profile: String)
  }

  private let method: Method
  private let session: Session

  /// The service key, or with `--as user` the user's stored token. A token that is given for one user is not used.
  package init(_ options: CredentialOptions, for purpose: String, in session: Session) throws {
    self.session = session
    if options.level == .user {
      method = .storedTokens(profile: try session.profile.name)
    } else {
      let key = try session.credentials.serviceKey(file: options.serviceKeyFile)
      method = .service(try key ?? session.credentials.ask(.serviceKey, for: "\(purpose) --users"))
    }
  }

  /// The authentication that requests without a user would have.
  package var shared: Authentication {
    if case .service(let key) = method { .service(key, userID: nil) } else { .anonymous }
  }

  /// The reason for which a run with these credentials ends early.
  package var stop: EarlyStop { if case .service = method { .sharedKey } else { .unreachable } }

  /// - Throws: a ``Problem`` that concerns this user only, or any other error if the store cannot be read.
  package func authentication(of user: UserEntry) throws -> Result<Authentication, Problem> {
    switch method {
    case .service(let key): return .success(.service(key, userID: user.userID))
    case .storedTokens(let profile):
      let token = try session.store.credential(.userToken, userID: user.userID, profile: profile)
      guard let token else {
        return .failure(
          Problem(
            .credentialsMissing, "no user token of user '\(user.userID)' is stored",
            hint: "Run \(ifttt: "token exchange") with --users or --user-id first."))
      }
      session.recording?.note(token, as: .userToken)
      return .success(.user(token))
    }
  }
}
