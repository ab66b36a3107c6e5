/// The JSON Schema (2020-12) of an Applet as printed by `applets fetch`, including `fetched_at` and `stale`.
package enum AppletSchema {
  package static let rows = RowSchema("applet", one: "An Applet", list: "Applets", definitions: definitions)

  private static let definitions = """
    {
        "applet": {
          "type": "object",
          "properties": {
            "id": { "type": "string", "minLength": 1 },
            "name": { "type": "string" },
            "description": { "type": ["string", "null"] },
            "status": { "enum": ["enabled", "disabled", "never_enabled", "unknown"] },
            "published_at": { "type": ["string", "null"] },
            "enabled_count": { "type": ["integer", "null"] },
            "last_run_at": { "type": ["string", "null"] },
            "url": { "type": ["string", "null"] },
            "embedded_url": { "type": ["string", "null"] },
            "primary_service": { "type": ["string", "null"] },
            "services": { "type": "array", "items": { "$ref": "#/$defs/service" } },
            "fetched_at": { "type": "string", "format": "date-time" },
            "stale": { "type": "boolean" }
          },
          "required": [
            "id", "name", "description", "status", "published_at", "enabled_count", "last_run_at", "url",
            "embedded_url", "primary_service", "services", "fetched_at", "stale"
          ],
          "additionalProperties": false
        },
        "service": \(ServiceSchema.definition)
      }
    """
}
