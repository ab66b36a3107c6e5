package import HTTP
package import JSON

// The endpoints as requests of a chain; the methods of the same endpoints send one request, or many that are
// independent. In each, `starting` is called just before the request is sent, and `then` returns what follows from the
// result.
extension ConnectClient {
  /// GET /v2/connections/{id}
  package func chain(
    showing id: ConnectionID, then: @escaping (Result<FetchedConnection, APIError>) throws -> RequestChain
  ) -> RequestChain {
    caller.chain(
      requests.show(id), reading: { response throws(APIError) in try FetchedConnection(response, for: id) }, then: then)
  }

  /// POST /v2/connections/{id}/enable or /disable. The result is nil if the response is not the changed connection.
  /// - Throws: ``APIError/needs(_:)`` without a user token.
  package func chain(
    changing id: ConnectionID, _ change: Change, starting: @escaping () throws -> Void,
    then: @escaping (Result<FetchedConnection?, APIError>) throws -> RequestChain
  ) throws(APIError) -> RequestChain {
    caller.chain(
      try requests.change(change, id), starting: starting,
      reading: { response throws(APIError) in try FetchedConnection.afterChange(response, of: id) }, then: then)
  }

  /// PUT /v2/connections/{id}/user_connection. The response does not contain the result (U2).
  package func chain(
    configuring id: ConnectionID, _ body: JSONObject, starting: @escaping () throws -> Void,
    then: @escaping (Result<Void, APIError>) throws -> RequestChain
  ) -> RequestChain {
    caller.chain(
      requests.configure(id, body), starting: starting,
      reading: { response throws(APIError) in _ = try response.accepted() }, then: then)
  }

  /// GET …/field_options
  package func chain(
    optionsOf step: ConfigurationStep, of id: ConnectionID,
    then: @escaping (Result<(options: FieldOptions, raw: [UInt8]), APIError>) throws -> RequestChain
  ) -> RequestChain {
    caller.chain(
      requests.fieldOptions(step, of: id),
      reading: { response throws(APIError) in (try FieldOptions(response), response.body) }, then: then)
  }

  /// Runs chains of requests to this server with the same credentials; as ``HTTPClient/run(from:wake:stopsEarly:meanwhile:)``.
  package func run(_ source: () throws -> NextChain) throws -> SkipReason? {
    try caller.http.run(from: source, stopsEarly: .server)
  }
}
