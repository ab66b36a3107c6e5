package import HTTP
package import JSON

// The endpoints that configure a connection and use its steps. Each supports a service key with a user, and a user
// token.
extension ConnectClient {
  /// GET …/field_options for many steps; each result is delivered as it arrives, with the body it was parsed from.
  /// - Throws: `HTTPError.interrupted` after Ctrl-C, and any error that `each` throws.
  package func fieldOptions(
    _ steps: [ConfigurationStep], of id: ConnectionID,
    each: (ConfigurationStep, Result<(options: FieldOptions, raw: [UInt8]), APIError>) throws -> Void
  ) throws {
    try caller.ask(
      steps, { requests.fieldOptions($0, of: id) },
      reading: { _, response throws(APIError) in (try FieldOptions(response), response.body) }, each: each)
  }

  /// GET …/field_options for steps of several connections; each result is delivered as it arrives.
  /// - Throws: as ``fieldOptions(_:of:each:)``.
  package func fieldOptions(
    _ steps: [(id: ConnectionID, step: ConfigurationStep)],
    each: (ConnectionID, ConfigurationStep, Result<(options: FieldOptions, raw: [UInt8]), APIError>) throws -> Void
  ) throws {
    try caller.ask(
      steps, { requests.fieldOptions($0.step, of: $0.id) },
      reading: { _, response throws(APIError) in (try FieldOptions(response), response.body) },
      each: { subject, result in try each(subject.id, subject.step, result) })
  }

  /// The request only, for `--dry-run`.
  package func optionsRequest(_ step: ConfigurationStep, of id: ConnectionID) -> Request {
    requests.fieldOptions(step, of: id)
  }

  /// The request only, for `--dry-run`.
  package func configureRequest(_ id: ConnectionID, _ body: JSONObject) -> Request { requests.configure(id, body) }

  /// The request only, for `--dry-run`.
  package func refreshRequest(_ id: ConnectionID) -> Request { requests.refreshLabels(id) }

  /// The request only, for `--dry-run`.
  package func useRequest(_ call: StepCall, _ use: StepInvocation, of id: ConnectionID) -> Request {
    requests.call(call, use, of: id)
  }

  /// PUT /v2/connections/{id}/user_connection. The content of the response is undocumented, so the connection must be
  /// fetched again (U2).
  package func configure(_ id: ConnectionID, _ body: JSONObject) throws(APIError) {
    try caller.ask(requests.configure(id, body)) { response throws(APIError) in _ = try response.accepted() }
  }

  /// POST …/user_connection/refresh: makes IFTTT reload the options and update the labels of stored values.
  package func refreshLabels(of id: ConnectionID) throws(APIError) {
    try caller.ask(requests.refreshLabels(id)) { response throws(APIError) in _ = try response.accepted() }
  }

  /// POST …/run or …/test. Has side effects, so it is retried only if nothing can have reached IFTTT.
  package func use(_ call: StepCall, _ use: StepInvocation, of id: ConnectionID) throws(APIError) {
    try caller.ask(requests.call(call, use, of: id)) { response throws(APIError) in _ = try response.accepted() }
  }

  /// POST …/perform: one page of a query.
  package func perform(_ use: StepInvocation, of id: ConnectionID) throws(APIError) -> QueryPage {
    try caller.ask(requests.call(.perform, use, of: id), QueryPage.init)
  }
}
