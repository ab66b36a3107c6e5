import JSON
import Text
import World

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
