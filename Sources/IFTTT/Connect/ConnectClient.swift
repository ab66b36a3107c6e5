package import HTTP
package import Text
package import World

/// The Connect API v2 (reference: connect-api.md), one method per endpoint.
package struct ConnectClient {
  let caller: APIClient
  let requests: ConnectRequests

  package init(caller: APIClient) {
    self.caller = caller
    requests = ConnectRequests(caller.template)
  }

  /// The same client with another authentication, such as that of another user.
  package func authenticated(as authentication: Authentication) -> ConnectClient {
    ConnectClient(
      caller: APIClient(
        http: caller.http, base: caller.base, authentication: authentication, inviteCode: caller.inviteCode,
        identity: caller.identity))
  }

  package enum Change: String, Sendable { case enable, disable }

  /// The requests of this API for another user, with the same base URL and invite code.
  package func requests(as authentication: Authentication) -> ConnectRequests {
    ConnectRequests(caller.template.authenticated(as: authentication))
  }

  /// The connection in the response to a request of ``requests(as:)``.
  package func connection(
    _ id: ConnectionID, in result: Result<Response, HTTPError>, to request: Request
  ) -> Result<FetchedConnection, APIError> {
    caller.read(result, of: request) { response throws(APIError) in try FetchedConnection(response, for: id) }
  }

  /// GET /v2/connections/{id}
  package func show(_ id: ConnectionID) throws(APIError) -> FetchedConnection {
    try caller.ask(requests.show(id)) { response throws(APIError) in try FetchedConnection(response, for: id) }
  }

  /// Fetches many connections; each result is delivered as it arrives.
  /// - Parameters:
  ///   - starting: called just before a request is sent.
  ///   - meanwhile: other work that runs while requests are in flight, as in `HTTPClient.send`.
  /// - Throws: `HTTPError.interrupted` after Ctrl-C, and any error that `starting`, `meanwhile` or `each` throws.
  package func show(
    _ ids: [ConnectionID], starting: @escaping (ConnectionID) throws -> Void = { _ in },
    meanwhile: () throws -> Duration? = { nil },
    each: (ConnectionID, Result<FetchedConnection, APIError>) throws -> Void
  ) throws {
    try caller.ask(
      ids, starting: { try starting(ids[$0]) }, requests.show,
      reading: { id, response throws(APIError) in try FetchedConnection(response, for: id) }, meanwhile: meanwhile,
      each: each)
  }

  /// Fetches many connections, like ``show(_:starting:meanwhile:each:)``, but does not parse what is already known.
  /// - Parameters:
  ///   - isKnown: whether the bytes of a successful response are those that the connection was last parsed from.
  ///   - each: receives nil for such a connection.
  package func refresh(
    _ ids: [ConnectionID], starting: @escaping (ConnectionID) throws -> Void, isKnown: (ConnectionID, [UInt8]) -> Bool,
    meanwhile: () throws -> Duration?, each: (ConnectionID, Result<FetchedConnection?, APIError>) throws -> Void
  ) throws {
    try caller.ask(
      ids, starting: { try starting(ids[$0]) }, requests.show,
      reading: { id, response throws(APIError) -> FetchedConnection? in
        if response.status == 200, isKnown(id, response.body) { return nil }
        return try FetchedConnection(response, for: id)
      }, meanwhile: meanwhile, each: each)
  }

  /// Fetches many connections, and reports the wait that the server requests with each failure (`Retry-After`).
  /// - Parameter now: the wall clock, for a `Retry-After` with a date if the server sends no `Date`.
  /// - Throws: `HTTPError.interrupted` after Ctrl-C, and any error that `each` throws.
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

  /// The request only, for `--dry-run`.
  package var meRequest: Request { requests.me }

  /// The request only, for `--dry-run`.
  package func showRequest(_ id: ConnectionID) -> Request { requests.show(id) }

  /// POST /v2/connections/{id}/enable or /disable for many connections concurrently. The result is nil if the
  /// response is not the changed connection, which must then be fetched again.
  /// - Parameter starting: called with an index of `changes` just before its request is sent.
  /// - Throws: ``APIError/needs(_:)`` without a user token, before anything is sent; `HTTPError.interrupted` after
  ///   Ctrl-C; any error that `starting` or `each` throws.
  package func change(
    _ changes: [(id: ConnectionID, change: Change)], starting: @escaping (Int) throws -> Void = { _ in },
    each: (ConnectionID, Result<FetchedConnection?, APIError>) throws -> Void
  ) throws {
    let request = try requests.changing()
    try caller.ask(
      changes, starting: starting, { request($0.change, $0.id) },
      reading: { subject, response throws(APIError) in try FetchedConnection.afterChange(response, of: subject.id) },
      each: { subject, result in try each(subject.id, result) })
  }

  /// The request only, for `--dry-run`.
  /// - Throws: ``APIError/needs(_:)`` without a user token.
  package func changeRequest(_ change: Change, _ id: ConnectionID) throws(APIError) -> Request {
    try requests.change(change, id)
  }

  /// GET /v2/me
  package func me() throws(APIError) -> Me { try caller.ask(requests.me, Me.init) }

  /// POST /v2/user_token: exchanges an access token that the developer's service issued to IFTTT for an IFTTT user
  /// token.
  /// - Throws: ``APIError``; ``APIError/needs(_:)`` without a service key, before the token is used up.
  package func exchange(userID: String, accessToken: Secret) throws(APIError) -> Secret {
    try caller.ask(requests.exchange(userID: userID, accessToken: accessToken), userToken)
  }

  /// The user token in the response to an ``exchangeRequest(userID:accessToken:)``.
  package func exchangedToken(in result: Result<Response, HTTPError>, to request: Request) -> Result<Secret, APIError> {
    caller.read(result, of: request, userToken)
  }

  /// The request only, for `--dry-run` and chains.
  /// - Throws: ``APIError/needs(_:)`` without a service key.
  package func exchangeRequest(userID: String, accessToken: Secret) throws(APIError) -> Request {
    try requests.exchange(userID: userID, accessToken: accessToken)
  }

  /// GET /v2/account/find. Nil if the response is inconclusive (C17).
  package func accountExists(email: String) throws(APIError) -> Bool? {
    try caller.ask(requests.findAccount(email: email), IFTTT.accountExists)
  }
}
