import HTTP
import JSON
import Secrets
import World

/// The last part of every way to sign in: tokens in hand, verified before anything is kept, saved in one transaction.
struct SignIn {
  let world: GrabWorld
  let client: GrabClient
  let metadata: ProviderMetadata
  /// The account that was asked for, by name, subject or id.
  let expected: String?

  /// - Parameter rules: what is particular to the way; the rest is filled in here.
  func account(of answer: TokenAnswer, rules: IDTokenRules, nonce: String?) throws -> Account {
    let token = try answer.idToken.map { try verified($0, rules: rules, accessToken: answer.accessToken) }
    if let token, let text = answer.idToken, client.settings.remoteVerification == .always {
      _ = try TokenInformation(world: world, client: client).ask(metadata, about: token, text: text, nonce: nonce)
    }
    let subject = token?.subject ?? ""
    let now = world.now
    var account = Account(
      issuer: client.issuer, clientID: client.id, subject: subject,
      name: try name(of: token, accessToken: answer.accessToken), discoveryURL: client.discoveryURL.wire,
      scopes: answer.scope.map { $0.split(separator: " ").map(String.init) } ?? client.scope.names,
      askedScopes: client.scope.names)
    account.nonce = nonce
    account.keyThumbprint = token?.keyThumbprint
    account.tokens = Account.Tokens(
      access: answer.accessToken, expiresAt: answer.lifetime.map { now - .seconds(-$0) }, refresh: answer.refreshToken,
      id: answer.idToken, fetchedAt: now)
    try checkExpected(account)
    tellAboutScopes(account)
    return try saved(account)
  }

  private func verified(_ text: Secret, rules: IDTokenRules, accessToken: Secret) throws -> IDToken {
    var rules = rules
    rules.allowance = client.allowance
    rules.oldest = IDTokenRules.oldestAtSignIn
    rules.accessToken = accessToken.revealed
    rules.maximumAge = client.settings.maximumAge.map { .seconds($0) }
    rules.partnerID = client.settings.partnerID
    rules.trustedAudiences = client.settings.trustedAudiences
    if client.settings.requiresACR ?? false { rules.requiredContexts = client.settings.acrValues.map(\.text) }
    do {
      return try KeyRing(world: world, client: client).verify(text.revealed, metadata: metadata, rules: rules)
    } catch let fault as TokenFault { throw fault.failure }
  }

  /// E-mail, name or subject; userinfo is asked only where the ID token says neither and more than `openid` was asked for.
  private func name(of token: IDToken?, accessToken: Secret) throws -> String {
    guard let token else { return client.id }
    if let own = Self.name(in: token.claims) { return own }
    guard client.scope.names.count > 1, let url = metadata.userInfoEndpoint else { return token.subject }
    do {
      let claims = try BearerCalls(world: world).userInfo(at: url, token: accessToken, subject: token.subject)
      return Self.name(in: claims) ?? token.subject
    } catch let failure as GrabFailure {
      world.host.note(.info, failure.message)
      return token.subject
    }
  }

  private static func name(in claims: JSONObject) -> String? {
    for name in ["email", "preferred_username", "name"] {
      if let text = claims[name]?.string, !text.isEmpty { return ShownText.shown(text, limit: 200) }
    }
    return nil
  }

  /// Another person than the one named replaces nothing.
  private func checkExpected(_ account: Account) throws {
    guard let expected else { return }
    let book = AccountBook(world: world)
    let known = try book.account(named: expected)
    let isThem = known.map { $0.key == account.key }
    let isNamed = [account.name, account.subject, account.id].contains { ExactText.same($0, expected) }
    guard isThem ?? isNamed else {
      var failure = GrabFailure(
        .idTokenInvalid, "somebody else signed in: \(account.name) and not \(ShownText.shown(expected, limit: 80))",
        hint: "Sign out in the browser first, or leave --account out to add this account.")
      failure.details = [.init(TokenFault.Check.subject.rawValue, "is another user's")]
      throw failure
    }
  }

  private func tellAboutScopes(_ account: Account) {
    let missing = Set(account.askedScopes).subtracting(account.scopes).sorted()
    if !missing.isEmpty { world.host.note(.warning, "not granted: \(missing.joined(separator: " "))") }
  }

  private func saved(_ account: Account) throws -> Account {
    let book = AccountBook(world: world)
    return try book.locked(account.key) {
      var account = account
      if let old = try book.account(key: account.key) {
        account.generation = old.generation + 1
      } else if expected == nil, try book.all().contains(where: { $0.isSignedIn }) {
        world.host.note(.info, "\(account.name) is signed in as a further account")
      }
      var values = [
        (name: account.storedName, value: account.stored), (AccountBook.currentName, account.key),
        (GrabSettings.storedName, client.settings.stored.text),
      ]
      if let secret = client.settings.clientSecret { values.append((GrabSettings.storedSecretName, secret.revealed)) }
      try world.host.changeCredentials(put: values, delete: [], areObtained: true)
      return account
    }
  }
}
