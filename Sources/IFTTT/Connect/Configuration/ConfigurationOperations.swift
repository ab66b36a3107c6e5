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
    try caller.send(
      steps, { requests.fieldOptions($0, of: id) },
      reading: { _, response throws(APIError) in (try FieldOptions(response), response.body) }, each: each)
  }

  /// GET …/field_options for steps of several connections; each result is delivered as it arrives.
  /// - Throws: as ``fieldOptions(_:of:each:)``.
  package func fieldOptions(
    _ steps: [(id: ConnectionID, step: ConfigurationStep)],
    each: (ConnectionID, ConfigurationStep, Result<(options: FieldOptions, raw: [UInt8]), APIError>) throws -> Void
  ) throws {
    try caller.send(
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
  /// fetched again (docs/api/connect.md U2).
  package func configure(_ id: ConnectionID, _ body: JSONObject) throws(APIError) {
    try caller.send(requests.configure(id, body)) { response throws(APIError) in _ = try response.accepted() }
  }

  /// POST …/user_connection/refresh: makes IFTTT reload the options and update the labels of stored values.
  package func refreshLabels(of id: ConnectionID) throws(APIError) {
    try caller.send(requests.refreshLabels(id)) { response throws(APIError) in _ = try response.accepted() }
  }

  /// POST …/run or …/test. Has side effects, so it is retried only if nothing can have reached IFTTT.
  package func use(_ call: StepCall, _ use: StepInvocation, of id: ConnectionID) throws(APIError) {
    try caller.send(requests.call(call, use, of: id)) { response throws(APIError) in _ = try response.accepted() }
  }

  /// POST …/perform: one page of a query.
  package func perform(_ use: StepInvocation, of id: ConnectionID) throws(APIError) -> QueryPage {
    try caller.send(requests.call(.perform, use, of: id), QueryPage.init)
  }
}

// The requests that configure a connection and use its steps (docs/api/connect.md §7.6 to §7.12).
extension ConnectRequests {
  /// GET …/field_options, at the URL that IFTTT sent if it is on the same host.
  package func fieldOptions(_ step: ConfigurationStep, of id: ConnectionID) -> Request {
    step.optionsURL.flatMap { template.get(following: $0, below: ["v2", "connections", id.description]) }
      ?? template.get(ConnectAssumptions.optionsPath(step, of: id))
  }

  /// PUT /v2/connections/{id}/user_connection, which replaces the user's whole configuration.
  package func configure(_ id: ConnectionID, _ body: JSONObject) -> Request {
    template.put(["v2", "connections", id.description, "user_connection"], json: body, isRepeatable: true)
  }

  /// POST …/user_connection/refresh.
  package func refreshLabels(_ id: ConnectionID) -> Request {
    template.post(
      ["v2", "connections", id.description, "user_connection", "refresh"], query: template.userItem, isRepeatable: true)
  }

  /// POST …/actions/{service.action}/run, …/queries/{service.query}/perform or …/triggers/{service.trigger}/test.
  package func call(_ call: ConnectClient.StepCall, _ use: StepInvocation, of id: ConnectionID) -> Request {
    var body = use.body
    if case .service(_, let user?) = template.authentication {
      body = JSONObject(members: [(key: ConnectAssumptions.userInBody, value: .string(user))] + body.members)
    }
    return template.post(
      ["v2", "connections", id.description, call.kind.plural, use.stepID, call.rawValue], json: body,
      isRepeatable: ConnectAssumptions.isRepeatable(call))
  }
}

extension ConnectClient {
  /// The operations on a step of an enabled connection.
  package enum StepCall: String, Sendable, CaseIterable {
    case run, perform, test

    package var kind: ConfigurationStep.Kind {
      switch self {
      case .run: .action
      case .perform: .query
      case .test: .trigger
      }
    }
  }
}

/// A use of one step: which step, for which user feature, and with which values instead of its stored ones.
package struct StepInvocation: Sendable, Equatable {
  /// `service.slug`.
  package var stepID: String
  /// Nil for the feature's first user feature.
  package var userFeatureID: String?
  package var fields: [(name: String, value: JSONValue)] = []
  /// The ingredients that a query resolves inline.
  package var includes: [String] = []
  package var limit: Int?
  package var cursor: String?

  package init(_ stepID: String, userFeatureID: String? = nil) {
    (self.stepID, self.userFeatureID) = (stepID, userFeatureID)
  }

  var body: JSONObject {
    var body = JSONObject()
    body["user_feature_id"] = userFeatureID.map(JSONValue.string)
    if !fields.isEmpty { body["fields"] = .object(JSONObject(members: fields.map { (key: $0.name, value: $0.value) })) }
    if !includes.isEmpty { body["includes"] = .array(includes.map(JSONValue.string)) }
    body["limit"] = limit.map { .number(JSONNumber($0)) }
    body["cursor"] = cursor.map(JSONValue.string)
    return body
  }

  package static func == (a: StepInvocation, b: StepInvocation) -> Bool { a.stepID == b.stepID && a.body == b.body }
}

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

  /// PUT /v2/connections/{id}/user_connection. The response does not contain the result (docs/api/connect.md U2).
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
  package func run(_ source: () throws -> Next<RequestChain>) throws -> SkipReason? {
    try caller.http.run(from: source, stopsEarly: .server)
  }
}

