/// The JSON Schemas of events and notifications in requests.
enum EventSchemas {
  static var document: String {
    """
    {
      "UsageEvents": {
        "type": "object",
        "required": ["events"],
        "properties": {
          "events": {
            "type": "array",
            "items": {
              "type": "object",
              "required": ["name", "timestamp", "properties"],
              "properties": {
                "name": { "type": "string", "enum": [\(names)] },
                "timestamp": {
                  "type": "string",
                  "pattern": "^[0-9]{1,15}$",
                  "description": "In milliseconds since 1970"
                },
                "properties": {
                  "type": "object",
                  "properties": {
                    \(properties)
                  },
                  "additionalProperties": false
                }
              }
            }
          }
        }
      },
      "LocationEvents": {
        "type": "array",
        "items": {
          "type": "object",
          "required": [
            "record_id", "region_type", "occurred_at", "event_type", "channel_id", "trigger_subscription_id",
            "installation_id"
          ],
          "properties": {
            "record_id": {
              "type": "string",
              "format": "uuid",
              "description": "The id of the event. An event with a known id is ignored."
            },
            "region_type": { "const": "geo" },
            "occurred_at": { "type": "string", "format": "date-time" },
            "event_type": { "type": "string", "enum": ["entry", "exit"] },
            "channel_id": { "const": "941030000" },
            "trigger_subscription_id": {
              "type": "string",
              "minLength": 1,
              "description": "The id of the trigger in the user's configuration"
            },
            "installation_id": { "type": "string", "minLength": 1 }
          }
        }
      },
      "Notifications": {
        "type": "object",
        "required": ["data"],
        "properties": {
          "data": {
            "type": "array",
            "minItems": 1,
            "maxItems": \(PartnerNotification.limit),
            "items": {
              "oneOf": [
                {
                  "type": "object",
                  "required": ["user_id"],
                  "properties": { "user_id": { "type": "string", "minLength": 1 } },
                  "additionalProperties": false
                },
                {
                  "type": "object",
                  "required": ["trigger_identity"],
                  "properties": { "trigger_identity": { "type": "string", "minLength": 1 } },
                  "additionalProperties": false
                }
              ]
            }
          }
        }
      },
      "EventValues": {
        "type": "object",
        "description": "The ingredients Value1 to Value3",
        "properties": {
          "value1": { "type": "string" },
          "value2": { "type": "string" },
          "value3": { "type": "string" }
        }
      },
      "AnyJSON": { "description": "The ingredient JsonPayload" }
    }
    """
  }

  private static var names: String { ComponentText.elements(ReceivedUsageEvent.names.sorted()) }

  private static var properties: String {
    ReceivedUsageEvent.properties.sorted().map { #""\#($0)": { "type": ["string", "null"] }"# }.joined(separator: ",\n")
  }
}
