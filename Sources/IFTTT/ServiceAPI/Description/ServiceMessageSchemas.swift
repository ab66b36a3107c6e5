import HTTP

/// The JSON Schemas of the messages of any service.
enum ServiceMessageSchemas {
  static var document: String {
    """
    {
      "trigger_request": {
        "type": "object",
        "required": ["triggerFields"],
        "properties": {
          "trigger_identity": {
            "type": "string",
            "description": "The same for the same user, trigger and fields"
          },
          "triggerFields": { "$ref": "#/components/schemas/FieldValues" },
          "limit": { "type": "integer", "minimum": 0, "default": 50 },
          "user": { "$ref": "#/components/schemas/UserData" },
          "ifttt_source": { "$ref": "#/components/schemas/Source" }
        }
      },
      "query_request": {
        "type": "object",
        "required": ["queryFields"],
        "properties": {
          "queryFields": { "$ref": "#/components/schemas/FieldValues" },
          "limit": { "type": "integer", "minimum": 0, "default": 50 },
          "cursor": { "type": "string", "description": "The page to return; absent for the first one" },
          "include": {
            "type": "array",
            "items": { "type": "string" },
            "description": "The nested queries to resolve"
          },
          "user": { "$ref": "#/components/schemas/UserData" },
          "ifttt_source": { "$ref": "#/components/schemas/Source" }
        }
      },
      "action_request": {
        "type": "object",
        "required": ["actionFields"],
        "properties": {
          "actionFields": { "$ref": "#/components/schemas/FieldValues" },
          "user": { "$ref": "#/components/schemas/UserData" },
          "ifttt_source": { "$ref": "#/components/schemas/Source" }
        }
      },
      "FieldValues": {
        "type": "object",
        "description": "The values by the slug of their field",
        "additionalProperties": { "$ref": "#/components/schemas/FieldValue" }
      },
      "FieldValue": {
        "anyOf": [
          { "type": "string" },
          { "type": "array", "items": { "$ref": "#/components/schemas/Option" } },
          { "$ref": "#/components/schemas/Location" }
        ]
      },
      "Location": {
        "type": "object",
        "required": ["lat", "lng"],
        "properties": {
          "lat": { "type": "number" },
          "lng": { "type": "number" },
          "radius": { "type": "number" },
          "address": { "type": "string" },
          "description": { "type": "string" },
          "zoom": { "type": ["integer", "null"] }
        }
      },
      "UserData": {
        "type": "object",
        "properties": { "timezone": { "type": "string", "description": "An IANA or Rails name" } }
      },
      "Source": {
        "type": "object",
        "description": "The personal Applet, whose page only its user sees",
        "properties": { "id": { "type": "string" }, "url": { "type": "string" } }
      },
      "trigger_response": {
        "type": "object",
        "required": ["data"],
        "properties": {
          "data": { "type": "array", "items": { "$ref": "#/components/schemas/Event" } }
        }
      },
      "Event": {
        "type": "object",
        "required": ["meta"],
        "properties": {
          "meta": { "$ref": "#/components/schemas/EventMeta" }
        },
        "additionalProperties": { "$ref": "#/components/schemas/Ingredient" }
      },
      "EventMeta": {
        "type": "object",
        "required": ["id", "timestamp"],
        "properties": {
          "id": { "type": "string", "description": "Unique" },
          "timestamp": { "type": "integer", "maximum": 99999999999, "description": "In Unix seconds" }
        }
      },
      "Ingredient": {
        "anyOf": [
          { "type": ["string", "number", "boolean", "null"] },
          { "$ref": "#/components/schemas/NestedQuery" }
        ]
      },
      "NestedQuery": {
        "type": "object",
        "required": ["queryFields"],
        "properties": {
          "queryFields": { "type": "object", "additionalProperties": true },
          "data": { "type": "array", "items": { "$ref": "#/components/schemas/Row" } },
          "cursor": { "type": ["string", "null"] }
        }
      },
      "Row": { "type": "object", "additionalProperties": { "$ref": "#/components/schemas/Ingredient" } },
      "query_response": {
        "type": "object",
        "required": ["data"],
        "properties": {
          "data": { "type": "array", "items": { "$ref": "#/components/schemas/Row" } },
          "cursor": { "type": ["string", "null"], "description": "Absent or null on the last page" }
        }
      },
      "action_response": {
        "type": "object",
        "required": ["data"],
        "properties": {
          "data": {
            "type": "array",
            "minItems": 1,
            "maxItems": 1,
            "items": {
              "type": "object",
              "required": ["id"],
              "properties": { "id": { "type": "string" }, "url": { "type": ["string", "null"] } }
            }
          }
        }
      },
      "Options": {
        "type": "object",
        "required": ["data"],
        "properties": {
          "data": {
            "type": "array",
            "items": {
              "anyOf": [{ "$ref": "#/components/schemas/Option" }, { "$ref": "#/components/schemas/OptionGroup" }]
            }
          }
        }
      },
      "Option": {
        "type": "object",
        "required": ["label", "value"],
        "properties": { "label": { "type": "string" }, "value": { "type": "string" } }
      },
      "OptionGroup": {
        "type": "object",
        "required": ["label", "values"],
        "properties": {
          "label": { "type": "string" },
          "values": { "type": "array", "items": { "$ref": "#/components/schemas/Option" } }
        }
      },
      "Empty": { "type": "object" },
      "FieldValidation": {
        "type": "object",
        "required": ["value"],
        "properties": { "value": { "$ref": "#/components/schemas/FieldValue" } }
      },
      "Validation": {
        "type": "object",
        "required": ["values"],
        "properties": { "values": { "$ref": "#/components/schemas/FieldValues" } }
      },
      "Validity": {
        "type": "object",
        "required": ["data"],
        "properties": { "data": { "$ref": "#/components/schemas/FieldValidity" } }
      },
      "trigger_validities": {
        "type": "object",
        "required": ["data"],
        "properties": {
          "data": { "type": "object", "additionalProperties": { "$ref": "#/components/schemas/FieldValidity" } }
        }
      },
      "FieldValidity": {
        "anyOf": [
          {
            "type": "object",
            "required": ["valid"],
            "properties": { "valid": { "const": true } }
          },
          {
            "type": "object",
            "required": ["valid", "message"],
            "properties": { "valid": { "const": false }, "message": { "type": "string", "minLength": 1 } }
          }
        ]
      },
      "TestSetup": {
        "type": "object",
        "required": ["data"],
        "properties": {
          "data": {
            "type": "object",
            "required": ["samples"],
            "properties": {
              "accessToken": { "type": "string", "description": "Valid; absent without sign-in" },
              "samples": {
                "type": "object",
                "properties": {
                  "triggers": { "$ref": "#/components/schemas/Samples" },
                  "triggerFieldValidations": {
                    "type": "object",
                    "additionalProperties": {
                      "type": "object",
                      "additionalProperties": { "$ref": "#/components/schemas/ValidationSample" }
                    }
                  },
                  "queries": { "$ref": "#/components/schemas/Samples" },
                  "actions": { "$ref": "#/components/schemas/Samples" },
                  "actionRecordSkipping": { "$ref": "#/components/schemas/Samples" }
                }
              }
            }
          }
        }
      },
      "Samples": {
        "type": "object",
        "description": "The values of the fields by the slug of their trigger, query or action",
        "additionalProperties": { "$ref": "#/components/schemas/FieldValues" }
      },
      "ValidationSample": {
        "type": "object",
        "properties": {
          "valid": { "$ref": "#/components/schemas/FieldValue" },
          "invalid": { "$ref": "#/components/schemas/FieldValue" }
        }
      },
      "UserInfo": {
        "type": "object",
        "required": ["data"],
        "properties": {
          "data": {
            "type": "object",
            "required": ["id", "name"],
            "properties": {
              "id": { "type": "string", "minLength": 1, "maxLength": 200, "description": "Permanent" },
              "name": { "type": "string" },
              "url": { "type": ["string", "null"] }
            }
          }
        }
      },
      \(["enabled", "updated", "disabled"].map(connectionWebhook).joined(separator: ",\n")),
      "firedWebhook": {
        "type": "object",
        "required": ["sent_at", "data", "event_data"],
        "properties": {
          "sent_at": { "type": "integer", "description": "In milliseconds" },
          "data": { "$ref": "#/components/schemas/WebhookData" },
          "event_data": {
            "type": "object",
            "required": ["ingredients"],
            "properties": { "ingredients": { "type": "object", "additionalProperties": true } }
          }
        }
      },
      "WebhookData": {
        "type": "object",
        "required": ["connection_id", "user_id"],
        "properties": {
          "connection_id": { "type": "string" },
          "user_id": { "type": "string" },
          "user_timezone": { "type": "string", "description": "A Rails name" },
          "trigger_id": { "type": "string", "description": "Prefixed with its service" },
          "feature_id": { "type": "string" },
          "user_feature_id": { "type": "string" },
          "user_feature_trigger_id": { "type": "string" }
        }
      },
      "Errors": {
        "type": "object",
        "required": ["errors"],
        "properties": {
          "errors": {
            "type": "array",
            "minItems": 1,
            "items": { "type": "object", "required": ["message"], "properties": { "message": { "type": "string" } } }
          }
        }
      },
      "ActionErrors": {
        "type": "object",
        "required": ["errors"],
        "properties": {
          "errors": {
            "type": "array",
            "minItems": 1,
            "items": {
              "type": "object",
              "required": ["message"],
              "properties": {
                "status": { "const": "SKIP", "description": "Skip the event instead of running the action again" },
                "message": { "type": "string" }
              }
            }
          }
        }
      }
    }
    """
  }

  private static func connectionWebhook(_ event: String) -> String {
    """
    "\(event)Webhook": {
      "type": "object",
      "required": ["sent_at", "data", "event_data"],
      "properties": {
        "sent_at": { "type": "integer", "description": "In milliseconds" },
        "data": { "$ref": "#/components/schemas/WebhookData" },
        "event_data": {
          "type": "object",
          "required": ["\(event)_at"],
          "properties": { "\(event)_at": { "type": "string", "pattern": "^[0-9]+$" } }
        }
      }
    }
    """
  }

  static let credentials = """
    {
      "ServiceKey": { "type": "apiKey", "in": "header", "name": "IFTTT-Service-Key" },
      "AccessToken": {
        "type": "http",
        "scheme": "bearer",
        "description": "The access token that the service has issued to IFTTT for the user"
      }
    }
    """

  static let parameters: [APIParameter] = [
    .path("trigger"), .path("query"), .path("action"), .path("field"), .path("trigger_identity"),
  ]

  static let serverResponses = """
    {
      "ServerError": {
        "description": "From the server itself, such as 413 or 431, or a failure: 500, or 503 to be called again",
        "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Errors" } } }
      }
    }
    """
}
