package import API
package import HTTP
package import Secrets
package import Time

/// The Connect API v2 (reference: connect-api.md), one method a call.
package struct ConnectClient {
  let caller: APIClient
  let requests: ConnectRequests

  package init(caller: APIClient) {
    self.caller = caller
    requests = ConnectRequests(caller.template)
  }

  package enum Change: String, Sendable { case enable, disable }

  /// GET /v2/connections/{id}
  package func show(_ id: ConnectionID) throws(APIError) -> FetchedConnection {
    try caller.ask(requests.show(id)) { response throws(APIError) in try FetchedConnection(response, for: id) }
  }

  /// As `show` for many, each as it becomes known.
  /// - Parameters:
  ///   - starting: called just before a request goes out.
  ///   - meanwhile: other work that goes on while requests are in flight, as in `HTTPClient.send`.
  /// - Throws: `HTTPError.interrupted` after Ctrl-C, and whatever `starting`, `meanwhile` and `each` throw.
  package func show(
    _ ids: [ConnectionID], starting: (ConnectionID) throws -> Void = { _ in },
    meanwhile: () throws -> Duration? = { nil },
    each: (ConnectionID, Result<FetchedConnection, APIError>) throws -> Void
  ) throws {
    try caller.ask(
      ids, starting: { try starting(ids[$0]) }, requests.show,
      reading: { id, response throws(APIError) in try FetchedConnection(response, for: id) }, meanwhile: meanwhile,
      each: each)
  }

  /// As `show` for many, and of each failure what the server says of when to ask again (`Retry-After`).
  /// - Parameter now: the wall clock, for a `Retry-After` with a date where the server sends no `Date`.
  /// - Throws: `HTTPError.interrupted` after Ctrl-C, and whatever `each` throws.
  package func poll(
    _ ids: [ConnectionID], now: Timestamp,
    each: (ConnectionID, Result<FetchedConnection, APIError>, _ patience: Duration?) throws -> Void
  ) throws {
    var patience: Duration?
    try caller.ask(
      ids, requests.show,
      reading: { id, response throws(APIError) in
        patience = response.retryAfter(now: now)
        return try FetchedConnection(response, for: id)
      },
      each: { id, result in
        defer { patience = nil }
        try each(id, result, patience)
      })
  }

  /// The request alone, for `--dry-run`.
  package var meRequest: Request { requests.me }

  /// The request alone, for `--dry-run`.
  package func showRequest(_ id: ConnectionID) -> Request { requests.show(id) }

  /// POST /v2/connections/{id}/enable or /disable; many at once. Nil where the answer is not the changed connection,
  /// which then must be read again.
  /// - Parameter starting: called with a place in `changes` just before its request goes out.
  /// - Throws: ``APIError/needs(_:)`` without a user token, before anything is sent; `HTTPError.interrupted` after
  ///   Ctrl-C; whatever `starting` and `each` throw.
  package func change(
    _ changes: [(id: ConnectionID, change: Change)], starting: (Int) throws -> Void = { _ in },
    each: (ConnectionID, Result<FetchedConnection?, APIError>) throws -> Void
  ) throws {
    let request = try requests.changing()
    try caller.ask(
      changes, starting: starting, { request($0.change, $0.id) },
      reading: { subject, response throws(APIError) in try FetchedConnection.afterChange(response, of: subject.id) },
      each: { subject, result in try each(subject.id, result) })
  }

  /// The request alone, for `--dry-run`.
  /// - Throws: ``APIError/needs(_:)`` without a user token.
  package func changeRequest(_ change: Change, _ id: ConnectionID) throws(APIError) -> Request {
    try requests.change(change, id)
  }

  /// GET /v2/me
  package func me() throws(APIError) -> Me { try caller.ask(requests.me, Me.init) }

  /// POST /v2/user_token: swaps an access token that the developer's service issued to IFTTT for an IFTTT user token.
  /// - Throws: ``APIError``; ``APIError/needs(_:)`` without a service key, before the token is spent.
  package func exchange(userID: String, accessToken: Secret) throws(APIError) -> Secret {
    try caller.ask(requests.exchange(userID: userID, accessToken: accessToken), userToken)
  }

  /// The request alone, for `--dry-run`.
  /// - Throws: ``APIError/needs(_:)`` without a service key.
  package func exchangeRequest(userID: String, accessToken: Secret) throws(APIError) -> Request {
    try requests.exchange(userID: userID, accessToken: accessToken)
  }

  /// GET /v2/account/find. Nil where the answer tells neither (C17).
  package func accountExists(email: String) throws(APIError) -> Bool? {
    try caller.ask(requests.findAccount(email: email), Connect.accountExists)
  }
}
