import JSON
import Text
import World

/// Exchanges a refresh token for new tokens, once for all processes. A server that rotates refresh tokens treats a
/// second use as theft (RFC 9700 §2.2.2) and would end all sessions.
struct TokenRefresh {
  let world: GrabWorld
  var settings = GrabSettings()
  private var accountStore: AccountStore { AccountStore(world: world) }

  init(world: GrabWorld, settings: GrabSettings = GrabSettings()) { (self.world, self.settings) = (world, settings) }

  /// The account with a usable access token, refreshed if necessary.
  /// - Throws: ``GrabError`` if that is not possible without the user.
  func usable(_ account: Account) throws -> Account {
    guard account.isSignedIn else { throw AccountStore.notSignedIn(account) }
    guard account.refreshIsDue(at: world.now) else { return account }
    guard account.tokens?.refresh != nil else {
      if account.accessIsValid(at: world.now) { return account }
      throw GrabError(
        .refreshRefused,
        "the access token of \(DisplayText.shown(account.name, limit: 80)) "
          + (account.isUnverified ? "was never verified" : "has expired"),
        reason: "the service issued no refresh token", hint: "Run \(ifttt: "grab login").")
    }
    return try refreshed(account)
  }

  /// The account with new tokens, which another process has fetched since `account` was read, or which are fetched
  /// here.
  func refreshed(_ account: Account) throws -> Account {
    try accountStore.locked(account.key) {
      guard var row = try accountStore.account(key: account.key), let tokens = row.tokens else {
        throw AccountStore.notSignedIn(account)
      }
      // Tokens are saved before they are verified, so `account` may have tokens that another process was still
      // verifying.
      let isNewer = row.generation != account.generation || account.isUnverified && !row.isUnverified
      if isNewer, !row.refreshIsDue(at: world.now) { return row }
      guard let token = tokens.refresh else {
        throw GrabError(
          .noRefreshToken, "no refresh token is stored for \(DisplayText.shown(row.name, limit: 80))",
          hint: "The service issued none. Run \(ifttt: "grab login") when the access token has expired.")
      }
      let client = try world.client(of: row, merging: settings)
      let metadata = try Discovery(world: world, client: client).metadata()
      // Fetch the keys before the token is spent: after that, nothing may delay saving the response.
      let keys = try row.expectsIDToken ? JWKSCache(world: world, client: client).keys(metadata) : nil
      let wasInterrupted = row.refreshingSince != nil
      row.refreshingSince = world.now
      // Check that the store is writable before the token is spent.
      try save(row)
      let endpoint = TokenEndpoint(world: world, client: client, url: metadata.tokenEndpoint)
      let (fresh, idToken) = try world.uninterrupted {
        try exchange(token, at: endpoint, of: row, wasInterrupted: wasInterrupted)
      }
      guard let idToken else {
        guard !fresh.isUnverified else { throw Self.nothingToVerify(fresh) }
        return fresh
      }
      return try verified(fresh, idToken, after: row, RefreshedToken(client: client, metadata: metadata, keys: keys))
    }
  }

  /// Exchanges the token and saves the result, marked as unverified if there is an ID token to verify.
  /// - Returns: The account as saved, and the ID token, which is stored only after it is verified.
  private func exchange(
    _ token: Secret, at endpoint: TokenEndpoint, of row: Account, wasInterrupted: Bool
  ) throws -> (Account, Secret?) {
    let response: TokenResponse
    do {
      response = try endpoint.refresh(token)
    } catch let unreadable as UnusableTokensError {
      // The server has issued new tokens, so the old refresh token is spent. Only the new refresh token of the
      // response matters.
      guard let rotated = unreadable.refreshToken else { throw unreadable.failure }
      var row = row
      row.tokens?.refresh = rotated
      (row.isUnverified, row.refreshingSince) = (true, nil)
      row.generation += 1
      try save(row, isObtained: true)
      throw Self.advisingRetry(unreadable.failure)
    } catch var failure as GrabError {
      var row = row
      if failure.event == .refreshRefused {
        (row.tokens, row.isUnverified, row.generation) = (nil, false, row.generation + 1)
        if wasInterrupted {
          failure.message = "the last refresh was interrupted, and the service no longer accepts its token"
        }
      }
      // Without a response it is unknown whether the token is spent. Leave the mark for the next refresh.
      guard failure.status != nil || failure.nothingWasSent else { throw failure }
      row.refreshingSince = nil
      try save(row)
      throw failure
    }
    let now = world.now
    var fresh = row
    fresh.tokens = Account.Tokens(
      access: response.accessToken, expiresAt: response.lifetime.map { now + .seconds($0) },
      refresh: response.refreshToken ?? row.tokens?.refresh, id: row.tokens?.id, fetchedAt: now)
    if let scope = response.scope { fresh.scopes = scope.split(separator: " ").map(String.init) }
    // Without an ID token, the identity behind the tokens has not changed.
    if response.idToken != nil { fresh.isUnverified = true }
    fresh.generation += 1
    fresh.refreshingSince = nil
    try save(fresh, isObtained: true)
    return (fresh, response.idToken)
  }

