import API
import CommandContext
import Connect
import Secrets
import Store

/// Who an activation speaks as, level by level: it begins with the best and may have to go on with less.
struct ActivationCredentials {
  let session: Session
  let options: CredentialOptions
  /// The level to begin with.
  let level: Authentication.Level
  /// The one known before the browser was opened.
  let userToken: Secret?
  private let serviceKey: CredentialSource?

  init(_ options: CredentialOptions, in session: Session) throws {
    (self.session, self.options) = (session, options)
    let best = try session.authentication(options)
    level = best.level
    if case .user(let token) = best { userToken = token } else { userToken = nil }
    serviceKey = options.level == .anonymous ? nil : try session.serviceKeySource(file: options.serviceKeyFile)
  }

  var hasServiceKey: Bool { serviceKey != nil }

  /// - Parameter token: takes the place of the one known before.
  func client(_ level: Authentication.Level, token: Secret? = nil) throws -> ConnectClient {
    try session.connect(options, as: authentication(level, token: token))
  }

  private func authentication(_ level: Authentication.Level, token: Secret?) throws -> Authentication {
    switch level {
    case .anonymous: return .anonymous
    case .user:
      guard let token = token ?? userToken else { throw session.missing(.userToken, for: "this call") }
      return .user(token)
    case .service:
      guard let key = try serviceKey.flatMap(session.secret) else {
        throw session.missing(.serviceKey, for: "this call")
      }
      return .service(key, userID: try session.userID(options.userID))
    }
  }

  /// Whether the user's status is told at this level.
  func sees(_ level: Authentication.Level) throws -> Bool {
    switch level {
    case .user: true
    case .service: try session.userID(options.userID) != nil
    case .anonymous: false
    }
  }

  /// Under whose name a returned token is kept: the user that is named, or the one whose token it replaces.
  var tokenUser: String {
    get throws { try session.keptRecord(of: options.userID).0?.userID ?? session.userID(options.userID) ?? "" }
  }
}
