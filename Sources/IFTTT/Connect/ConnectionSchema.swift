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

/// The JSON Schema of a user's configuration and of field values, for a connection's `$defs`.
enum ConfigurationSchema {
  static let definitions = """
        "configuration": {
          "type": "object",
          "properties": {
            "features": { "type": "array", "items": { "$ref": "#/$defs/configured_feature" } }
          },
          "required": ["features"],
          "additionalProperties": false
        },
        "configured_feature": {
          "type": "object",
          "properties": {
            "id": { "type": ["string", "null"] },
            "feature_id": { "type": ["string", "null"] },
            "enabled": { "type": "boolean" },
            "fields": { "$ref": "#/$defs/values" },
            "triggers": { "type": "array", "items": { "$ref": "#/$defs/configured_step" } },
            "queries": { "type": "array", "items": { "$ref": "#/$defs/configured_step" } },
            "actions": { "type": "array", "items": { "$ref": "#/$defs/configured_step" } }
          },
          "required": ["id", "feature_id", "enabled", "fields", "triggers", "queries", "actions"],
          "additionalProperties": false
        },
        "configured_step": {
          "type": "object",
          "properties": {
            "id": { "type": ["string", "null"] },
            "step_id": { "description": "The id of the feature's step.", "type": ["string", "null"] },
            "fields": { "$ref": "#/$defs/values" }
          },
          "required": ["id", "step_id", "fields"],
          "additionalProperties": false
        },
        "values": {
          "description": "From field id to value.",
          "type": "object",
          "additionalProperties": { "$ref": "#/$defs/value" }
        },
        "value": {
          "anyOf": [
            { "type": ["null", "string"] },
            { "$ref": "#/$defs/option" },
            { "type": "array", "items": { "$ref": "#/$defs/option" } },
            { "$ref": "#/$defs/location" },
            {
              "description": "Members that the program does not know, as received.",
              "type": ["boolean", "number", "array", "object"],
              "not": { "anyOf": [{ "$ref": "#/$defs/like_option" }, { "$ref": "#/$defs/like_location" }] }
            }
          ]
        },
        "like_option": {
          "type": "object",
          "properties": { "value": { "type": "string" } },
          "required": ["value"]
        },
        "like_location": {
          "type": "object",
          "properties": { "lat": { "type": "number" }, "lng": { "type": "number" } },
          "required": ["lat", "lng"]
        },
        "option": {
          "type": "object",
          "properties": {
            "group": { "type": ["string", "null"] },
            "label": { "type": ["string", "null"] },
            "value": { "type": "string" }
          },
          "required": ["group", "label", "value"],
          "additionalProperties": false
        },
        "location": {
          "type": "object",
          "properties": {
            "lat": { "type": "number" },
            "lng": { "type": "number" },
            "radius": { "description": "Meters.", "type": ["number", "null"] },
            "address": { "type": ["string", "null"] },
            "description": { "type": ["string", "null"] },
            "zoom": { "type": ["number", "null"] }
          },
          "required": ["lat", "lng", "radius", "address", "description", "zoom"],
          "additionalProperties": false
        }
    """
}

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
