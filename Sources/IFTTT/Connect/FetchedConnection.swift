package import HTTP
package import JSON

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

  /// The connection from the response to a change. The response is undocumented: any 2xx is success. Nil if its body
  /// is not the changed connection, which must then be fetched again (reference: how to treat unknowns, rule 2).
  package static func afterChange(
    _ response: Response, of id: ConnectionID
  ) throws(APIError) -> FetchedConnection? {
    _ = try response.accepted()
    do throws(APIError) { return try FetchedConnection(response, for: id) } catch { return nil }
  }
}

extension Connection {
  /// The connection in an object, or the first one in a `list` envelope (rule 10).
  package static func single(in object: JSONObject) -> Connection? {
    guard object.text("type") == "list" else { return Connection(reading: object) }
    return object["data"]?.array?.first?.object.flatMap(Connection.init(reading:))
  }
}

/// The identity a request is authenticated with. All parts may be missing (U9).
package struct Me: Sendable, Equatable {
  /// `none`, `user`, or `channel` for a service key; an open list (C15).
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

/// Whether there is an IFTTT account, by the status only; nil if the status is inconclusive (C17).
package func accountExists(_ response: Response) -> Bool? {
  switch response.status {
  case ConnectAssumptions.accountStatuses.exists: true
  case ConnectAssumptions.accountStatuses.absent: false
  default: nil
  }
}
