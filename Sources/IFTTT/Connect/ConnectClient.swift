package import HTTP
package import JSON
package import Location
package import Text
package import World

/// The Connect API v2 (docs/api/connect.md §7), one method per endpoint.
package struct ConnectClient: TokenExchangeClient {
  let caller: APIClient

  package init(caller: APIClient) { self.caller = caller }

  /// The client that sends the requests, for batches of requests.
  package var http: HTTPClient { caller.http }

  private var template: RequestTemplate { caller.template }

  /// The same client with another authentication, such as that of another user.
  package func authenticated(as authentication: Authentication) -> ConnectClient {
    ConnectClient(caller: caller.authenticated(as: authentication))
  }

  /// GET /v2/connections/{id}
  /// - Parameter parts: the parts that are not needed, which are then empty.
  package func show(_ id: ConnectionID, without parts: ConnectionParts = []) -> Endpoint<FetchedConnection> {
    caller.endpoint(showRequest(id)) { response throws(APIError) in
      try FetchedConnection(response, for: id, skipping: parts.members)
    }
  }

  /// The same for one of many users.
  /// - Parameter shared: what the responses for the same connection have in common.
  package func show(
    _ id: ConnectionID, without parts: ConnectionParts, sharing shared: SharedParts
  ) -> Endpoint<SharedConnection> {
    caller.endpoint(showRequest(id)) { response throws(APIError) in
      guard parts.isEmpty else {
        let connection = try FetchedConnection(response, for: id, skipping: parts.members).connection
        return SharedConnection(connection: connection, text: nil)
      }
      return try shared.read(response, for: id)
    }
  }

  private func showRequest(_ id: ConnectionID) -> Request { template.get(["v2", "connections", id.description]) }

  /// The same as ``show(_:)``, but does not parse a response that has not changed.
  /// - Parameter isKnown: whether the bytes of a successful response are the bytes that the connection was last parsed
  ///   from. The value is then nil.
  package func refresh(_ id: ConnectionID, isKnown: @escaping ([UInt8]) -> Bool) -> Endpoint<FetchedConnection?> {
    caller.endpoint(showRequest(id)) { response throws(APIError) in
      if response.status == 200, isKnown(response.body) { return nil }
      return try FetchedConnection(response, for: id)
    }
  }

  /// Fetches many connections, and reports the wait that the server requests with each failure (`Retry-After`).
  /// - Parameter now: the wall clock, for a `Retry-After` with a date if the server sends no `Date`.
  /// - Throws: `HTTPError.interrupted` after Ctrl-C, and any error that `each` throws.
  package func poll(
    _ ids: [ConnectionID], now: Timestamp,
    each: (ConnectionID, Result<FetchedConnection, APIError>, _ retryAfter: Duration?) throws -> Void
  ) throws {
    var retryAfter: Duration?
    try http.send(ids, to: { show($0).notingDelay(now: now) { retryAfter = $0 } }) { id, result in
      defer { retryAfter = nil }
      try each(id, result, retryAfter)
    }
  }

  /// POST /v2/connections/{id}/enable or /disable. The value is nil if the response is not the changed connection,
  /// which must then be fetched again. `disable` is inferred to be idempotent; no source says this about `enable`
  /// (docs/api/connect.md §13).
  /// - Parameter parts: the parts that are not needed, which are then empty.
  /// - Throws: ``APIError/needs(_:)`` without a user token: no other form of these requests is known.
  package func change(
    _ change: StatusSwitch, _ id: ConnectionID, without parts: ConnectionParts = []
  ) throws(APIError) -> Endpoint<FetchedConnection?> {
    try caller.require(.user)
    let request = template.post(
      ["v2", "connections", id.description, change.rawValue], isRepeatable: change == .disable)
    return caller.endpoint(request) { response throws(APIError) in
      try FetchedConnection.afterChange(response, of: id, skipping: parts.members)
    }
  }

  /// GET /v2/me
  package func me() -> Endpoint<Me> { caller.endpoint(template.get(["v2", "me"]), Me.init) }

  /// POST /v2/user_token: exchanges an access token that the developer's service issued to IFTTT for an IFTTT user
  /// token. In 2018 the token was sent in a JSON body (docs/api/connect.md C2). Never retried, because each request
  /// creates a token.
  /// - Throws: ``APIError/needs(_:)`` without a service key.
  package func exchange(userID: String, accessToken: Secret) throws(APIError) -> Endpoint<Secret> {
    try caller.require(.service)
    let query = [
      QueryItem("user_id", userID), QueryItem("access_token", accessToken.revealed, isSecret: true),
    ]
    return caller.endpoint(template.post(["v2", "user_token"], query: query, isRepeatable: false), userToken)
  }

  /// GET /v2/account/find, which needs no credentials: whether there is an IFTTT account, by the status only. Nil if
  /// the status is inconclusive: iOS treats it as "no", Android as "yes" (docs/api/connect.md C17, U11).
  ///
  /// The client does not identify itself, as on Android (docs/api/connect.md §4): an e-mail address next to the
  /// anonymous id would make the id identifiable.
  package func accountExists(email: String) -> Endpoint<Bool?> {
    let request = template.authenticated(as: .anonymous).unidentified.get(
      ["v2", "account", "find"], query: [QueryItem("email", email)])
    return caller.endpoint(request) { response in
      switch response.status {
      case 204: true
      case 404: false
      default: nil
      }
    }
  }
}

