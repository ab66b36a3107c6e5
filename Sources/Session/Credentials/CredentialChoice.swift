package import IFTTT
import Sandbox
package import Store
package import Text
import World

/// The credential that a command needs.
package enum CredentialRequirement: Sendable {
  /// The first that is available: a user token, a service key, or none.
  case any
  /// A user token: nothing else is known to be accepted for changing the status of a connection
  /// (docs/api/connect.md §7.5), and for sending location events.
  case user
  /// A service key with a user id: the documented credential for configuring and using a connection
  /// (docs/api/connect.md §6). A user token is used if it was requested or nothing else is available.
  case serviceForUser
  /// A service key with a user id; a user token only if it was requested. Commands that change settings check this
  /// before they send anything.
  case serviceForUserToChange
  /// A service key for the users of a file; their own tokens only if they were requested.
  case usersToChange
  /// A service key with a user id, otherwise a user token, otherwise none; with `--as`, only that level or none. A
  /// missing credential is not prompted for.
  case silent
  /// A user token, or a service key with a user id (docs/api/applets.md §1).
  case userNamed
  /// The credential that the users of a file share: a service key, which is used with each user's id. Nothing with
  /// `--as user`, because each user's own stored token is used. See ``CredentialAccess/authentication(of:sharing:)``.
  case users
}

/// A located credential: its level, its location, and the user on whose behalf it is used. A stored secret is not
/// decrypted until ``secret()``, so a fresh list never needs decryption. A secret from an option or the environment is
/// already read.
package struct LocatedCredential {
  /// The location of a credential.
  package enum Location {
    /// In an option or the environment, or typed earlier.
    case given(Secret)
    /// Printed by a program of the profile.
    case command([String])
    case stored(CredentialRecord)
    /// Built into the sandbox.
    case builtIn(Secret)

    /// An identifier of the credential that does not reveal it.
    fileprivate var fingerprint: String {
      switch self {
      case .given(let secret), .builtIn(let secret): RequestIdentity.fingerprint(of: secret)
      // Known without running the program.
      case .command(let words): words.joined(separator: "\0")
      case .stored(let record): "\(record.userID) \(record.savedAt.milliseconds)"
      }
    }
  }

  package let level: Authentication.Level
  /// Nil if it is missing, and for anonymous requests.
  package let location: Location?
  /// The user on whose behalf a service key is used.
  package let userID: String?
  /// The options by which it was located, with its own level.
  package let options: CredentialOptions
  /// The option that needs the credential, for the error if it is missing.
  private var purpose: String { "--as \(level.rawValue)" }
  private let access: CredentialAccess

  fileprivate init(
    _ level: Authentication.Level, at location: Location?, userID: String? = nil,
    _ options: CredentialOptions, in access: CredentialAccess
  ) {
    (self.level, self.location, self.userID, self.access) = (level, location, userID, access)
    var options = options
    options.level = CredentialOptions.Level(rawValue: level.rawValue)
    self.options = options
  }

  /// The identity under which the cache stores the responses to its requests.
  package var identity: RequestIdentity {
    get throws {
      if access.replay?.run.cacheIsOwn == true { return StoreSnapshot.identity }
      let identity = liveIdentity
      if let recording = access.recording {
        recording.note(cacheIsOwn: try access.store.belongs(to: identity, profile: access.profile.name))
      }
      return identity
    }
  }

  private var liveIdentity: RequestIdentity {
    // A missing credential may have been typed in the meantime.
    let typed = name.flatMap(access.knownSecret).map(Location.given)
    return switch (level, location ?? typed) {
    case (.anonymous, _), (_, nil): RequestIdentity("anonymous")
    case (.user, let location?): RequestIdentity("user", location.fingerprint)
    case (.service, let location?): RequestIdentity("service", location.fingerprint, userID ?? "")
    }
  }

  private var name: CredentialName? {
    switch level {
    case .user: .userToken
    case .service: .serviceKey
    case .anonymous: nil
    }
  }

  /// The secret; nil for anonymous requests. A stored secret is decrypted, and a missing one is prompted for.
  /// - Throws: `credentials_missing` if it is missing and prompts are unavailable.
  package func secret() throws -> Secret? {
    guard let name else { return nil }
    if let location, let secret = try access.secret(at: location, name) { return secret }
    return try level == .user
      ? access.required(name, file: options.userTokenFile, user: options.userID, for: purpose)
      : access.required(name, file: options.serviceKeyFile, for: purpose)
  }

  /// The authentication of its requests.
  /// - Throws: as ``secret()``.
  package func authentication() throws -> Authentication {
    guard let secret = try secret() else { return .anonymous }
    return level == .user ? .user(secret) : .service(secret, userID: userID)
  }
}

