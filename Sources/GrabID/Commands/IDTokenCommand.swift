import JSON
import Text
import World

extension GrabCommands {
  /// The information that the SDK calls ID token info, verified locally. `--remote` also sends the token to the
  /// service.
  func idToken(_ invocation: GrabInvocation) throws {
    let settings = try world.settings(for: invocation)
    let account = try accountStore.existing(named: invocation.text("account"))
    guard let text = account.tokens?.id else { throw AccountStore.notSignedIn(account) }
    if invocation.flag("raw") {
      try output(.text(text.revealed + "\n"))
      return
    }
    let client = try world.client(of: account, merging: settings)
    let metadata = try Discovery(world: world, client: client).metadata()
    var rules = IDTokenRules(issuer: account.issuer, clientID: account.clientID, now: world.now)
    rules.allowance = client.allowance
    rules.nonce = .absentOr(account.nonce)
    rules.subject = account.subject
    rules.partnerID = client.settings.partnerID
    rules.trustedAudiences = client.settings.trustedAudiences
    let token: IDToken
    do {
      token = try JWKSCache(world: world, client: client).verify(text.revealed, metadata: metadata, rules: rules)
    } catch let fault as IDTokenError {
      var failure = fault.failure
      if fault.check == .expiry { failure.hint = "Run \(ifttt: "grab refresh") or \(ifttt: "grab login --force")." }
      throw failure
    }
    let remote: JSONObject? =
      try invocation.flag("remote")
      ? TokenInformation(world: world, client: client).ask(
        metadata, about: token, text: text, nonce: token.nonce) : nil
    try output(.rows([Self.information(token, remote: remote)]))
  }

  /// The ten fields of the SDK, all claims, and the checks that were made.
  static func information(_ token: IDToken, remote: JSONObject?) -> JSONValue {
    func claim(_ name: String) -> JSONValue { JSONValue(token.claims[name]?.string) }
    return .object(
      JSONObject(members: [
        (
          "audience",
          token.audience.count == 1 ? .string(token.audience[0]) : .array(token.audience.map(JSONValue.string))
        ),
        ("service", claim("svc")), ("not_valid_before", JSONValue(token.notBefore?.rfc3339)),
        ("expiration", .string(token.expiry.rfc3339)), ("issue_date", .string(token.issuedAt.rfc3339)),
        ("issuer", claim("iss")), ("token_id", claim("jti")), ("partner_id", claim("pid")),
        ("partner_user_id", .string(token.subject)), ("nonce", JSONValue(token.nonce)),
        (
          "authentication_contexts",
          .array(AuthenticationContext.names(in: token.claims["acr"]).map(JSONValue.string))
        ),
        ("claims", .object(token.claims)), ("header", .object(token.header)),
        ("verified", remote == nil ? "local" : "local+remote"), ("remote", remote.map(JSONValue.object) ?? .null),
      ]))
  }
}
