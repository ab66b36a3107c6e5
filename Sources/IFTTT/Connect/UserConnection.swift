package import JSON

/// One user's configuration of a connection (docs/api/connect.md §8.4).
package struct UserConnection: Sendable, Equatable {
  package var features: [UserFeature]

  init(reading object: JSONObject, skipped: inout SkippedElements) {
    var inner = SkippedElements()
    features = object.members("user_features", skipped: &inner) { UserFeature(reading: $0, skipped: &$1) }
    skipped.add(inner, inside: "user_connection")
  }
}

/// One configured instance of a feature. A feature may have several.
package struct UserFeature: Sendable, Equatable {
  package var id: String?
  package var featureID: String?
  /// Nil if the key is missing.
  package var enabledOnWire: Bool?
  package var fields: [UserField]
  package var triggers: [UserStep]
  package var queries: [UserStep]
  package var actions: [UserStep]

  /// Old responses had no `enabled` on a user feature; Android counts that as true, iOS as false
  /// (docs/api/connect.md C13).
  package var isEnabled: Bool { enabledOnWire ?? true }

  package init(
    id: String?, featureID: String?, enabledOnWire: Bool?, fields: [UserField] = [], triggers: [UserStep] = [],
    queries: [UserStep] = [], actions: [UserStep] = []
  ) {
    (self.id, self.featureID, self.enabledOnWire, self.fields) = (id, featureID, enabledOnWire, fields)
    (self.triggers, self.queries, self.actions) = (triggers, queries, actions)
  }

  /// Nil without an id and a feature id.
  init?(reading object: JSONObject, skipped: inout SkippedElements) {
    id = object.identifier("id")
    featureID = object.identifier("feature_id")
    guard id != nil || featureID != nil else { return nil }
    enabledOnWire = object["enabled"].map(\.isSwitchedOn)
    fields = UserField.all(in: object, skipped: &skipped)
    triggers = object.members("user_feature_triggers", skipped: &skipped) {
      UserStep(reading: $0, stepKey: "feature_trigger_id", skipped: &$1)
    }
    queries = object.members("user_feature_queries", skipped: &skipped) {
      UserStep(reading: $0, stepKey: "feature_query_id", skipped: &$1)
    }
    actions = object.members("user_feature_actions", skipped: &skipped) {
      UserStep(reading: $0, stepKey: "feature_action_id", skipped: &$1)
    }
  }
}

/// A trigger, query or action as configured by one user.
package struct UserStep: Sendable, Equatable {
  /// The id that location events and webhooks refer to. Queries and actions may have none (docs/api/connect.md C12).
  package var id: String?
  /// The ``Step/id`` it belongs to.
  package var stepID: String?
  package var fields: [UserField]

  package init(id: String?, stepID: String?, fields: [UserField] = []) {
    (self.id, self.stepID, self.fields) = (id, stepID, fields)
  }

  /// Nil without an id and a step id.
  init?(reading object: JSONObject, stepKey: String, skipped: inout SkippedElements) {
    fields = UserField.all(in: object, skipped: &skipped)
    // The second and third spellings were in use for five days in March 2020.
    id =
      object.identifier("id") ?? object.identifier("user_trigger_id")
      ?? fields.lazy.compactMap { $0.value["user_trigger_id"]?.identifier }.first
    stepID = object.identifier(stepKey)
    guard id != nil || stepID != nil else { return nil }
  }
}

/// The value of a field as set by a user.
package struct UserField: Sendable, Equatable {
  package var id: String
  /// As received; absent in old responses.
  package var type: String?
  /// As received; ``FieldValue`` is the typed view.
  package var value: JSONValue

  package init(id: String, type: String?, value: JSONValue) {
    (self.id, self.type, self.value) = (id, type, value)
  }

  package var kind: FieldKind? {
    type.map(FieldKind.init(onWire:)) ?? FieldValue(value).flatMap(FieldKind.init(of:))
  }

  /// The fields in `user_fields`. If several have the same id, the last counts, as with an object's keys.
  static func all(in object: JSONObject, skipped: inout SkippedElements) -> [UserField] {
    var fields: [UserField] = []
    var indices: [String: Int] = [:]
    for field in object.members("user_fields", skipped: &skipped, read: { field, _ in UserField(reading: field) }) {
      if let index = indices.updateValue(fields.count, forKey: field.id) {
        indices[field.id] = index
        fields[index] = field
      } else {
        fields.append(field)
      }
    }
    return fields
  }

  /// Nil without an id.
  private init?(reading object: JSONObject) {
    guard let id = object.identifier("field_id") else { return nil }
    self.id = id
    type = object.text("field_type")
    value = object["value"] ?? .null
  }
}

extension UserConnection {
  /// The JSON of the configuration in a connection's document.
  package var document: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }

  /// Writes `{"features":[{"id","feature_id","enabled","fields":{},"triggers":[],"queries":[],"actions":[]}]}`. Each
  /// trigger, query and action is `{"id","step_id","fields":{}}`. Its `step_id` is the `id` of the feature's step, and
  /// `fields` maps field ids to values.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.members("features", features) { feature, writer in
      writer.beginObject()
      writer.member("id", feature.id)
      writer.member("feature_id", feature.featureID)
      writer.member("enabled", feature.isEnabled)
      writer.fieldValues(feature.fields)
      writer.members("triggers", feature.triggers) { $1.userStep($0) }
      writer.members("queries", feature.queries) { $1.userStep($0) }
      writer.members("actions", feature.actions) { $1.userStep($0) }
      writer.endObject()
    }
    writer.endObject()
  }
}

extension JSONWriter {
  /// Writes the value of a field: text as a string, an option as its object, checkboxes as an array of options, a
  /// location with its short names and numbers, and an unknown type as received.
  mutating func fieldValue(_ json: JSONValue) {
    switch FieldValue(json) {
    case nil: null()
    case .text(let text): string(text)
    case .option(let option): self.option(option)
    case .options(let options):
      beginArray()
      for option in options { self.option(option) }
      endArray()
    case .location(let location): self.location(location)
    case .other(let json): value(json)
    }
  }

  fileprivate mutating func userStep(_ step: UserStep) {
    beginObject()
    member("id", step.id)
    member("step_id", step.stepID)
    fieldValues(step.fields)
    endObject()
  }

  fileprivate mutating func fieldValues(_ fields: [UserField]) {
    key("fields")
    beginObject()
    for field in fields {
      key(field.id)
      fieldValue(field.value)
    }
    endObject()
  }

  private mutating func option(_ option: FieldValue.Option) {
    beginObject()
    member("group", option.group)
    member("label", option.label)
    member("value", option.value)
    endObject()
  }

  private mutating func location(_ location: FieldValue.Location) {
    beginObject()
    number("lat", location.latitude)
    number("lng", location.longitude)
    number("radius", location.radius)
    member("address", location.address)
    member("description", location.details)
    number("zoom", location.zoom)
    endObject()
  }

  private mutating func number(_ key: String, _ number: JSONNumber?) {
    self.key(key)
    value(number.map(JSONValue.number) ?? .null)
  }
}