extension CredentialAccess {
  /// The credential that the options and the requirement select. Prompts for missing credentials that are needed.
  /// - Parameter purpose: the command or action that errors name; nil for the session's command.
  /// - Throws: `credentials_missing` if the options rule out the requirement, or if prompts are unavailable.
  package func locate(
    _ options: CredentialOptions, _ requirement: CredentialRequirement = .any, for purpose: String? = nil
  ) throws -> LocatedCredential {
    let purpose = purpose ?? command
    try checkLevel(options, requirement, for: purpose)
    try require(
      needs(options, requirement), for: requirement == .users ? "\(purpose) --users" : purpose,
      explaining: requirement == .serviceForUserToChange ? explainChange(options) : { _ in })
    switch (requirement, options.level) {
    case (.users, .user), (.usersToChange, .user): return anonymous(options)
    case (.users, _), (.usersToChange, _):
      let key = try location(of: .serviceKey, file: options.serviceKeyFile)
      return LocatedCredential(.service, at: key, options, in: self)
    case (_, .anonymous): return anonymous(options)
    case (.silent, .service): return try serviceForUser(options) ?? anonymous(options)
    case (.silent, .user): return try user(options) ?? anonymous(options)
    case (_, .user), (.user, _): return try user(options) ?? unlocated(.user, options)
    case (_, .service): return try service(options) ?? unlocated(.service, options)
    case (.serviceForUser, nil), (.serviceForUserToChange, nil), (.silent, nil):
      return try serviceForUser(options) ?? user(options) ?? anonymous(options)
    case (.any, nil), (.userNamed, nil): return try user(options) ?? service(options) ?? anonymous(options)
    }
  }

  /// The credentials that a requirement needs, available or not. Empty if another credential meets it, or if it needs
  /// none.
  package func needs(
    _ options: CredentialOptions, _ requirement: CredentialRequirement
  ) throws -> [CredentialNeed] {
    let key = CredentialNeed.secret(.serviceKey, file: options.serviceKeyFile)
    let token = CredentialNeed.secret(.userToken, file: options.userTokenFile, user: options.userID)
    let user = CredentialNeed.userID(options.userID)
    switch (requirement, options.level) {
    case (.users, .user), (.usersToChange, .user): return []
    case (.users, _), (.usersToChange, _): return [key]
    case (.any, _), (.silent, _), (_, .anonymous): return []
    case (_, .user), (.user, _): return [token]
    case (_, .service), (.serviceForUserToChange, nil): return [key, user]
    case (.serviceForUser, nil):
      return try serviceForUser(options) == nil && isMissing(token) ? [key, user] : []
    case (.userNamed, nil):
      guard try isMissing(token) else { return [] }
      return try isMissing(key) ? [token] : [user]
    }
  }

  /// - Throws: `credentials_missing` if `--as` rules out the required credential.
  private func checkLevel(
    _ options: CredentialOptions, _ requirement: CredentialRequirement, for purpose: String
  ) throws {
    switch (requirement, options.level) {
    case (.user, .service?), (.user, .anonymous?), (.userNamed, .anonymous?):
      let token = CredentialNeed.secret(.userToken, file: options.userTokenFile, user: options.userID)
      var problem = try problem(missing: [token], for: purpose)
      if try !isMissing(token), let level = options.level {
        (problem.reason, problem.hint, problem.details) = (
          "there is one, but --as \(level.rawValue) rules it out", "Omit --as.", []
        )
      }
      throw problem
    case (.serviceForUser, .anonymous), (.serviceForUserToChange, .anonymous):
      throw Problem(
        .credentialsMissing, "\(purpose) needs a user", reason: "--as anonymous identifies no user",
        hint: "Pass --as service or --as user.")
    case (.usersToChange, nil):
      // No prompt: the users' connections have been read with their own tokens.
      let key = CredentialNeed.secret(.serviceKey, file: options.serviceKeyFile)
      guard try isMissing(key) else { break }
      var problem = try problem(missing: [key], for: "\(purpose) --users")
      explain(&problem, unused: "the users' tokens")
      throw problem
    default: break
    }
  }

  /// Adds the reason why an available user token is not used.
  private func explainChange(_ options: CredentialOptions) throws -> (inout Problem) -> Void {
    guard options.level == nil, try serviceForUser(options) == nil, try user(options) != nil else { return { _ in } }
    return { self.explain(&$0, unused: "the user token") }
  }

  private func explain(_ problem: inout Problem, unused: String) {
    problem.reason = "IFTTT documents this change for a service key with a user id, not for a user token"
    problem.hint = Hint.joined([problem.hint, "To try it with \(unused), pass --as user."].compactMap { $0 })
  }

  /// The service key with a user id; nil if either is missing.
  private func serviceForUser(_ options: CredentialOptions) throws -> LocatedCredential? {
    guard let service = try service(options), service.userID != nil else { return nil }
    return service
  }

  private func user(_ options: CredentialOptions) throws -> LocatedCredential? {
    try location(of: .userToken, file: options.userTokenFile, userID: options.userID).map {
      LocatedCredential(.user, at: $0, options, in: self)
    }
  }

  private func service(_ options: CredentialOptions) throws -> LocatedCredential? {
    try location(of: .serviceKey, file: options.serviceKeyFile).map {
      LocatedCredential(.service, at: $0, userID: try userID(options.userID), options, in: self)
    }
  }

