package import HTTP
package import JSON

// The endpoints that configure a connection and use its steps (docs/api/connect.md §7.6 to §7.12). Each supports a
// service key with a user, and a user token.
extension ConnectClient {
  /// GET …/field_options, at the URL that IFTTT sent if it is on the same host. Newer responses put the feature before
  /// the step; without a URL, the documented form is used (docs/api/connect.md C25). The value includes the body that
  /// the options were parsed from.
  package func fieldOptions(
    _ step: ConfigurationStep, of id: ConnectionID
  ) -> Endpoint<(options: FieldOptions, raw: [UInt8])> {
    let request =
      step.optionsURL.flatMap { caller.template.get(following: $0, below: path(id)) }
      ?? caller.template.get(path(id) + [step.kind.plural, step.typeID, "field_options"])
    return caller.endpoint(request) { response throws(APIError) in (try FieldOptions(response), response.body) }
  }

  /// PUT /v2/connections/{id}/user_connection, which replaces the user's whole configuration. The content of the
  /// response is undocumented, so the connection must be fetched again (docs/api/connect.md U2).
  package func configure(_ id: ConnectionID, _ body: JSONObject) -> Endpoint<Void> {
    caller.endpoint(caller.template.put(path(id) + ["user_connection"], json: body, isRepeatable: true))
  }

  /// POST …/user_connection/refresh: makes IFTTT reload the options and update the labels of stored values.
  package func refreshLabels(of id: ConnectionID) -> Endpoint<Void> {
    let query = caller.template.userItem
    return caller.endpoint(
      caller.template.post(path(id) + ["user_connection", "refresh"], query: query, isRepeatable: true))
  }

  /// POST …/actions/{service.action}/run or …/triggers/{service.trigger}/test. Has side effects, so it is retried only
  /// if nothing can have reached IFTTT.
  package func use(_ call: StepCall, _ invocation: StepInvocation, of id: ConnectionID) -> Endpoint<Void> {
    caller.endpoint(request(call, invocation, of: id))
  }

  /// POST …/queries/{service.query}/perform: one page of a query.
  package func perform(_ invocation: StepInvocation, of id: ConnectionID) -> Endpoint<QueryPage> {
    caller.endpoint(request(.perform, invocation, of: id), QueryPage.init)
  }

  /// The user of a service is sent in the body. Only the sample in the documentation shows this
  /// (docs/api/connect.md C3). A query is inferred to have no side effects; `run` and `test` have them
  /// (docs/api/connect.md §13).
  private func request(_ call: StepCall, _ invocation: StepInvocation, of id: ConnectionID) -> Request {
    var body = invocation.body
    if case .service(_, let user?) = caller.template.authentication {
      body = JSONObject(members: [(key: "user_id", value: .string(user))] + body.members)
    }
    return caller.template.post(
      path(id) + [call.kind.plural, invocation.stepID, call.rawValue], json: body, isRepeatable: call == .perform)
  }

  private func path(_ id: ConnectionID) -> [String] { ["v2", "connections", id.description] }
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

/// The use of a step: the step, the user feature, and the values in place of the stored values.
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
    // Undocumented: how `PUT` distinguishes two user features of one feature. Their ids are sent as an extra key
    // (docs/api/connect.md U16).
    body["id"] = id.map(JSONValue.string)
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
        ["field_id": .string(field.id), "value": requestForm(field.value, field.kind)]
      })
  }

  /// The form of a value in a request: the option's `value` for a dropdown, objects with label and value for
  /// checkboxes, and the stored form for a location. Only plain text is documented (docs/api/connect.md U15).
  private func requestForm(_ value: JSONValue, _ kind: FieldKind?) -> JSONValue {
    if case .other = kind { return value }
    switch FieldValue(value) {
    case .option(let option): return .string(option.value)
    case .options(let options):
      return .array(options.map { ["label": JSONValue($0.label), "value": .string($0.value)] })
    case .location(let location) where value["lat"] == nil: return location.json
    case .text, .location, .other, nil: return value
    }
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
    /// The fields to send with the cursor; nil if the page has none, so that the fields stay unchanged.
    package var fields: JSONObject?
  }

  /// - Throws: ``APIError``; unreadable if the response contains no list.
  package init(_ response: Response) throws(APIError) {
    let object = try response.object()
    guard let data = object["data"]?.array else { throw response.unreadable("it contains no list") }
    rows = data.compactMap(\.object)
    skipped = data.count - rows.count
    let next = object.object("next")
    // The documented table lists a top-level `cursor` in addition to `next.cursor` (docs/api/connect.md C5).
    let cursor = next?.identifier("cursor") ?? object.identifier("cursor")
    self.next = cursor.map { Next(cursor: $0, fields: next?.object("fields")) }
  }
}
