/// The JSON Schema (2020-12) of a connection as printed by `connections show` and `connections list`, including
/// `tracked`, `stale` and `fetched_at`.
package enum ConnectionSchema {
  package static let rows = RowSchema("connection", one: "A connection", list: "Connections", definitions: definitions)

  private static let definitions = """
    {
        "connection": {
          "type": "object",
          "properties": {
            "id": { "type": "string", "minLength": 1 },
            "name": { "type": "string" },
            "description": { "type": ["string", "null"] },
            "status": { "enum": ["enabled", "disabled", "never_enabled", "unknown"] },
            "pending": { "type": "boolean" },
            "provider": { "type": "string" },
            "url": { "type": ["string", "null"] },
            "enabled_count": { "type": ["integer", "null"] },
            "primary_service": { "type": ["string", "null"] },
            "services": { "type": "array", "items": { "$ref": "#/$defs/service" } },
            "features": { "type": "array", "items": { "$ref": "#/$defs/feature" } },
            "configuration": { "anyOf": [{ "type": "null" }, { "$ref": "#/$defs/configuration" }] },
            "cover_images": {
              "anyOf": [
                { "type": "null" },
                {
                  "description": "From width in pixels to URL.",
                  "type": "object",
                  "propertyNames": { "pattern": "^[1-9][0-9]*$" },
                  "additionalProperties": { "type": "string" },
                  "minProperties": 1
                }
              ]
            },
            "tracked": { "type": "boolean" },
            "stale": { "type": "boolean" },
            "fetched_at": { "type": "string", "format": "date-time" },
            "user_id": { "description": "The user's id on the service; with --users only.", "type": "string" }
          },
          "required": [
            "id", "name", "description", "status", "pending", "provider", "url", "enabled_count",
            "primary_service", "services", "features", "configuration", "cover_images", "tracked", "stale",
            "fetched_at"
          ],
          "additionalProperties": false
        },
        "service": \(ServiceSchema.definition),
        "feature": {
          "type": "object",
          "properties": {
            "id": { "type": "string", "minLength": 1 },
            "title": { "type": ["string", "null"] },
            "description": { "type": ["string", "null"] },
            "icon_url": { "type": ["string", "null"] },
            "fields": { "type": "array", "items": { "$ref": "#/$defs/field" } },
            "triggers": { "type": "array", "items": { "$ref": "#/$defs/step" } },
            "queries": { "type": "array", "items": { "$ref": "#/$defs/step" } },
            "actions": { "type": "array", "items": { "$ref": "#/$defs/step" } }
          },
          "required": ["id", "title", "description", "icon_url", "fields", "triggers", "queries", "actions"],
          "additionalProperties": false
        },
        "step": {
          "type": "object",
          "properties": {
            "id": { "type": ["string", "null"] },
            "step": { "description": "service.slug", "type": ["string", "null"] },
            "label": { "type": ["string", "null"] },
            "fields": { "type": "array", "items": { "$ref": "#/$defs/field" } }
          },
          "required": ["id", "step", "label", "fields"],
          "additionalProperties": false
        },
        "field": {
          "type": "object",
          "properties": {
            "id": { "type": "string", "minLength": 1 },
            "label": { "type": ["string", "null"] },
            "type": { "type": ["string", "null"] },
            "required": { "type": ["boolean", "null"] },
            "hidden": { "type": ["boolean", "null"] },
            "default_value": { "$ref": "#/$defs/value" }
          },
          "required": ["id", "label", "type", "required", "hidden", "default_value"],
          "additionalProperties": false
        },
    \(ConfigurationSchema.definitions)
      }
    """
}
