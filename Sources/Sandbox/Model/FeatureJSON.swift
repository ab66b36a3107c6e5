import JSON

extension SandboxFixtures.Feature {
  /// - Parameter base: The connection's URL in the API.
  func json(within base: String) -> JSONValue {
    let address = "\(base)/features/\(id)"
    return [
      "id": .string(id), "title": .string(title), "description": .text(description),
      "icon_url": .string("https://ifttt.com/value-prop-icons/\(icon).png"),
      "field_options_url": .string("\(address)/field_options"),
      "fields": .array(fields.map(\.json)),
      "feature_triggers": .array(
        triggers.map { $0.json("trigger_id", options: "\(address)/triggers", run: nil) }),
      "feature_queries": .array(
        queries.map { $0.json("query_id", options: "\(address)/queries", run: nil) }),
      "feature_actions": .array(
        actions.map { $0.json("action_id", options: "\(address)/actions", run: "\(base)/actions") }),
    ]
  }
}

extension SandboxFixtures.Step {
  /// The name in URLs and webhooks.
  var name: String { "\(service.slug).\(slug)" }

  fileprivate func json(_ key: String, options: String, run: String?) -> JSONValue {
    let json: JSONObject = [
      "id": .string(id), key: .string(slug), "service_id": .string(service.slug), "label": .string(label),
      "field_options_url": .string("\(options)/\(name)/field_options"),
      "run_url": .text(run.map { "\($0)/\(name)/run" }),
      "fields": .array(fields.map(\.json)),
    ]
    return .object(json)
  }
}

extension SandboxFixtures.Field {
  var json: JSONValue {
    [
      "id": .string(id), "label": .string(label), "type": .string(type.rawValue), "required": .bool(isRequired),
      "hidden": .bool(isHidden), "default_value": preset?.json ?? .null,
    ]
  }

  /// The members `field_id`, `field_type` and `value`, in this order, because the Android SDK depends on it.
  fileprivate func json(_ value: SandboxFixtures.Value) -> JSONValue {
    ["field_id": .string(id), "field_type": .string(type.rawValue), "value": value.json]
  }

  /// A user's value in the format from before features existed, without its group, as it was then.
  func legacyJSON(_ value: SandboxFixtures.Value) -> JSONValue {
    guard case .option(let value, let label, _) = value else { return ["id": .string(id), "value": value.json] }
    return ["id": .string(id), "group": nil, "label": .string(label), "value": .string(value)]
  }
}

extension SandboxFixtures.Value {
  var json: JSONValue {
    switch self {
    case .text(let text): return .string(text)
    case .option(let value, let label, let group):
      return ["group": .text(group), "label": .string(label), "value": .string(value)]
    case .options(let options):
      return .array(options.map { ["label": .string($0.label), "value": .string($0.value)] })
    case .location(let latitude, let longitude, let radius, let address, let description, let zoom):
      var location: JSONObject = ["lat": number(latitude), "lng": number(longitude)]
      if let radius { location["radius"] = number(radius) }
      location["address"] = .string(address)
      location["description"] = .string(description)
      location["zoom"] = zoom.map { .number(JSONNumber($0)) } ?? .null
      return .object(location)
    }
  }

  /// The number; a whole number is written without a fraction.
  private func number(_ value: Double) -> JSONValue {
    .number(Int(exactly: value).map { JSONNumber($0) } ?? JSONNumber(value))
  }
}

extension SandboxFixtures.UserConnection {
  var json: JSONValue { ["user_features": .array(features.map(\.json))] }
}

extension SandboxFixtures.UserFeature {
  fileprivate var json: JSONValue {
    [
      "id": .string(id), "feature_id": .string(feature.id), "enabled": .bool(isEnabled),
      "user_fields": .array(json(values, of: feature.fields)),
      "user_feature_triggers": steps("feature_trigger_id", feature.triggers, triggers),
      "user_feature_queries": steps("feature_query_id", feature.queries, queries),
      "user_feature_actions": steps("feature_action_id", feature.actions, actions),
    ]
  }

  private func steps(
    _ key: String, _ steps: [SandboxFixtures.Step], _ configured: [SandboxFixtures.UserStep?]
  ) -> JSONValue {
    .array(
      zip(steps, configured).compactMap { step, configured in
        guard let configured else { return nil }
        return [
          "id": .string(configured.id), key: .string(step.id),
          "user_fields": .array(json(configured.values, of: step.fields)),
        ]
      })
  }

  private func json(_ values: [SandboxFixtures.Value?], of fields: [SandboxFixtures.Field]) -> [JSONValue] {
    zip(fields, values).compactMap { field, value in value.map(field.json) }
  }
}
