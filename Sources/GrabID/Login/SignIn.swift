import HTTP
import JSON
import PluginProtocol
import Text
import World

/// The data that a sign-in needs after its code is spent. It is fetched beforehand, because a code works only once.
/// After that, only a store error can prevent the tokens from being saved.
struct SignInPreparation {
  /// The keys; nil if no ID token was requested.
  let keys: VerificationKeys?
  /// The accounts of the profile.
  let known: [Account]

  /// Fetches the data.
  /// - Throws: ``GrabError`` if the keys or the store cannot be read; the code is then still valid.
  init(_ world: GrabWorld, _ client: GrabClient, _ metadata: ProviderMetadata) throws {
    keys = try client.scope.requestsIdentity ? JWKSCache(world: world, client: client).keys(metadata) : nil
    known = try AccountStore(world: world).all()
  }
}

/// The last part of every sign-in: verifies the tokens before anything is stored, then saves them in one transaction.
struct SignIn {
  let world: GrabWorld
  let client: GrabClient
  let metadata: ProviderMetadata
  /// The requested account, by name, subject or id.
  let expected: String?
  let preparation: SignInPreparation

  /// Spends a code and saves the account. Ctrl-C takes effect only afterward.
  /// - Parameters:
  ///   - rules: The rules specific to this kind of sign-in; the others are added here.
  ///   - spend: Exchanges the code.
  func account(rules: IDTokenRules, nonce: String?, spend: () throws -> TokenResponse) throws -> Account {
    let (account, token) = try world.uninterrupted { try obtained(try spend(), rules, nonce) }
    return named(account, by: token)
  }

  private func obtained(_ response: TokenResponse, _ rules: IDTokenRules, _ nonce: String?) throws -> (
    Account, IDToken?
  ) {
    let token = try response.idToken.map { try verified($0, rules: rules, accessToken: response.accessToken) }
    if let token, let text = response.idToken, client.settings.remoteVerification == .always {
      _ = try TokenInformation(world: world, client: client).fetchClaims(
        metadata, about: token, text: text, nonce: nonce)
    }
    let now = world.now
    var account = Account(
      issuer: client.issuer, clientID: client.id, subject: token?.subject ?? "",
      name: token.map { Self.name(in: $0.claims) ?? $0.subject } ?? client.id, discoveryURL: client.discoveryURL.wire,
      scopes: response.scope.map { $0.split(separator: " ").map(String.init) } ?? client.scope.names,
      requestedScopes: client.scope.names)
    account.nonce = nonce
    account.keyThumbprint = token?.keyThumbprint
    account.tokens = Account.Tokens(
      access: response.accessToken, expiresAt: response.lifetime.map { now + .seconds($0) },
      refresh: response.refreshToken,
      id: response.idToken, fetchedAt: now)
    account = try checked(account, token)
    reportScopes(account)
    return (try saved(account), token)
  }

  private func verified(_ text: Secret, rules: IDTokenRules, accessToken: Secret) throws -> IDToken {
    var rules = rules
    (rules.now, rules.allowance) = (world.now, client.allowance)
    rules.oldest = IDTokenRules.oldestAtSignIn
    rules.accessToken = accessToken.revealed
    rules.maximumAge = client.settings.maximumAge.map { .seconds($0) }
    rules.partnerID = client.settings.partnerID
    rules.trustedAudiences = client.settings.trustedAudiences
    if client.settings.requiresACR ?? false { rules.requiredContexts = client.settings.acrValues.map(\.text) }
    do {
      return try JWKSCache(world: world, client: client)
        .verify(text.revealed, metadata: metadata, with: preparation.keys, rules: rules)
    } catch let fault as IDTokenError { throw fault.failure }
  }

  /// The account with its name at the service. Userinfo is requested only if the ID token has no name and more than
  /// `openid` was requested. The account is saved before that, because the request may fail or take long.
  private func named(_ account: Account, by token: IDToken?) -> Account {
    guard let name = userInfoName(account, token), !ExactText.same(name, account.name) else { return account }
    let accountStore = AccountStore(world: world)
    do {
      return try accountStore.locked(account.key) {
        // Another process may have refreshed or ended the sign-in since.
        guard var row = try accountStore.account(key: account.key), row.generation == account.generation else {
          return account
        }
        row.name = name
        try world.host.save([row.storedName: row.stored])
        return row
      }
    } catch {
      world.host.note(.info, "the name of the account could not be saved")
      return account
    }
  }

  /// The name from userinfo; nil if it is not needed or not available.
  private func userInfoName(_ account: Account, _ token: IDToken?) -> String? {
    guard let token, Self.name(in: token.claims) == nil, ExactText.same(account.name, token.subject),
      client.scope.names.count > 1, let url = metadata.userInfoEndpoint, let access = account.tokens?.access
    else { return nil }
    do {
      return Self.name(in: try BearerRequests(world: world).userInfo(at: url, token: access, subject: token.subject))
    } catch {
      if let failure = error as? GrabError { world.host.note(.info, failure.message) }
      return nil
    }
  }

