/// The JSON Schemas of the bodies of requests.
enum RequestSchemas {
  static var document: String {
    """
    {
      "AccessTokenBody": {
        "type": "object",
        "description": "The access token, unless it is in the query (deprecated)",
        "properties": { "token": { "type": "string" } }
      },
      "TokenExchangeBody": {
        "type": "object",
        "required": ["user_id", "token"],
        "properties": {
          "user_id": { "type": "string", "minLength": 1 },
          "token": { "type": "string", "minLength": 1, "description": "The access token that the service has issued" }
        }
      },
      "UserBody": {
        "type": "object",
        "properties": { "user_id": { "type": "string", "description": "Required with a service key" } }
      },
      "OAuthCodeBody": {
        "type": "object",
        "required": ["oauth_code"],
        "properties": { "oauth_code": { "type": "string", "minLength": 1 } }
      },
      "TriggerBody": {
        "type": "object",
        "properties": {
          \(stepProperties)
        }
      },
      "StepBody": {
        "type": "object",
        "properties": {
          \(stepProperties),
          "fields": { "$ref": "#/components/schemas/FieldValues" }
        }
      },
      "QueryBody": {
        "type": "object",
        "properties": {
          \(stepProperties),
          "fields": { "$ref": "#/components/schemas/FieldValues" },
          "includes": {
            "type": "array",
            "items": { "type": "string" },
            "description": "The nested queries to resolve"
          },
          "limit": {
            "type": "integer",
            "minimum": \(SandboxFixtures.QueryRows.limits.lowerBound),
            "maximum": \(SandboxFixtures.QueryRows.limits.upperBound)
          },
          "cursor": { "type": "string", "description": "The cursor of the page to return, from next" }
        }
      },
      "FieldValues": {
        "type": "object",
        "description": "Values that replace the configured ones in this request, by the id of their field",
        "additionalProperties": { "$ref": "#/components/schemas/SentValue" }
      },
      "SentValue": {
        "description": "A text, the value of an option, several of them, an option, or a place",
        "anyOf": [
          { "type": "string" },
          { "type": "array", "items": { "type": "string" } },
          { "type": "array", "items": { "$ref": "#/components/schemas/CheckedOption" } },
          {
            "type": "object",
            "required": ["value"],
            "properties": { "value": { "type": "string" } }
          },
          {
            "type": "object",
            "required": ["lat", "lng"],
            "properties": {
              "lat": { "type": ["number", "string"] },
              "lng": { "type": ["number", "string"] },
              "radius": { "type": ["number", "string"] },
              "address": { "type": "string" },
              "description": { "type": "string" },
              "zoom": { "type": ["integer", "null"] }
            }
          }
        ]
      },
      "ConfigurationBody": {
        "type": "object",
        "description": "The whole configuration; what is absent is removed",
        "required": ["user_features"],
        "properties": {
          "user_features": { "type": "array", "items": { "$ref": "#/components/schemas/SentFeature" } }
        }
      },
      "SentFeature": {
        "type": "object",
        "required": ["feature_id"],
        "properties": {
          "id": { "type": "string", "description": "The id of the user feature to keep" },
          "feature_id": { "type": "string" },
          "enabled": { "type": "boolean", "default": true },
          "user_fields": { "$ref": "#/components/schemas/SentFields" },
          \(StepKind.allCases.map(sentSteps).joined(separator: ",\n"))
        }
      },
      "SentFields": {
        "type": "array",
        "items": {
          "type": "object",
          "required": ["field_id", "value"],
          "properties": {
            "field_id": { "type": "string" },
            "value": { "anyOf": [{ "$ref": "#/components/schemas/SentValue" }, { "type": "null" }] }
          }
        }
      },
      "FieldUpdateBody": {
        "type": "object",
        "properties": {
          "user_id": { "type": "string", "description": "Required with a service key" },
          "services": {
            "type": "array",
            "items": {
              "type": "object",
              "required": ["service_id"],
              "properties": {
                "service_id": { "type": "string" },
                \(StepKind.allCases.map(updatedSteps).joined(separator: ",\n"))
              },
              "additionalProperties": false
            }
          }
        },
        "additionalProperties": false
      },
      "UpdatedFields": {
        "type": "array",
        "items": {
          "type": "object",
          "required": ["fields"],
          "properties": {
            "fields": {
              "type": "array",
              "items": {
                "type": "object",
                "required": ["id", "value"],
                "properties": {
                  "id": { "type": "string" },
                  "value": { "anyOf": [{ "$ref": "#/components/schemas/SentValue" }, { "type": "null" }] }
                }
              }
            }
          },
          "additionalProperties": false
        }
      }
    }
    """
  }

  private static let stepProperties = """
    "user_id": { "type": "string", "description": "Required with a service key, unless it is in the query" },
    "user_feature_id": { "type": "string", "description": "The user feature; by default, the first one with the step" }
    """

  private static func sentSteps(_ kind: StepKind) -> String {
    """
    "user_feature_\(kind.rawValue)": {
      "type": "array",
      "items": {
        "type": "object",
        "required": ["feature_\(kind.word)_id"],
        "properties": {
          "feature_\(kind.word)_id": { "type": "string" },
          "user_fields": { "$ref": "#/components/schemas/SentFields" }
        }
      }
    }
    """
  }

  private static func updatedSteps(_ kind: StepKind) -> String {
    """
    "\(kind.rawValue)": {
      "type": "array",
      "items": {
        "type": "object",
        "required": ["id", "user_\(kind.rawValue)"],
        "properties": {
          "id": { "type": "string", "description": "The slug, without the prefix of its service" },
          "user_\(kind.rawValue)": { "$ref": "#/components/schemas/UpdatedFields" }
        },
        "additionalProperties": false
      }
    }
    """
  }
}