  private func unlocated(_ level: Authentication.Level, _ options: CredentialOptions) throws -> LocatedCredential {
    LocatedCredential(
      level, at: nil, userID: level == .service ? try userID(options.userID) : nil, options, in: self)
  }

  private func anonymous(_ options: CredentialOptions) -> LocatedCredential {
    LocatedCredential(.anonymous, at: nil, options, in: self)
  }

  /// A located credential for an authentication that is already known.
  package func located(_ authentication: Authentication, _ options: CredentialOptions) -> LocatedCredential {
    switch authentication {
    case .anonymous: anonymous(options)
    case .user(let token): LocatedCredential(.user, at: .given(token), options, in: self)
    case .service(let key, let userID):
      LocatedCredential(.service, at: .given(key), userID: userID, options, in: self)
    }
  }

  /// The authentication of one of many users.
  /// - Parameter shared: the authentication that the users share, located for ``CredentialRequirement/users``.
  /// - Returns: the user's authentication, or a failure that concerns only this user.
  package func authentication(
    of userID: String, sharing shared: Authentication
  ) throws -> Result<Authentication, Problem> {
    if case .service(let key, _) = shared { return .success(.service(key, userID: userID)) }
    guard let token = try store.credential(.userToken, userID: userID, profile: profile.name) else {
      return .failure(
        Problem(
          .credentialsMissing, "no user token of user '\(userID)' is stored",
          hint: "Run \(ifttt: "token exchange") with --users or --user-id first."))
    }
    recording?.note(token, as: .userToken)
    return .success(.user(token))
  }

  /// The location of a credential that a profile can store: the file or the environment, or else the profile's program,
  /// or else the store. The sandbox has built-in credentials. If no user is named, the stored token is that of the
  /// profile's user, or the only one.
  /// - Throws: `credentials_missing` if several tokens are stored and no user is selected.
  package func location(
    of name: CredentialName, file: String? = nil, userID named: String? = nil
  ) throws -> LocatedCredential.Location? {
    if let secret = try given(name, file: file) { return .given(secret) }
    if let words = try command(for: name, userID: named) { return .command(words) }
    if name == .userToken {
      let (record, all) = try storedRecord(of: named)
      if let record { return .stored(record) }
      // Falling back to another user or to anonymous requests would be a guess.
      guard try all.isEmpty || userID(named) != nil else {
        throw Problem(severalTokens: all, .credentialsMissing, option: "--user-id")
      }
      guard named == nil else { return nil }
    } else if let record = try store.credentials(profile: profile.name).first(where: { $0.kind.name == name }) {
      return .stored(record)
    }
    return try profileName.isSandbox ? name.builtIn.flatMap(Secret.init(parsing:)).map { .builtIn($0) } : nil
  }

  /// The profile's program that prints a credential. That of a user token prints the token of the profile's user.
  private func command(for name: CredentialName, userID named: String?) throws -> [String]? {
    guard replay == nil else { return nil }
    if name == .userToken, let named, try named != profile.settings[.userID] { return nil }
    return try store.command(for: name, profile: profile.name)
  }

  /// The secret at a location, decrypted if it is stored; nil if it was removed in the meantime.
  package func secret(at location: LocatedCredential.Location, _ name: CredentialName) throws -> Secret? {
    let secret: Secret?
    let origin: String
    switch location {
    case .given(let secret): return secret
    case .command(let words): (secret, origin) = (try printed(name, by: words), "the output of \(words[0])")
    case .builtIn(let found): (secret, origin) = (found, "the sandbox")
    case .stored(let record):
      secret = try store.credential(record.kind, userID: record.userID, profile: profile.name)
      origin = "profile '\(try profile.name)'"
    }
    if let secret {
      recording?.note(secret, as: name)
      note(secret, from: origin)
    }
    return secret
  }

  /// The secret at its ``location(of:file:userID:)``; nil if it is missing.
  package func secret(_ name: CredentialName, file: String?) throws -> Secret? {
    try location(of: name, file: file).flatMap { try secret(at: $0, name) }
  }
}

extension CredentialName {
  /// The sandbox's credential.
  fileprivate var builtIn: String? {
    switch self {
    case .serviceKey: SandboxFixtures.serviceKey
    case .userToken: SandboxFixtures.userToken
    case .webhooksKey: SandboxFixtures.webhooksKey
    // The sandbox has no OAuth server.
    case .accessToken: SandboxFixtures.accessToken
    case .oauthCode, .clientSecret: nil
    }
  }
}

extension Problem {
  /// The problem of a command for one user if several tokens are stored. A profile may have thousands, so only the
  /// first are named.
  /// - Parameter option: the option that names a user; nil if an argument does.
  package init(severalTokens records: [CredentialRecord], _ code: Code, option: String?) {
    let limit = 5
    let users = records.prefix(limit).map(\.userID).joined(separator: ", ")
    let more = records.count > limit ? " and \(records.count - limit) more" : ""
    self.init(
      code, "several user tokens are stored, and no user was specified",
      hint: "Specify one of these users\(option.map { " with \($0)" } ?? ""): \(users)\(more).")
  }
}
