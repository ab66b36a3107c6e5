/// The JSON Schema (2020-12) of a service definition.
package enum ServiceDefinitionSchema {
  package static let document = """
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "A service definition",
      "description": "The triggers, queries and actions of a service, for the option --definition of 'service test'.",
      "type": "object",
      "properties": {
        "service": {
          "type": "object",
          "properties": {
            "id": { "type": "string", "description": "The service's slug" },
            "name": { "type": "string" },
            "authentication": { "enum": ["oauth2", "none", null], "description": "How users sign in" }
          }
        },
        "triggers": { "type": "array", "items": { "$ref": "#/$defs/trigger" } },
        "queries": { "type": "array", "items": { "$ref": "#/$defs/step" } },
        "actions": { "type": "array", "items": { "$ref": "#/$defs/step" } }
      },
      "additionalProperties": false,
      "minProperties": 1,
      "$defs": {
        "trigger": {
          "$ref": "#/$defs/step",
          "properties": {
            "validation": {
              "enum": ["contextual", null],
              "description": "Whether one request validates the values of all fields, because they depend on each other"
            }
          }
        },
        "step": {
          "type": "object",
          "properties": {
            "id": { "type": "string", "minLength": 1, "description": "The slug in the endpoint's path" },
            "name": { "type": "string" },
            "fields": { "type": "array", "items": { "$ref": "#/$defs/field" } },
            "ingredients": { "type": "array", "items": { "$ref": "#/$defs/ingredient" } }
          },
          "required": ["id"]
        },
        "field": {
          "type": "object",
          "properties": {
            "id": { "type": "string", "minLength": 1 },
            "label": { "type": "string" },
            "type": { "type": "string" },
            "required": { "type": "boolean", "default": true },
            "options": { "type": "boolean", "default": false, "description": "Whether the server lists the values" },
            "validation": { "type": "boolean", "default": false, "description": "Whether the server checks a value" }
          },
          "required": ["id"]
        },
        "ingredient": {
          "type": "object",
          "properties": {
            "id": { "type": "string", "minLength": 1, "description": "The key in a row" },
            "type": { "type": "string" }
          },
          "required": ["id"]
        }
      }
    }
    """
}
