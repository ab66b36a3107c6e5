import JSON

/// The JSON Schemas of requests to a partner's server and of its responses (docs/api/service.md §3 to §8 and §10).
enum ServiceSchemas {
  // MARK: Schemas of a definition

  /// The schema of a step's request: that of any service, with the step's own fields.
  static func request(
    of kind: ServiceStepKind, _ fields: [ServiceDefinition.Field], from common: JSONValue
  ) -> JSONValue {
    replacing(
      kind.fieldsKey, in: common,
      with: object(
        JSONObject(members: fields.map { ($0.slug, value(of: $0)) }),
        required: fields.filter(\.isRequired).map(\.slug)))
  }

  private static func replacing(_ property: String, in schema: JSONValue, with value: JSONValue) -> JSONValue {
    guard var object = schema.object, var properties = object["properties"]?.object else { return schema }
    properties[property] = value
    object["properties"] = .object(properties)
    return .object(object)
  }

  private static func value(of field: ServiceDefinition.Field) -> JSONValue {
    var schema: JSONObject
    switch field.type {
    case "TEXT_FIELD", "TEXT_AREA", "DROPDOWN_MENU", "COLLECTION_SELECT", "DOUBLE_COLLECTION_SELECT":
      schema = ["type": "string"]
    case "CHECKBOX", "CHECKBOX_MULTI": schema = ["type": "array", "items": reference("Option")]
    case let type? where type.hasPrefix("LOCATION_"): schema = ["$ref": "#/components/schemas/Location"]
    default: schema = ["$ref": "#/components/schemas/FieldValue"]
    }
    schema["description"] = field.label.map(JSONValue.string)
    return .object(schema)
  }

  /// The schema of a step's response: that of any service, with the step's own ingredients.
  static func response(
    of kind: ServiceStepKind, _ step: ServiceDefinition.Step, from common: JSONValue
  ) -> JSONValue {
    guard kind != .actions, let ingredients = step.ingredients else { return common }
    var properties = JSONObject(members: ingredients.map { ($0, ingredient(step.ingredientTypes[$0])) })
    if kind == .triggers { properties["meta"] = reference("EventMeta") }
    let row = object(properties, required: properties.members.map(\.key))
    return replacing("data", in: common, with: ["type": "array", "items": row])
  }

  private static func ingredient(_ type: String?) -> JSONValue {
    switch type {
    case nil: [:]
    case "date"?: ["type": "string", "format": "date"]
    case "date_time"?: ["type": "string", "format": "date-time"]
    case "query"?: reference("NestedQuery")
    default: ["type": "string"]
    }
  }

  /// The schema of a contextual validation: that of any trigger, with the trigger's own fields.
  static func validities(of fields: [ServiceDefinition.Field], from common: JSONValue) -> JSONValue {
    let names = fields.filter(\.isValidated).map(\.slug)
    return replacing(
      "data", in: common,
      with: object(JSONObject(members: names.map { ($0, reference("FieldValidity")) }), required: names))
  }

  private static func object(_ properties: JSONObject, required: [String]) -> JSONValue {
    [
      "type": "object", "properties": .object(properties),
      "required": .array(required.map(JSONValue.string)),
    ]
  }

  private static func reference(_ name: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }
}
