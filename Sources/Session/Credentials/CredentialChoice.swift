package import IFTTT
import Sandbox
package import Store
package import Text
import World

/// The source of a credential. Locating a credential decrypts nothing, so a fresh list never needs decryption.
package enum CredentialSource {
  case given(Secret)
  case stored(CredentialRecord)
  /// A credential of the sandbox.
  case builtIn(Secret, CredentialName)

  /// An identifier of the credential that does not reveal it.
  package var fingerprint: String {
    switch self {
    case .given(let secret), .builtIn(let secret, _): RequestIdentity.fingerprint(of: secret)
    case .stored(let record): "\(record.userID) \(record.savedAt.milliseconds)"
    }
  }
}

/// The authentication of a request, before the credential is read.
package enum AuthenticationChoice {
  case user(CredentialSource)
  case service(CredentialSource, userID: String?)
  case anonymous
  /// A requested level whose credential is missing.
  case missing(CredentialName)
}

extension CredentialAccess {
  /// The first available choice that `--as` allows.
  package func choice(_ options: CredentialOptions) throws -> AuthenticationChoice {
    func user() throws -> AuthenticationChoice? {
      try userTokenSource(file: options.userTokenFile, userID: options.userID).map(AuthenticationChoice.user)
    }
    func service() throws -> AuthenticationChoice? {
      try serviceKeySource(file: options.serviceKeyFile).map { .service($0, userID: try userID(options.userID)) }
    }
    switch options.level {
    case .user: return try user() ?? .missing(.userToken)
    case .service: return try service() ?? .missing(.serviceKey)
    case .anonymous: return .anonymous
    case nil: return try user() ?? service() ?? .anonymous
    }
  }

  /// The identity under which the cache stores the responses of this run.
  package func identity(_ options: CredentialOptions) throws -> RequestIdentity {
    if replay?.run.cacheIsOwn == true { return StoreSnapshot.identity }
    let identity = try liveIdentity(options)
    if let recording { recording.note(cacheIsOwn: try store.belongs(to: identity, profile: profile.name)) }
    return identity
  }

  private func liveIdentity(_ options: CredentialOptions) throws -> RequestIdentity {
    switch try choice(options) {
    case .user(let source): return RequestIdentity("user", source.fingerprint)
    case .service(let source, let userID): return RequestIdentity("service", source.fingerprint, userID ?? "")
    case .anonymous, .missing: return RequestIdentity("anonymous")
    }
  }

  /// The service key from the file or the environment, or else the stored one. The sandbox has a built-in key.
  package func serviceKeySource(file: String?) throws -> CredentialSource? {
    if let secret = try given(.serviceKey, file: file) { return .given(secret) }
    let stored = try store.credentials(profile: profile.name).first { $0.kind == .serviceKey }
    if let stored { return .stored(stored) }
    return try profileName.isSandbox
      ? Secret(parsing: SandboxFixtures.serviceKey).map { .builtIn($0, .serviceKey) } : nil
  }

  /// The webhooks key from the file or the environment, or else the stored one. The sandbox has a built-in key.
  package func webhooksKeySource(file: String?) throws -> CredentialSource? {
    if let secret = try given(.webhooksKey, file: file) { return .given(secret) }
    let stored = try store.credentials(profile: profile.name).first { $0.kind == .webhooksKey }
    if let stored { return .stored(stored) }
    return try profileName.isSandbox
      ? Secret(parsing: SandboxFixtures.webhooksKey).map { .builtIn($0, .webhooksKey) } : nil
  }

  package func webhooksKey(file: String?) throws -> Secret? {
    try webhooksKeySource(file: file).flatMap { try secret(of: $0) }
  }

  /// The given token, or else the stored token of the named user. If no user is named, it is the token of the
  /// profile's user or the only stored token.
  /// - Throws: `credentials_missing` if several tokens are stored and no user is selected.
  package func userTokenSource(file: String?, userID named: String?) throws -> CredentialSource? {
    if let secret = try given(.userToken, file: file) { return .given(secret) }
    let (record, all) = try storedRecord(of: named)
    if let record { return .stored(record) }
    // Falling back to another user or to anonymous requests would be a guess.
    guard try all.isEmpty || userID(named) != nil else {
      throw Problem(severalTokens: all, .credentialsMissing, option: "--user-id")
    }
    guard try named == nil && profileName.isSandbox else { return nil }
    return Secret(parsing: SandboxFixtures.userToken).map { .builtIn($0, .userToken) }
  }

  /// The secret of a source; decrypts it if it is stored.
  package func secret(of source: CredentialSource) throws -> Secret? {
    switch source {
    case .given(let secret): return secret
    case .builtIn(let secret, let name):
      recording?.note(secret, as: name)
      return secret
    case .stored(let record):
      let secret = try store.credential(record.kind, userID: record.userID, profile: profile.name)
      if let secret { recording?.note(secret, as: record.kind.name) }
      return secret
    }
  }
}

extension CredentialKind {
  /// The name under which a stored credential can also be passed.
  fileprivate var name: CredentialName {
    switch self {
    case .serviceKey: .serviceKey
    case .userToken, .returnedToken: .userToken
    case .webhooksKey: .webhooksKey
    }
  }
}

extension Problem {
  /// The problem of a command for one user that could use several stored tokens. A profile may have thousands, so only
  /// the first are named.
  /// - Parameter option: the option that names a user; nil if an argument does.
  package init(severalTokens records: [CredentialRecord], _ code: Code, option: String?) {
    let named = 5
    let users = records.prefix(named).map(\.userID).joined(separator: ", ")
    let more = records.count > named ? " and \(records.count - named) more" : ""
    self.init(
      code, "several user tokens are stored, and no user was specified",
      hint: "Specify one of these users\(option.map { " with \($0)" } ?? ""): \(users)\(more).")
  }
}

extension CredentialAccess {
  /// Chooses the credentials to configure and use a connection with. These endpoints are documented only with a service
  /// key and a user ID. A user token is used if it was requested or nothing else is available (docs/api/connect.md §6).
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

  /// Checks, before anything is sent, that a request that IFTTT documents only for a service key and a user id would
  /// not be sent with a user token, unless `--as user` asks for that (docs/api/connect.md §6).
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

  /// The authentication for changing a connection's status. Only a user token is known to be accepted
  /// (docs/api/connect.md §7.5).
  /// - Parameter purpose: the command that needs the token, such as `'connections enable'`.
  package func changing(_ given: CredentialOptions, for purpose: String) throws -> Authentication {
    guard given.level == nil || given.level == .user else { throw missing(.userToken, for: purpose) }
    let stored = try userToken(file: given.userTokenFile, userID: given.userID)
    return .user(try stored ?? prompt(for: .userToken, purpose: purpose))
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
