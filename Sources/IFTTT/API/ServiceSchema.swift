/// The JSON Schema of a service as connections and Applets print it, for use in their `$defs`.
package enum ServiceSchema {
  package static let definition = """
    {
          "type": "object",
          "properties": {
            "id": { "type": "string", "minLength": 1 },
            "name": { "type": "string" },
            "short_name": { "type": "string" },
            "is_primary": { "type": "boolean" },
            "brand_color": { "type": ["string", "null"] },
            "icon_url": { "type": ["string", "null"] },
            "url": { "type": ["string", "null"] }
          },
          "required": ["id", "name", "short_name", "is_primary", "brand_color", "icon_url", "url"],
          "additionalProperties": false
        }
    """
}
