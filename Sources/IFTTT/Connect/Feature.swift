package import JSON

/// One capability of a connection, with the fields and steps a user may configure (docs/api/connect.md §8.3).
package struct Feature: Sendable, Equatable {
  package var id: String
  package var title: String?
  package var details: String?
  package var iconURL: String?
  package var fieldOptionsURL: String?
  package var fields: [Field]
  package var triggers: [Step]
  package var queries: [Step]
  package var actions: [Step]

  /// Nil without an id.
  init?(reading object: JSONObject, skipped: inout SkippedElements) {
    guard let id = object.identifier("id") else { return nil }
    self.id = id
    title = object.text("title")
    details = object.text("description")
    iconURL = object.text("icon_url")
    fieldOptionsURL = object.text("field_options_url")
    fields = object.members("fields", skipped: &skipped) { field, _ in Field(reading: field) }
    triggers = object.members("feature_triggers", skipped: &skipped) {
      Step(reading: $0, slugKey: "trigger_id", skipped: &$1)
    }
    queries = object.members("feature_queries", skipped: &skipped) {
      Step(reading: $0, slugKey: "query_id", skipped: &$1)
    }
    actions = object.members("feature_actions", skipped: &skipped) {
      Step(reading: $0, slugKey: "action_id", skipped: &$1)
    }
  }
}

/// A trigger, query or action of a feature.
package struct Step: Sendable, Equatable {
  /// The id that a user's configuration refers to.
  package var id: String?
  /// The name in the connection's JSON, such as `enter_region_location`.
  package var slug: String?
  package var serviceID: String?
  package var label: String?
  package var fieldOptionsURL: String?
  /// Set for actions.
  package var runURL: String?
  package var fields: [Field]

  /// The name in URLs and webhooks, such as `location.enter_region_location`.
  package var prefixedID: String? {
    guard let slug, let serviceID, !slug.hasPrefix("\(serviceID).") else { return slug }
    return "\(serviceID).\(slug)"
  }

  /// Nil without an id and a slug.
  init?(reading object: JSONObject, slugKey: String, skipped: inout SkippedElements) {
    id = object.identifier("id")
    slug = object.identifier(slugKey)
    guard id != nil || slug != nil else { return nil }
    serviceID = object.identifier("service_id")
    label = object.text("label")
    fieldOptionsURL = object.text("field_options_url")
    runURL = object.text("run_url")
    fields = object.members("fields", skipped: &skipped) { field, _ in Field(reading: field) }
  }
}

/// An input that a user fills in for a feature or a step.
package struct Field: Sendable, Equatable {
  package var id: String
  package var label: String?
  /// As received; ``FieldKind`` is the typed view.
  package var type: String?
  package var isRequired: Bool?
  /// Whether to hide it from the user.
  package var isHidden: Bool?
  /// As received; ``FieldValue`` is the typed view.
  package var defaultValue: JSONValue

  package var kind: FieldKind? {
    type.map(FieldKind.init(onWire:)) ?? FieldValue(defaultValue).flatMap(FieldKind.init(of:))
  }

  package init(
    id: String, label: String?, type: String?, isRequired: Bool?, isHidden: Bool?, defaultValue: JSONValue
  ) {
    (self.id, self.label, self.type) = (id, label, type)
    (self.isRequired, self.isHidden, self.defaultValue) = (isRequired, isHidden, defaultValue)
  }

  /// Nil without an id.
  init?(reading object: JSONObject) {
    guard let id = object.identifier("id") else { return nil }
    self.id = id
    label = object.text("label")
    type = object.text("type")
    isRequired = object.flag("required")
    isHidden = object.flag("hidden")
    defaultValue = object["default_value"] ?? .null
  }
}
