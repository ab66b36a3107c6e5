import HTTP
package import Text
import World

/// The credentials of requests to a partner's server on behalf of its users.
package struct PartnerCredentials: Sendable, Equatable {
  /// Whether users sign in to the service. Without a sign-in, every request has the service key.
  var usesSignIn: Bool
  /// Access tokens by user id.
  var tokens: [String: String]
  /// Refresh tokens by user id.
  var refreshTokens: [String: String] = [:]
  /// The token of users who have no token of their own, because their accounts were created in the sandbox.
  var other: String?
  /// The id of the service's first user. Its token is sent for a person whose account is yet to be created, since every
  /// request needs a token.
  var firstUser: String?
  /// The number of generated users.
  var generatedUsers = 0
  /// The credentials of the service, which only the host sends.
  var ofService: [Secret] = []
  /// The codes and tokens that were used, replaced or rejected most recently. A server may still repeat them.
  private var replaced: [String] = []

  /// The number of replaced credentials that are masked.
  private static let replacedLimit = 128

  init(usesSignIn: Bool, tokens: [String: String], other: String?) {
    (self.usesSignIn, self.tokens, self.other) = (usesSignIn, tokens, other)
  }

  func token(of user: String?) -> String? {
    guard usesSignIn else { return nil }
    guard let user else { return other ?? firstUser.flatMap { tokens[$0] } }
    return tokens[user] ?? other ?? generatedToken(of: user)
  }

  private func generatedToken(of user: String) -> String? {
    GeneratedUser.number(ofID: user).flatMap { $0 <= generatedUsers ? GeneratedUser.accessToken($0) : nil }
  }

  /// Store the tokens of a refresh. Without a new refresh token, the old one stays valid.
  mutating func replace(with new: (access: String, refresh: String?), of user: String) {
    remember(replaced: tokens[user])
    tokens[user] = new.access
    guard let refresh = new.refresh else { return }
    discardRefreshToken(of: user)
    refreshTokens[user] = refresh
  }

  /// Store the tokens of a sign-in in place of those of an earlier one.
  mutating func signIn(_ new: (access: String, refresh: String?), of user: String) {
    if new.refresh == nil { discardRefreshToken(of: user) }
    replace(with: new, of: user)
  }

  mutating func discardRefreshToken(of user: String) { remember(replaced: refreshTokens.removeValue(forKey: user)) }

  /// Mask a code and all tokens in the response to its exchange, whether the sign-in succeeds or not.
  mutating func hide(_ exchanged: [String]) { for text in exchanged { remember(replaced: text) } }

  private mutating func remember(replaced token: String?) {
    guard let token, !replaced.contains(token) else { return }
    replaced.append(token)
    if replaced.count > Self.replacedLimit { replaced.removeFirst() }
  }

  /// All credentials that the server has received or issued.
  package var secrets: [Secret] {
    let all = Array(tokens.values) + refreshTokens.values + replaced + [other].compactMap(\.self)
    return ofService + all.compactMap(Secret.init(parsing:))
  }
}

// IFTTT refreshes an access token only after a 401 (docs/api/service.md §2).
extension ConnectionRuntime {
  /// Whether a request that the server rejected is sent again, with a new access token.
  mutating func isSentAgain(_ completed: CompletedCall, at now: Timestamp) -> Bool {
    let planned = completed.planned
    guard completed.response.status == 401, let token = planned.accessToken, let user = planned.call.user,
      rules.signIn != nil, credentials.refreshTokens[user] != nil
    else { return false }
    guard !planned.isRepeated else {
      // A server that rejects a new token would reject the next one too.
      credentials.discardRefreshToken(of: user)
      return false
    }
    // Another request has led to a new token since this one was sent.
    guard credentials.token(of: user) == token else {
      addRequest(of: completed, at: now)
      planAgain(planned)
      return true
    }
    rejected[user, default: []].append(completed)
    if rejected[user]?.count == 1 {
      let call = PartnerCall(method: .post, path: [], isForUser: false, user: user, connection: planned.call.connection)
      plan(call, for: .refresh(user), notBefore: now, causedBy: completed.key)
    }
    return true
  }

  /// Process the response to a refresh, and plan again the requests that wait for it.
  /// - Returns: If the refresh failed, those requests.
  mutating func finishRefresh(of user: String, _ completed: CompletedCall, at now: Timestamp) -> [CompletedCall] {
    let (call, response) = (completed.call, completed.response)
    let waiting = rejected.removeValue(forKey: user) ?? []
    var record = ActivityRecord(response.tokens == nil ? .failed : .refreshed, .unauthorized, at: now)
    (record.connection, record.user, record.status) = (call.connection, user, response.status)
    record.detail = response.tokens == nil ? "no new access token: \(response.refreshProblem)" : nil
    // A failed refresh may name tokens too.
    add(record, for: completed, hiding: response.allTokens)
    guard let tokens = response.tokens else {
      // The server rejected the refresh token. After any other failure, the next 401 tries again.
      if response.status == 400 || response.status == 401 { credentials.discardRefreshToken(of: user) }
      return waiting
    }
    credentials.replace(with: tokens, of: user)
    for request in waiting { addRequest(of: request, at: now) }
    for request in waiting.reversed() { planAgain(request.planned) }
    return []
  }
}
