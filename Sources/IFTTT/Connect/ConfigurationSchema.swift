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
