package import JSON

// A user's complete configuration as accepted by `PUT …/user_connection` (reference: connect-api.md, section 7.6),
// without types and labels.
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
