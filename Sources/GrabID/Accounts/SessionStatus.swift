package import JSON
import Text
import World

/// The validity of a session, token by token, with reasons. It is read-only: it sends nothing and changes nothing.
package struct SessionStatus: Sendable {
  package enum Reason: String, Sendable, CaseIterable {
    case missing, expired, signature, issuer, audience, nonce, malformed, unverified
    case notYetValid = "not_yet_valid"
  }

  package let account: Account
  package let access: Reason?
  package let id: Reason?
  private let idExpiry: Timestamp?
  private let idStart: Timestamp?
  private let environment: String

  package var isValid: Bool { access == nil && id == nil }

  init(of account: Account, in world: GrabWorld) throws {
    self.account = account
    access =
      account.tokens == nil
      ? .missing : account.isUnverified ? .unverified : account.accessIsValid(at: world.now) ? nil : .expired
    let client = try? world.client(of: account)
    environment = client?.environmentName ?? ""
    guard let token = account.tokens?.id else {
      (id, idExpiry, idStart) = (
        account.requestedScopes.contains("openid") || account.tokens == nil ? .missing : nil, nil, nil
      )
      return
    }
    let claims = try? CompactToken(parsing: token.revealed, allowed: Set(SignatureAlgorithm.allCases)).claims
    idExpiry = (try? claims?.moment("exp", .expiry)) ?? nil
    idStart = (try? claims?.moment("nbf", .notBefore)) ?? nil
    guard let client else {
      id = .malformed
      return
    }
    id = try Self.reason(token.revealed, account, client, world)
  }

  /// Checks signature, issuer, audience and times, and the nonce if one was sent.
  private static func reason(
    _ text: String, _ account: Account, _ client: GrabClient, _ world: GrabWorld
  ) throws -> Reason? {
    var rules = IDTokenRules(issuer: account.issuer, clientID: account.clientID, now: world.now)
    rules.allowance = client.allowance
    rules.nonce = .absentOr(account.nonce)
    rules.trustedAudiences = client.settings.trustedAudiences
    let cached = try world.host.credential(Discovery.storedName(client)).flatMap(CachedDocument.init(stored:))
    let metadata = cached.flatMap { try? StrictJSON.object($0.document) }.flatMap {
      try? ProviderMetadata($0, issuer: client.issuer)
    }
    do {
      _ = try JWKSCache(world: world, client: client).verifyOffline(text, metadata: metadata, rules: rules)
      return nil
    } catch let fault as IDTokenError {
      switch fault.check {
      case .signature, .algorithm: return .signature
      case .issuer: return .issuer
      case .audience, .authorizedParty: return .audience
      case .expiry: return .expired
      case .notBefore, .issuedAt: return .notYetValid
      case .nonce: return .nonce
      default: return .malformed
      }
    }
  }

  /// The status as JSON. Its members are always present.
  package var json: JSONValue {
    let tokens = account.tokens
    return .object(
      JSONObject(members: [
        ("account", .string(account.name)), ("issuer", .string(account.issuer)),
        ("client_id", .string(account.clientID)), ("subject", .string(account.subject)),
        ("scopes", .array(account.scopes.map(JSONValue.string))), ("environment", .string(environment)),
        (
          "access_token",
          [
            "valid": .bool(access == nil), "reason": JSONValue(access?.rawValue),
            "expires_at": JSONValue(tokens?.expiresAt?.rfc3339),
          ]
        ),
        (
          "id_token",
          [
            "valid": .bool(id == nil), "reason": JSONValue(id?.rawValue), "expires_at": JSONValue(idExpiry?.rfc3339),
            "not_before": JSONValue(idStart?.rfc3339),
          ]
        ),
        ("refresh_token", ["present": .bool(tokens?.refresh != nil)]),
        ("fetched_at", JSONValue(tokens?.fetchedAt.rfc3339)),
      ]))
  }
}