  /// The account with a verified ID token. If the token fails verification, the account stays as it was saved.
  private func verified(
    _ account: Account, _ idToken: Secret, after row: Account, _ token: RefreshedToken
  ) throws -> Account {
    let check = RefreshCheck(account: row)
    var account = account
    do {
      let verified = try JWKSCache(world: world, client: token.client).verify(
        idToken.revealed, metadata: token.metadata, with: token.keys,
        rules: check.rules(
          now: world.now, allowance: token.client.allowance, client: token.client,
          accessToken: account.tokens?.access.revealed ?? ""))
      try check.compare(verified)
      account.keyThumbprint = verified.keyThumbprint
    } catch let fault as IDTokenError {
      throw Self.advisingRetry(fault.failure)
    } catch { throw GrabError(error).map(Self.advisingRetry) ?? error }
    account.tokens?.id = idToken
    account.isUnverified = false
    try save(account)
    return account
  }

  /// The data needed to verify a refresh.
  private struct RefreshedToken {
    let client: GrabClient
    let metadata: ProviderMetadata
    let keys: VerificationKeys?
  }

  private static func nothingToVerify(_ account: Account) -> GrabError {
    GrabError(
      .idTokenInvalid, "the tokens of \(DisplayText.shown(account.name, limit: 80)) cannot be verified",
      reason: "the last ID token failed verification, and this response has none",
      hint: "Run \(ifttt: "grab login --force").")
  }

  /// The error with the hint that another refresh is possible.
  private static func advisingRetry(_ failure: GrabError) -> GrabError {
    var failure = failure
    failure.hint =
      "The new refresh token is stored, and the account is marked as unverified. Run \(ifttt: "grab refresh") to try again."
    return failure
  }

  private func save(_ account: Account, isObtained: Bool = false) throws {
    try world.host.save([account.storedName: account.stored], areObtained: isObtained)
  }
}

extension Account {
  /// Whether a refresh may return an ID token, as it does for an account that had one.
  fileprivate var expectsIDToken: Bool {
    tokens?.id != nil || (requestedScopes + scopes).contains("openid")
  }
}

/// The properties that a refreshed ID token must share with the previous one (OpenID Connect Core §12.2).
struct RefreshCheck {
  let account: Account

  func rules(now: Timestamp, allowance: Duration, client: GrabClient, accessToken: String) -> IDTokenRules {
    var rules = IDTokenRules(issuer: account.issuer, clientID: account.clientID, now: now)
    rules.allowance = allowance
    rules.nonce = .absentOr(account.nonce)
    rules.accessToken = accessToken
    rules.subject = account.subject
    rules.partnerID = client.settings.partnerID
    rules.trustedAudiences = client.settings.trustedAudiences
    return rules
  }

  /// Compares a token with the previous one.
  /// - Throws: ``IDTokenError``.
  func compare(_ token: IDToken) throws(IDTokenError) {
    guard let old = account.tokens?.id,
      let before = try? CompactToken(parsing: old.revealed, allowed: Set(SignatureAlgorithm.allCases)).claims
    else { return }
    guard Set(try before.audience()) == Set(token.audience) else { throw IDTokenError(.audience, "aud has changed") }
    guard before["azp"] == token.claims["azp"] else { throw IDTokenError(.authorizedParty, "azp has changed") }
    if let moment = try before.moment("iat", .issuedAt), token.issuedAt < moment {
      throw IDTokenError(.issuedAt, "it is older than the previous one")
    }
    if let now = token.claims["auth_time"], let then = before["auth_time"], now.double != then.double {
      throw IDTokenError(.authenticationTime, "auth_time has changed")
    }
  }
}
