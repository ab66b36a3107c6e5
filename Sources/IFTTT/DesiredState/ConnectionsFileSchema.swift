/// The JSON Schema (2020-12) of a file of connections.
package enum ConnectionsFileSchema {
  package static let document = """
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "The desired state of connections",
      "description": "The output of 'connections export', and the input of 'connections diff' and 'apply'. Whatever a file does not name stays as it is.",
      "type": "object",
      "properties": {
        "version": { "const": 1 },
        "connections": { "type": "array", "items": { "$ref": "#/$defs/connection" } }
      },
      "required": ["version", "connections"],
      "additionalProperties": false,
      "$defs": {
        "connection": {
          "type": "object",
          "properties": {
            "id": { "type": "string", "minLength": 1 },
            "name": { "type": ["string", "null"], "description": "For the reader only" },
            "status": { "enum": ["enabled", "disabled", "never_enabled", "unknown", null] },
            "pending": { "type": ["boolean", "null"], "description": "Whether it was never configured; for the reader only" },
            "features": {
              "type": ["array", "null"],
              "description": "The user features of each feature that is named, in order; fewer than there are is a removal",
              "items": { "$ref": "#/$defs/feature" }
            }
          },
          "required": ["id"],
          "additionalProperties": false
        },
        "feature": {
          "type": "object",
          "properties": {
            "feature": { "type": "string", "description": "The id of the feature" },
            "title": { "type": ["string", "null"], "description": "For the reader only" },
            "enabled": { "type": ["boolean", "null"] },
            "fields": {
              "type": "object",
              "description": "From the field's id, or STEP.FIELD for a field of a step, to the value. An option is given by its value or label, checkboxes as a list; null removes the value."
            }
          },
          "required": ["feature"],
          "additionalProperties": false
        }
      }
    }
    """
}
