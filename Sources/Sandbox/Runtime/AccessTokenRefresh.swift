import HTTP
import World

// IFTTT refreshes an access token only after a 401 (reference: service-api.md, section 2).
extension ConnectionRuntime {
  /// Whether a request that the server rejected is sent again, with a new access token.
  mutating func isSentAgain(_ planned: Planned, after response: PartnerResponse, at now: Timestamp) -> Bool {
    guard response.status == 401, let token = planned.accessToken, let user = planned.call.user,
      rules.refreshesTokens, credentials.refreshTokens[user] != nil
    else { return false }
    guard !planned.isRepeated else {
      // A server that rejects a new token would reject the next one too.
      credentials.discardRefreshToken(of: user)
      return false
    }
    // Another request has led to a new token since this one was sent.
    guard credentials.token(of: user) == token else {
      planAgain(planned)
      return true
    }
    rejected[user, default: []].append((planned, response))
    if rejected[user]?.count == 1 {
      let call = PartnerCall(method: .post, path: [], isForUser: false, user: user, connection: planned.call.connection)
      plan(call, for: .refresh(user), notBefore: now)
    }
    return true
  }

  /// Evaluate the response to a refresh, and plan the requests again that wait for it.
  /// - Returns: if the refresh failed, those requests with their own responses.
  mutating func finishRefresh(
    of user: String, _ call: PartnerCall, _ response: PartnerResponse, at now: Timestamp
  ) -> [(planned: Planned, response: PartnerResponse)] {
    let waiting = rejected.removeValue(forKey: user) ?? []
    var record = ActivityRecord(response.tokens == nil ? .failed : .refreshed, .unauthorized, at: now)
    (record.connection, record.user, record.status) = (call.connection, user, response.status)
    record.detail = response.tokens == nil ? "no new access token: \(response.refreshProblem)" : nil
    // A failed refresh may name tokens too.
    add(record, hiding: response.namedTokens)
    guard let tokens = response.tokens else {
      // The server has said that the refresh token is not valid. After any other failure, the next 401 tries again.
      if response.status == 400 || response.status == 401 { credentials.discardRefreshToken(of: user) }
      return waiting
    }
    credentials.replace(with: tokens, of: user)
    for request in waiting.reversed() { planAgain(request.planned) }
    return []
  }
}
