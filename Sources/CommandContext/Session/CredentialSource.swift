import API
import Hints
import Sandbox
package import Secrets
package import Store
import Time
import World

/// Where a credential comes from. Finding that out unseals nothing, which a list that is fresh then need not do.
package enum CredentialSource {
  case given(Secret)
  case kept(CredentialRecord)
  /// The sandbox's own.
  case builtIn(Secret, CredentialName)

  /// What tells it from others, without giving it away.
  package var fingerprint: String {
    switch self {
    case .given(let secret), .builtIn(let secret, _): RequestIdentity.fingerprint(of: secret)
    case .kept(let record): "\(record.userID) \(record.savedAt.milliseconds)"
    }
  }
}

/// Who a request will be made as, the credential still where it is.
package enum AuthenticationChoice {
  case user(CredentialSource)
  case service(CredentialSource, userID: String?)
  case anonymous
  /// A level that was asked for, and whose credential is nowhere.
  case missing(CredentialName)
}

extension Session {
  /// The first of those that `--as` allows.
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

  /// As whom the cache remembers what is asked now.
  package func asker(_ options: CredentialOptions) throws -> RequestIdentity {
    if replay?.run.cacheIsOwn == true { return StoreSnapshot.asker }
    let asker = try liveAsker(options)
    if let recording { recording.note(cacheIsOwn: try store.isSettled(on: asker, profile: profile.name)) }
    return asker
  }

  private func liveAsker(_ options: CredentialOptions) throws -> RequestIdentity {
    switch try choice(options) {
    case .user(let source): return RequestIdentity("user", source.fingerprint)
    case .service(let source, let userID): return RequestIdentity("service", source.fingerprint, userID ?? "")
    case .anonymous, .missing: return RequestIdentity("anonymous")
    }
  }

  /// The file's or the environment's, else the one kept; the sandbox has its own.
  package func serviceKeySource(file: String?) throws -> CredentialSource? {
    if let secret = try given(.serviceKey, file: file) { return .given(secret) }
    let kept = try store.credentials(profile: profile.name).first { $0.kind == .serviceKey }
    if let kept { return .kept(kept) }
    return try profileName.isSandbox
      ? Secret(parsing: SandboxFixtures.serviceKey).map { .builtIn($0, .serviceKey) } : nil
  }

  /// The token given, else the one kept for the user named; where no user was named, the profile's user's or the only
  /// one.
  /// - Throws: `credentials_missing` where several are kept and nothing says whose is meant.
  package func userTokenSource(file: String?, userID named: String?) throws -> CredentialSource? {
    if let secret = try given(.userToken, file: file) { return .given(secret) }
    let (record, all) = try keptRecord(of: named)
    if let record { return .kept(record) }
    // Speaking as somebody else than was meant, or as nobody, would be a guess.
    guard try all.isEmpty || userID(named) != nil else {
      throw Problem(
        .credentialsMissing, "several user tokens are kept, and no user was named",
        hint: "Name one with --user-id: \(all.map(\.userID).joined(separator: ", ")).")
    }
    guard try named == nil && profileName.isSandbox else { return nil }
    return Secret(parsing: SandboxFixtures.userToken).map { .builtIn($0, .userToken) }
  }

  /// Unseals it, if it is kept.
  package func secret(of source: CredentialSource) throws -> Secret? {
    switch source {
    case .given(let secret): return secret
    case .builtIn(let secret, let name):
      recording?.note(secret, as: name)
      return secret
    case .kept(let record):
      let secret = try store.credential(record.kind, userID: record.userID, profile: profile.name)
      if let secret { recording?.note(secret, as: record.kind == .userToken ? .userToken : .serviceKey) }
      return secret
    }
  }
}
