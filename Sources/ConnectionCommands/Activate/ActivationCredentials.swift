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
  /// The user token that was known before the browser was opened.
  let userToken: Secret?
  private let serviceKey: CredentialSource?

  init(_ options: CredentialOptions, in session: Session) throws {
    (self.session, self.options) = (session, options)
    let best = try session.credentials.authentication(options)
    level = best.level
    if case .user(let token) = best { userToken = token } else { userToken = nil }
    serviceKey =
      options.level == .anonymous ? nil : try session.credentials.serviceKeySource(file: options.serviceKeyFile)
  }

  var hasServiceKey: Bool { serviceKey != nil }

  /// - Parameter token: replaces the token that was known before.
  func client(_ level: Authentication.Level, token: Secret? = nil) throws -> ConnectClient {
    try session.network.connect(options, as: authentication(level, token: token))
  }

  private func authentication(_ level: Authentication.Level, token: Secret?) throws -> Authentication {
    switch level {
    case .anonymous: return .anonymous
    case .user:
      guard let token = token ?? userToken else { throw session.credentials.missing(.userToken, for: "this request") }
      return .user(token)
    case .service:
      guard let key = try serviceKey.flatMap(session.credentials.secret) else {
        throw session.credentials.missing(.serviceKey, for: "this request")
      }
      return .service(key, userID: try session.credentials.userID(options.userID))
    }
  }

  /// Whether IFTTT shows the user's status at this level.
  func sees(_ level: Authentication.Level) throws -> Bool {
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