/// The large parts of a connection. A response of several KB is read in a fraction of the time without them.
package struct ConnectionParts: OptionSet, Sendable {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let services = ConnectionParts(rawValue: 1)
  package static let features = ConnectionParts(rawValue: 2)
  package static let configuration = ConnectionParts(rawValue: 4)
  package static let images = ConnectionParts(rawValue: 8)
  package static let all: ConnectionParts = [.services, .features, .configuration, .images]

  /// The members of a response with these parts.
  fileprivate var members: [String] {
    (contains(.services) ? ["services"] : []) + (contains(.features) ? ["features", "value_propositions"] : [])
      + (contains(.configuration) ? ["user_connection"] : []) + (contains(.images) ? ["cover_image"] : [])
  }
}

package typealias FetchedConnection = Fetched<Connection>

extension Fetched<Connection> {
  package var connection: Connection { subject }
}

extension Connection: FetchedSubject {
  package static var noun: String { "connection" }
  package static var article: String { "a" }

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

/// The request that sends location events to IFTTT: to a separate host, as the user, with only two headers
/// (docs/api/location.md §3).
package struct LocationUpload {
  /// The maximum number of events per request, as on iOS (docs/api/location.md §3 and §9).
  package static let most = 20

  private let caller: APIClient
  private let installation: String

  /// - Parameters:
  ///   - caller: the client of the location API.
  ///   - installation: a fixed id of this installation.
  package init(caller: APIClient, installation: String) { (self.caller, self.installation) = (caller, installation) }

  /// POST /v1/location_events. Any 2xx is success, whatever its body (docs/api/connect.md U10). It is idempotent: IFTTT
  /// recognizes an event by its id.
  /// - Parameter events: events that the store has recorded.
  /// - Throws: ``APIError/needs(_:)`` without a user token.
  package func report(_ events: [LocationEvent]) throws(APIError) -> Endpoint<Void> {
    let authentication = caller.template.authentication
    guard case .user = authentication, let credential = authentication.header else { throw .needs(.user) }
    let body = JSONValue.array(
      events.map { event in
        guard let recordID = event.recordID, let occurredAt = event.occurredAt else {
          preconditionFailure("only recorded events are sent")
        }
        return [
          "record_id": .string(recordID),
          "region_type": "geo",
          "occurred_at": .string(occurredAt.rfc3339),
          "event_type": .string(event.kind.rawValue),
          "channel_id": "941030000",
          "trigger_subscription_id": .string(event.region),
          "installation_id": .string(installation),
        ]
      })
    var request = Request(
      .post, caller.template.base.appending("v1", "location_events"),
      headers: [credential, Header("Content-Type", "application/json")], body: body.bytes, isRepeatable: true)
    request.needsStatusAlone = true
    return caller.endpoint(request) { response throws(APIError) in try response.succeeded() }
  }
}
