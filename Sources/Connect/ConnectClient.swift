package import API
package import HTTP
package import JSON
package import Secrets

/// A connection's id: not empty, and nothing in it that could change a URL's meaning (`/ ? #`, controls).
package struct ConnectionID: Sendable, Hashable, CustomStringConvertible {
  package let description: String
  package init?(parsing text: String) { return nil }
}

/// The Connect API v2 (reference: connect-api.md), one method a call.
package struct ConnectClient {
  package init(caller: Caller) {}

  /// GET /v2/connections/{id}
  package func show(_ id: ConnectionID) throws(APIFailure) -> ConnectionAnswer { throw APIFailure.http(.interrupted) }
  /// As `show` for many, each as it becomes known.
  package func show(
    _ ids: [ConnectionID], each: (ConnectionID, Result<ConnectionAnswer, APIFailure>) throws -> Void
  ) throws {}
  /// The request alone, for `--dry-run`.
  package func showRequest(_ id: ConnectionID) -> Request { fatalError() }

  package enum Change: String, Sendable { case enable, disable }
  /// POST /v2/connections/{id}/enable or /disable; many at once. User token only.
  package func change(
    _ change: Change, _ ids: [ConnectionID],
    each: (ConnectionID, Result<ConnectionAnswer?, APIFailure>) throws -> Void
  ) throws {}
  package func changeRequest(_ change: Change, _ id: ConnectionID) -> Request { fatalError() }

  /// GET /v2/me
  package func me() throws(APIFailure) -> Me { throw APIFailure.http(.interrupted) }

  /// POST /v2/user_token
  package func exchange(userID: String, accessToken: Secret) throws(APIFailure) -> Secret { throw APIFailure.http(.interrupted) }
  package func exchangeRequest(userID: String, accessToken: Secret) -> Request { fatalError() }

  /// GET /v2/account/find. Nil where the answer tells neither (C17).
  package func accountExists(email: String) throws(APIFailure) -> Bool? { nil }
}

/// A connection as read, and the bytes it was read from.
package struct ConnectionAnswer: Sendable {
  package let connection: Connection
  package let raw: [UInt8]
}

/// Who a request is authenticated as.
package struct Me: Sendable, Equatable {
  package var authenticationLevel: String?
  package var serviceID: String?
  package var userLogin: String?
}
