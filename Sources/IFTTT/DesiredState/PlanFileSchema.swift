/// The JSON Schema (2020-12) of a plan.
package enum PlanFileSchema {
  package static let document = """
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "A plan for connections",
      "description": "The file of 'connections diff --plan-out' and 'connections apply --plan': only connections that change.",
      "type": "object",
      "properties": {
        "version": { "const": 1 },
        "allow_removal": { "type": "boolean", "description": "Whether settings may be removed" },
        "connections": { "type": "array", "items": { "$ref": "#/$defs/connection" } }
      },
      "required": ["version", "allow_removal", "connections"],
      "additionalProperties": false,
      "$defs": {
        "connection": {
          "type": "object",
          "properties": {
            "wanted": { "type": "object", "description": "The entry of the file, as in the schema 'connections-file'" },
            "present": {
              "type": "object",
              "description": "The state that the plan was made from",
              "properties": {
                "status": { "enum": ["enabled", "disabled", "never_enabled", "unknown"] },
                "configuration": { "type": ["object", "null"], "description": "As in the output of 'connections show'" },
                "pending": { "type": "boolean", "description": "Whether its configuration was skipped" }
              },
              "required": ["status", "configuration"]
            },
            "changes": {
              "type": "array",
              "description": "The differences, as in the output of 'connections diff'",
              "items": {
                "type": "object",
                "properties": {
                  "field": { "type": ["string", "null"] },
                  "change": { "enum": ["added", "changed", "removed", "enabled", "disabled"] },
                  "wanted": true,
                  "present": true
                },
                "required": ["field", "change", "wanted", "present"]
              }
            }
          },
          "required": ["wanted", "present", "changes"],
          "additionalProperties": false
        }
      }
    }
    """
}