// A user's complete configuration as accepted by `PUT …/user_connection` (docs/api/connect.md §7.6), without types and
// labels.
extension UserConnection {
  package init(features: [UserFeature] = []) { self.features = features }

  package var requestBody: JSONObject {
    ["user_features": .array(features.map { .object($0.requestBody) })]
  }
}

extension UserFeature {
  fileprivate var requestBody: JSONObject {
    var body = JSONObject()
    if ConnectAssumptions.sendsUserFeatureIDs { body["id"] = id.map(JSONValue.string) }
    body["feature_id"] = featureID.map(JSONValue.string)
    body["enabled"] = .bool(isEnabled)
    body["user_fields"] = requestForm(fields)
    for kind in ConfigurationStep.Kind.allCases where kind != .feature {
      body["user_feature_\(kind.plural)"] = .array(
        self[kind].map { step in
          var body = JSONObject()
          // Without the id of the feature's step, the user step's own id is the only way to identify it.
          if step.stepID == nil { body["id"] = step.id.map(JSONValue.string) }
          body["feature_\(kind.rawValue)_id"] = step.stepID.map(JSONValue.string)
          body["user_fields"] = requestForm(step.fields)
          return .object(body)
        })
    }
    return body
  }

  private func requestForm(_ fields: [UserField]) -> JSONValue {
    .array(
      fields.map { field in
        ["field_id": .string(field.id), "value": ConnectAssumptions.requestForm(field.value, field.kind)]
      })
  }
}

/// One page of a query's rows (docs/api/connect.md §7.11).
package struct QueryPage: Sendable, Equatable {
  /// Free-form objects, one key per ingredient.
  package var rows: [JSONObject]
  /// The parameters of the next page; nil on the last page.
  package var next: Next?
  /// The number of elements that were not objects and were skipped.
  package var skipped: Int

  package struct Next: Sendable, Equatable {
    package var cursor: String
    /// Sent with the cursor; nil if the page has none, so that the fields stay unchanged.
    package var fields: JSONObject?
  }

  /// - Throws: ``APIError``; unreadable if the response contains no list.
  package init(_ response: Response) throws(APIError) {
    let object = try response.object()
    guard let data = object["data"]?.array else { throw response.unreadable("it contains no list") }
    rows = data.compactMap(\.object)
    skipped = data.count - rows.count
    let next = object.object("next")
    let cursor = next?.identifier("cursor") ?? (ConnectAssumptions.cursorAtTheTop ? object.identifier("cursor") : nil)
    self.next = cursor.map { Next(cursor: $0, fields: next?.object("fields")) }
  }
}
