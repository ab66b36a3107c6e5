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

  static var parameters: String {
    let platforms = ComponentText.elements(SandboxFixtures.Platform.allCases.map(\.rawValue))
    return """
      {
        "connection_id": {
          "name": "connection_id",
          "in": "path",
          "required": true,
          "description": "The id of a connection",
          "schema": { "type": "string", "minLength": 1 }
        },
        "feature_id": {
          "name": "feature_id",
          "in": "path",
          "required": true,
          "description": "The id of a feature of the connection",
          "schema": { "type": "string", "minLength": 1 }
        },
        "trigger": {
          "name": "trigger",
          "in": "path",
          "required": true,
          "description": "The slug of a trigger, prefixed with its service: `location.exit_region_location`",
          "schema": { "type": "string", "minLength": 1 }
        },
        "query": {
          "name": "query",
          "in": "path",
          "required": true,
          "description": "The slug of a query, prefixed with its service: `tidebook.list_tides`",
          "schema": { "type": "string", "minLength": 1 }
        },
        "action": {
          "name": "action",
          "in": "path",
          "required": true,
          "description": "The slug of an action, prefixed with its service: `tidebook.add_entry`",
          "schema": { "type": "string", "minLength": 1 }
        },
        "service_id": {
          "name": "service_id",
          "in": "path",
          "required": true,
          "description": "The slug of the service that owns the Applets",
          "schema": { "type": "string", "minLength": 1 }
        },
        "applet_id": {
          "name": "applet_id",
          "in": "path",
          "required": true,
          "description": "The id of an Applet",
          "schema": { "type": "string", "minLength": 1 }
        },
        "event": {
          "name": "event",
          "in": "path",
          "required": true,
          "description": "The name of the event: letters, digits and underscores",
          "schema": { "type": "string", "minLength": 1 }
        },
        "key": {
          "name": "key",
          "in": "path",
          "required": true,
          "description": "The key of the Webhooks service",
          "schema": { "type": "string", "minLength": 1 }
        },
        "user_id": {
          "name": "user_id",
          "in": "query",
          "required": false,
          "description": "The service's id of the user. Required with a service key, unless the body has it.",
          "schema": { "type": "string", "minLength": 1 }
        },
        "access_token": {
          "name": "access_token",
          "in": "query",
          "required": false,
          "description": "The access token that the service has issued to IFTTT for the user",
          "schema": { "type": "string", "minLength": 1 }
        },
        "value1": {
          "name": "value1",
          "in": "query",
          "required": false,
          "description": "The ingredient Value1",
          "schema": { "type": "string", "minLength": 1 }
        },
        "value2": {
          "name": "value2",
          "in": "query",
          "required": false,
          "description": "The ingredient Value2",
          "schema": { "type": "string", "minLength": 1 }
        },
        "value3": {
          "name": "value3",
          "in": "query",
          "required": false,
          "description": "The ingredient Value3",
          "schema": { "type": "string", "minLength": 1 }
        },
        "email": {
          "name": "email",
          "in": "query",
          "required": true,
          "description": "The email address",
          "schema": { "type": "string", "minLength": 1 }
        },
        "order": {
          "name": "order",
          "in": "query",
          "required": false,
          "description": "The sort order",
          "schema": { "type": "string", "enum": [\(ComponentText.elements(AppletOrder.allCases.map(\.rawValue)))] }
        },
        "platform": {
          "name": "platform",
          "in": "query",
          "required": false,
          "description": "The phone that the Applets run on; without it, those that need one are absent",
          "schema": { "type": "string", "enum": [\(platforms)] }
        }
      }
      """
  }
}
