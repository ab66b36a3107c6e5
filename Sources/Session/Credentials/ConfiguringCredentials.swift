package import IFTTT
import Text

extension CredentialAccess {
  /// Chooses the credentials to configure and use a connection with. These endpoints are documented only with a
  /// service key and a user ID. A user token is used if it was requested or nothing else is available (reference:
  /// connect-api.md, section 6).
  package func configuring(_ given: CredentialOptions, for purpose: String) throws -> CredentialOptions {
    var credentials = given
    switch given.level {
    case .user: return credentials
    case .anonymous:
      throw Problem(
        .credentialsMissing, "\(purpose) needs a user", reason: "--as anonymous identifies no user",
        hint: "Pass --as service or --as user.")
    case .service, nil: break
    }
    let hasKey = try serviceKeySource(file: given.serviceKeyFile) != nil
    if hasKey || given.level == .service {
      credentials.level = .service
      if try userID(given.userID) != nil { return credentials }
      guard given.level == nil, try hasUserToken(given) else {
        throw Problem(
          .credentialsMissing, "\(purpose) with a service key needs the user's id",
          hint: "Pass --user-id ID or set IFTTT_USER_ID; with a user token, pass --as user.")
      }
    }
    if try hasUserToken(given) {
      credentials.level = .user
    } else {
      // On a terminal, a prompt asks for the key.
      guard console.mayPrompt, try userID(given.userID) != nil else { throw missing(.serviceKey, for: purpose) }
      credentials.level = .service
    }
    return credentials
  }

  /// Checks, before anything is sent, that a request that IFTTT documents only for a service key and a user id would not
  /// be sent with a user token, unless `--as user` asks for that (reference: connect-api.md, section 6).
  /// - Parameter purpose: the command that needs the key, such as `'configure'`.
  package func requireServiceKey(_ given: CredentialOptions, for purpose: String) throws {
    guard given.level != .user, try configuring(given, for: purpose).level == .user else { return }
    let hasKey = try serviceKeySource(file: given.serviceKeyFile) != nil
    let missing: Hint =
      hasKey
      ? "Pass --user-id ID or set IFTTT_USER_ID"
      : "Pass --service-key-file FILE or set IFTTT_SERVICE_KEY, and --user-id ID"
    throw Problem(
      .credentialsMissing, "\(purpose) needs \(hasKey ? "the user's id" : "a service key") for this change",
      reason: "IFTTT documents the request for a service key with a user id, not for a user token",
      hint: missing + "; to try it with the user token, pass --as user.")
  }

  /// The authentication for changing a connection's status. Only a user token is known to be accepted (reference:
  /// connect-api.md, section 7.5).
  /// - Parameter purpose: the command that needs the token, such as `'connections enable'`.
  package func changing(_ given: CredentialOptions, for purpose: String) throws -> Authentication {
    guard given.level == nil || given.level == .user else { throw missing(.userToken, for: purpose) }
    let kept = try userToken(file: given.userTokenFile, userID: given.userID)
    return .user(try kept ?? ask(.userToken, for: purpose))
  }

  /// Chooses the credentials without a prompt.
  package func configuringEarly(_ given: CredentialOptions) throws -> CredentialOptions {
    var credentials = given
    if try serviceKeySource(file: given.serviceKeyFile) != nil, try userID(given.userID) != nil, given.level != .user {
      credentials.level = .service
    } else {
      credentials.level = try hasUserToken(given) ? .user : .anonymous
    }
    return credentials
  }

  private func hasUserToken(_ given: CredentialOptions) throws -> Bool {
    try userTokenSource(file: given.userTokenFile, userID: given.userID) != nil
  }
}
