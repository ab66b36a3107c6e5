package import HTTP
package import JSON

// The requests that configure a connection and use its steps (reference: connect-api.md, sections 7.6 to 7.12).
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
