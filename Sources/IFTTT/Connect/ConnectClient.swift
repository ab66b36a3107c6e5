package import HTTP
package import JSON
package import Text
package import World

/// The Connect API v2 (docs/api/connect.md), one method per endpoint.
package struct ConnectClient: TokenExchangeClient {
  package let caller: APIClient
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
    try caller.send(requests.show(id)) { response throws(APIError) in try FetchedConnection(response, for: id) }
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
    try caller.send(
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
    try caller.send(
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
    each: (ConnectionID, Result<FetchedConnection, APIError>, _ retryAfter: Duration?) throws -> Void
  ) throws {
    var retryAfter: Duration?
    try caller.send(
      ids, requests.show,
      reading: { id, response throws(APIError) in
        retryAfter = response.retryAfter(now: now)
        return try FetchedConnection(response, for: id)
      },
      each: { id, result in
        defer { retryAfter = nil }
        try each(id, result, retryAfter)
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
    try caller.send(
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
  package func me() throws(APIError) -> Me { try caller.send(requests.me, Me.init) }

  /// POST /v2/user_token
  package func exchangeRequest(userID: String, accessToken: Secret) throws(APIError) -> Request {
    try requests.exchange(userID: userID, accessToken: accessToken)
  }

  /// GET /v2/account/find. Nil if the response is inconclusive (docs/api/connect.md C17).
  package func accountExists(email: String) throws(APIError) -> Bool? {
    try caller.send(requests.findAccount(email: email), IFTTT.accountExists)
  }
}

/// The requests of the Connect API v2 (docs/api/connect.md §7), as pure data.
package struct ConnectRequests: Sendable {
  let template: RequestTemplate

  package init(_ template: RequestTemplate) { self.template = template }

  /// GET /v2/connections/{id}
  package func show(_ id: ConnectionID) -> Request { template.get(["v2", "connections", id.description]) }

  /// POST /v2/connections/{id}/enable or /disable.
  /// - Throws: ``APIError/needs(_:)`` without a user token: no other form of these requests is known.
  package func change(_ change: ConnectClient.Change, _ id: ConnectionID) throws(APIError) -> Request {
    try changing()(change, id)
  }

  /// A function that creates these requests one at a time, so that a large batch is never in memory as a whole.
  /// - Throws: as ``change(_:_:)``.
  package func changing() throws(APIError) -> (ConnectClient.Change, ConnectionID) -> Request {
    guard template.authentication.level == .user else { throw .needs(.user) }
    return { change, id in
      template.post(
        ["v2", "connections", id.description, change.rawValue], isRepeatable: ConnectAssumptions.isRepeatable(change))
    }
  }

  /// GET /v2/me
  package var me: Request { template.get(["v2", "me"]) }

  /// POST /v2/user_token. Never retried, because each request creates a token.
  /// - Throws: ``APIError/needs(_:)`` without a service key.
  package func exchange(userID: String, accessToken: Secret) throws(APIError) -> Request {
    guard template.authentication.level == .service else { throw .needs(.service) }
    let query = [
      QueryItem(ConnectAssumptions.exchange.user, userID),
      QueryItem(ConnectAssumptions.exchange.token, accessToken.revealed, isSecret: true),
    ]
    return template.post(ConnectAssumptions.exchange.path, query: query, isRepeatable: false)
  }

  /// GET /v2/account/find, which needs no credentials. The client does not identify itself, as on Android
  /// (docs/api/connect.md §4): an e-mail address next to the anonymous id would make the id identifiable.
  package func findAccount(email: String) -> Request {
    template.authenticated(as: .anonymous).unidentified.get(
      ["v2", "account", "find"], query: [QueryItem("email", email)])
  }
}

/// A parsed connection, and the bytes it was parsed from.
package struct FetchedConnection: Sendable {
  package let connection: Connection
  package let raw: [UInt8]

  /// - Throws: ``APIError``; unreadable if the id is missing or differs from the requested one.
  package init(_ response: Response, for id: ConnectionID) throws(APIError) {
    let object = try response.object()
    guard let connection = Connection.single(in: object) else { throw response.unreadable("it is not a connection") }
    guard connection.id == id || !ConnectAssumptions.refusesAnotherConnection else {
      throw response.unreadable("it is not the requested connection")
    }
    (self.connection, self.raw) = (connection, response.body)
  }

  /// The connection from the response to a change. The response is undocumented: any 2xx is success. Nil if its body is
  /// not the changed connection, which must then be fetched again (docs/api/README.md §7).
  package static func afterChange(
    _ response: Response, of id: ConnectionID
  ) throws(APIError) -> FetchedConnection? {
    _ = try response.accepted()
    do throws(APIError) { return try FetchedConnection(response, for: id) } catch { return nil }
  }
}

extension Connection {
  /// The connection in an object, or the first one in a `list` envelope (docs/api/connect.md R10).
  package static func single(in object: JSONObject) -> Connection? {
    guard object.text("type") == "list" else { return Connection(reading: object) }
    return object["data"]?.array?.first?.object.flatMap(Connection.init(reading:))
  }
}

/// The identity a request is authenticated with. All parts may be missing (docs/api/connect.md U9).
package struct Me: Sendable, Equatable {
  /// `none`, `user`, or `channel` for a service key; an open list (docs/api/connect.md C15).
  package var authenticationLevel: String?
  package var serviceID: String?
  package var userLogin: String?

  package init(authenticationLevel: String?, serviceID: String?, userLogin: String?) {
    (self.authenticationLevel, self.serviceID, self.userLogin) = (authenticationLevel, serviceID, userLogin)
  }

  package init(_ response: Response) throws(APIError) {
    let object = try response.object()
    authenticationLevel = object.text("authentication_level")
    serviceID = object.identifier("service_id")
    userLogin = object.identifier("user_login")
  }
}

/// Whether there is an IFTTT account, by the status only; nil if the status is inconclusive (docs/api/connect.md C17).
package func accountExists(_ response: Response) -> Bool? {
  switch response.status {
  case ConnectAssumptions.accountStatuses.exists: true
  case ConnectAssumptions.accountStatuses.absent: false
  default: nil
  }
}
