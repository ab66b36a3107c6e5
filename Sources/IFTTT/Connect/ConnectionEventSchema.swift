/// The JSON Schema (2020-12) of a change as printed by `connections watch`.
package enum ConnectionEventSchema {
  package static let rows = RowSchema(
    "event", one: "A change of a connection", list: "Changes of connections", definitions: definitions)

  private static let definitions = """
    {
        "event": {
          "type": "object",
          "properties": {
            "at": { "type": "string", "format": "date-time" },
            "id": { "type": "string", "minLength": 1 },
            "name": { "type": "string" },
            "kind": { "enum": ["present", "appeared", "gone", "status", "pending", "configuration", "name"] },
            "before": { "anyOf": [{ "type": "null" }, { "$ref": "#/$defs/state" }] },
            "after": { "anyOf": [{ "type": "null" }, { "$ref": "#/$defs/state" }] }
          },
          "required": ["at", "id", "name", "kind", "before", "after"],
          "additionalProperties": false
        },
        "state": {
          "type": "object",
          "properties": {
            "status": { "enum": ["enabled", "disabled", "never_enabled", "unknown"] },
            "pending": { "type": "boolean" },
            "name": { "type": "string" },
            "configuration": { "anyOf": [{ "type": "null" }, { "$ref": "#/$defs/configuration" }] }
          },
          "required": ["status", "pending", "name", "configuration"],
          "additionalProperties": false
        },
    \(ConfigurationSchema.definitions)
      }
    """
}