  private static func name(in claims: JSONObject) -> String? {
    for name in ["email", "preferred_username", "name"] {
      if let text = claims[name]?.string, !text.isEmpty { return DisplayText.shown(text, limit: 200) }
    }
    return nil
  }

  /// Returns the account if it is the requested one, before anything is stored.
  /// - Throws: ``GrabError`` if another user signed in.
  private func checked(_ account: Account, _ token: IDToken?) throws -> Account {
    guard let expected else { return account }
    func isNamed(_ account: Account) -> Bool {
      [account.name, account.subject, account.id, account.key].contains { ExactText.same($0, expected) }
    }
    let matches = preparation.known.filter(isNamed)
    var account = account
    if matches.isEmpty, !isNamed(account), let name = userInfoName(account, token) { account.name = name }
    guard matches.isEmpty ? isNamed(account) : matches.contains(where: { $0.key == account.key }) else {
      var failure = GrabError(
        .idTokenInvalid, "another user signed in: \(account.name), not \(DisplayText.shown(expected, limit: 80))",
        hint: "Sign out in the browser first, or omit --account to add this account.")
      failure.details = [.init(parameter: IDTokenError.Check.subject.rawValue, message: "is another user's")]
      throw failure
    }
    return account
  }

  private func reportScopes(_ account: Account) {
    let missing = Set(account.requestedScopes).subtracting(account.scopes).sorted()
    if !missing.isEmpty { world.host.note(.warning, "not granted: \(missing.joined(separator: " "))") }
  }

  private func saved(_ account: Account) throws -> Account {
    let accountStore = AccountStore(world: world)
    // Without the lock, another process may refresh the account's older tokens and overwrite these. Without saving,
    // these would certainly be lost.
    let isLocked = (try? world.host.lock(account.storedName)) != nil
    defer { if isLocked { try? world.host.unlock(account.storedName) } }
    var account = account
    let old = (try? accountStore.account(key: account.key)) ?? preparation.known.first { $0.key == account.key }
    if let old {
      account.generation = old.generation + 1
    } else if expected == nil, preparation.known.contains(where: \.isSignedIn) {
      world.host.note(.info, "\(account.name) is signed in as an additional account")
    }
    var values = [
      account.storedName: account.stored, AccountStore.currentName: account.key,
      GrabSettings.storedName: client.settings.stored.text,
    ]
    if let secret = client.settings.clientSecret { values[GrabSettings.storedSecretName] = secret.revealed }
    try world.host.save(values, areObtained: true)
    return account
  }
}

/// Requests with an access token in their header (RFC 6750 §2.1), and the meaning of their error responses.
struct BearerRequests {
  let world: GrabWorld

  /// The claims of the userinfo endpoint. Claims of another subject are rejected (OpenID Connect Core §5.3.2).
  /// - Throws: ``GrabError``.
  func userInfo(at url: WebURL, token: Secret, subject: String) throws -> JSONObject {
    let response = try get(url, token: token, "userinfo")
    guard response.header("Content-Type")?.lowercased().hasPrefix("application/jwt") != true,
      let claims = try? StrictJSON.object(response.body)
    else { throw GrabError(.callFailed, "userinfo: the response is not JSON", in: .protectedResource) }
    guard let received = claims["sub"]?.string, ExactText.same(received, subject) else {
      throw GrabError(.callFailed, "userinfo: the response is for another user", in: .protectedResource)
    }
    return claims
  }

  private func get(_ url: WebURL, token: Secret, _ what: String) throws -> Response {
    let request = Request(
      .get, url,
      headers: [Header("Authorization", prefix: "Bearer ", secret: token), Header("Accept", "application/json")])
    let response = try world.send(request, what, in: .protectedResource)
    guard !(200..<300).contains(response.status) else { return response }
    throw Self.refusal(response, what)
  }

  static func refusal(_ response: Response, _ what: String) -> GrabError {
    let errorText = ServerErrorText(response)
    let challenge = response.header("WWW-Authenticate") ?? ""
    let reason = errorText.text ?? (challenge.isEmpty ? nil : DisplayText.shown(challenge, limit: 200))
    switch response.status {
    case 401:
      return GrabError(
        .callUnauthorized, "\(what): the access token was rejected", reason: reason,
        hint: "Run \(ifttt: "grab login").",
        status: 401)
    case 403:
      return GrabError(
        .insufficientScope, "\(what): the access token does not allow this", reason: reason,
        hint: "Sign in again with the required scope: \(ifttt: "grab login --force --scope SCOPE")", status: 403)
    default:
      return GrabError(
        .callFailed, "\(what): the service responded with \(response.status)", reason: reason, status: response.status)
    }
  }
}
