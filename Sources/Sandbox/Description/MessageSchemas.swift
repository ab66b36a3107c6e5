import HTTP

/// The JSON Schemas of small responses, the parameters, and the security schemes.
enum MessageSchemas {
  static let responses =
    """
    {
      "Identity": {
        "type": "object",
        "required": ["type", "authentication_level", "service_id", "user_login"],
        "properties": {
          "type": { "const": "me" },
          "authentication_level": { "type": "string", "enum": ["none", "channel", "user"] },
          "service_id": { "type": ["string", "null"] },
          "user_login": { "type": ["string", "null"] }
        }
      },
      "AppletIdentity": {
        "type": "object",
        "required": ["type", "authentication_level"],
        "properties": {
          "type": { "const": "me" },
          "authentication_level": { "type": "string", "enum": ["none", "channel", "user"] },
          "service_id": { "type": "string" },
          "user_login": { "type": "string" }
        }
      },
      "UserToken": {
        "type": "object",
        "required": ["type", "user_token"],
        "properties": { "type": { "const": "user_token" }, "user_token": { "type": "string", "minLength": 1 } }
      },
      "ProvisionalAccessCode": {
        "type": "object",
        "required": ["provisional_access_code"],
        "properties": { "provisional_access_code": { "type": "string", "minLength": 1 } }
      },
      "FieldOptions": {
        "type": "object",
        "required": ["type", "options"],
        "properties": {
          "type": { "const": "field_options" },
          "options": {
            "type": "object",
            "description": "The options by the id of their field; fields without options are absent",
            "additionalProperties": { "type": "array", "items": { "$ref": "#/components/schemas/Option" } }
          }
        }
      },
      "Option": {
        "type": "object",
        "required": ["label", "value", "group"],
        "properties": {
          "label": { "type": "string" },
          "value": { "type": "string" },
          "group": { "type": ["string", "null"] }
        }
      },
      "QueryPage": {
        "type": "object",
        "required": ["type", "data"],
        "properties": {
          "type": { "const": "list" },
          "data": { "type": "array", "items": { "$ref": "#/components/schemas/Row" } },
          "next": { "$ref": "#/components/schemas/NextPage", "description": "Absent on the last page" }
        }
      },
      "NextPage": {
        "type": "object",
        "required": ["fields", "cursor"],
        "properties": {
          "fields": { "type": "object", "additionalProperties": true },
          "cursor": { "type": "string", "minLength": 1 }
        }
      },
      "Row": {
        "type": "object",
        "description": "The ingredients of one result",
        "additionalProperties": {
          "anyOf": [
            { "type": ["string", "number", "boolean", "null"] },
            { "$ref": "#/components/schemas/NestedQuery" },
            { "$ref": "#/components/schemas/NestedRows" }
          ]
        }
      },
      "NestedQuery": {
        "type": "object",
        "description": "A query that was not resolved; perform it with these fields",
        "required": ["type", "fields"],
        "properties": { "type": { "const": "query" }, "fields": { "type": "object", "additionalProperties": true } }
      },
      "NestedRows": {
        "type": "object",
        "description": "The rows of a nested query that the request included",
        "required": ["type", "data"],
        "properties": {
          "type": { "const": "list" },
          "data": { "type": "array", "items": { "$ref": "#/components/schemas/Row" } }
        }
      },
      "Accepted": { "type": "object", "maxProperties": 0 },
      "Congratulations": { "type": "string", "pattern": "^Congratulations! " },
      "Error": {
        "type": "object",
        "required": ["type", "code", "message", "details"],
        "properties": {
          "type": { "const": "error" },
          "code": { "type": "string", "description": "A code that begins with emulator_ is the emulator's own" },
          "message": { "type": "string" },
          "details": { "type": "array", "items": { "$ref": "#/components/schemas/ErrorDetail" } }
        }
      },
      "ErrorDetail": {
        "type": "object",
        "required": ["parameter", "message"],
        "properties": {
          "parameter": { "type": "string", "pattern": "^/", "description": "A JSON pointer into the body" },
          "message": { "type": "string" }
        }
      },
      "AppletError": {
        "type": "object",
        "required": ["type", "code", "message"],
        "properties": {
          "type": { "const": "error" },
          "code": { "type": "string", "pattern": "^emulator_" },
          "message": { "type": "string" }
        }
      },
      "ServiceErrors": {
        "type": "object",
        "required": ["errors"],
        "properties": {
          "errors": {
            "type": "array",
            "minItems": 1,
            "items": { "type": "object", "required": ["message"], "properties": { "message": { "type": "string" } } }
          }
        }
      }
    }
    """

  static let securitySchemes = """
    {
      "ServiceKey": {
        "type": "apiKey",
        "in": "header",
        "name": "IFTTT-Service-Key",
        "description": "The key of a service, for its servers. Most requests also need user_id."
      },
      "UserToken": {
        "type": "http",
        "scheme": "bearer",
        "description": "A user token, which IFTTT has issued to a service for one user"
      }
    }
    """

  /// The response that stands for those of the server itself and for injected faults.
  static let serverResponses = """
    {
      "ServerError": {
        "description": "From the server itself, such as 408, 413, 421, 431, 501, 503, 504 or 505, or a fault",
        "content": {
          "application/json": {
            "schema": {
              "anyOf": [
                { "$ref": "#/components/schemas/Error" },
                { "$ref": "#/components/schemas/AppletError" },
                { "$ref": "#/components/schemas/ServiceErrors" }
              ]
            }
          },
          "text/plain": { "schema": { "type": "string" } }
        }
      }
    }
    """

  static let parameters: [APIParameter] = [
    .path("connection_id", "The id of a connection"),
    .path("feature_id", "The id of a feature of the connection"),
    .path("trigger", "The slug of a trigger, prefixed with its service: `location.exit_region_location`"),
    .path("query", "The slug of a query, prefixed with its service: `tidebook.list_tides`"),
    .path("action", "The slug of an action, prefixed with its service: `tidebook.add_entry`"),
    .path("service_id", "The slug of the service that owns the Applets"),
    .path("applet_id", "The id of an Applet"),
    .path("event", "The name of the event: letters, digits and underscores"),
    .path("key", "The key of the Webhooks service"),
    .query("user_id", "The service's id of the user. Required with a service key, unless the body has it."),
    .query("access_token", "The access token that the service has issued to IFTTT for the user"),
    .query("value1", "The ingredient Value1"),
    .query("value2", "The ingredient Value2"),
    .query("value3", "The ingredient Value3"),
    .query("email", "The email address", isRequired: true),
    .query("order", "The sort order", values: AppletOrder.allCases.map(\.rawValue)),
    .query(
      "platform", "The phone that the Applets run on; without it, those that need one are absent",
      values: SandboxFixtures.Platform.allCases.map(\.rawValue)),
  ]
}
