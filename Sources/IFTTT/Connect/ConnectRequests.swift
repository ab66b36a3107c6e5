package import HTTP
package import Text

/// The requests of the Connect API v2 (reference: connect-api.md, section 7), as pure data.
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

  /// A function that creates these requests one at a time, so that a large batch is never held in memory.
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

  /// GET /v2/account/find, which needs no credentials. The client does not identify itself, as on Android (reference:
  /// connect-api.md, section 4): an e-mail address next to the anonymous id would make the id identifiable.
  package func findAccount(email: String) -> Request {
    template.authenticated(as: .anonymous).unidentified.get(
      ["v2", "account", "find"], query: [QueryItem("email", email)])
  }
}
