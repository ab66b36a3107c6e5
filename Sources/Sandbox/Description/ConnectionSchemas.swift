/// The JSON Schemas of connections and Applets in responses (docs/api/connect.md §8, docs/api/applets.md §3).
enum ConnectionSchemas {
  static var document: String {
    """
    {
      "Connection": {
        "type": "object",
        "required": [
          "type", "id", "name", "description", "url", "embedded_url", "enabled_count", "user_status", "last_run_at",
          "published_at", "services", "cover_image", "value_propositions", "features"
        ],
        "properties": {
          "type": { "const": "connection" },
          "id": { "type": "string" },
          "name": { "type": "string" },
          "description": { "type": "string" },
          "url": { "type": "string", "format": "uri" },
          "embedded_url": { "type": "string", "format": "uri" },
          "enabled_count": { "$ref": "#/components/schemas/EnabledCount" },
          "user_status": { "anyOf": [{ "$ref": "#/components/schemas/UserStatus" }, { "type": "null" }] },
          "last_run_at": { "$ref": "#/components/schemas/OptionalTime" },
          "published_at": { "$ref": "#/components/schemas/OptionalTime" },
          "services": { "type": "array", "minItems": 1, "items": { "$ref": "#/components/schemas/Service" } },
          "cover_image": { "anyOf": [{ "$ref": "#/components/schemas/CoverImage" }, { "type": "null" }] },
          "value_propositions": { "type": "array", "items": { "type": "object" }, "deprecated": true },
          "features": { "type": "array", "items": { "$ref": "#/components/schemas/Feature" } },
          "user_connection": {
            "$ref": "#/components/schemas/UserConnection",
            "description": "Absent unless the user has the connection enabled"
          }
        }
      },
      "EnabledCount": { "type": "integer", "minimum": 0, "description": "The number of users who have it enabled" },
      "UserStatus": {
        "type": "string",
        "enum": [\(ComponentText.elements(SandboxUserStatus.allCases.map(\.rawValue)))],
        "description": "The status for the user of the request, if it has one"
      },
      "OptionalTime": { "type": ["string", "null"], "format": "date-time" },
      "CoverImage": {
        "type": "object",
        "required": ["480w_url", "720w_url", "1080w_url", "1440w_url", "2160w_url", "2880w_url", "4320w_url"],
        "properties": {
          "480w_url": { "type": "string", "format": "uri" },
          "720w_url": { "type": "string", "format": "uri" },
          "1080w_url": { "type": "string", "format": "uri" },
          "1440w_url": { "type": "string", "format": "uri" },
          "2160w_url": { "type": "string", "format": "uri" },
          "2880w_url": { "type": "string", "format": "uri" },
          "4320w_url": { "type": "string", "format": "uri" }
        }
      },
      "Service": {
        "type": "object",
        "required": [
          "service_id", "service_name", "service_short_name", "is_primary", "monochrome_icon_url", "color_icon_url",
          "brand_color", "url", "triggers", "queries", "actions"
        ],
        "properties": {
          \(service),
          "service_short_name": { "type": "string" },
          "triggers": { "type": "array", "items": { "$ref": "#/components/schemas/LegacyStep" } },
          "queries": { "type": "array", "items": { "$ref": "#/components/schemas/LegacyStep" } },
          "actions": { "type": "array", "items": { "$ref": "#/components/schemas/LegacyStep" } }
        }
      },
      "LegacyStep": {
        "type": "object",
        "description": "A step in the form from before features existed",
        "required": ["id", "label", "field_options_url", "run_url", "fields"],
        "properties": {
          "id": { "type": "string" },
          "label": { "type": "string" },
          "field_options_url": { "type": "string", "format": "uri" },
          "run_url": { "type": ["string", "null"], "format": "uri" },
          "fields": { "type": "array", "items": { "$ref": "#/components/schemas/Field" } },
          "user_actions": { "type": "array", "items": { "$ref": "#/components/schemas/LegacyUserStep" } }
        }
      },
      "LegacyUserStep": {
        "type": "object",
        "required": ["run_url", "fields"],
        "properties": {
          "run_url": { "type": ["string", "null"], "format": "uri" },
          "fields": { "type": "array", "items": { "$ref": "#/components/schemas/LegacyUserField" } }
        }
      },
      "LegacyUserField": {
        "type": "object",
        "required": ["id", "value"],
        "properties": {
          "id": { "type": "string" },
          "group": { "type": ["string", "null"] },
          "label": { "type": "string" },
          "value": { "$ref": "#/components/schemas/Value" }
        }
      },
      "Feature": {
        "type": "object",
        "required": [
          "id", "title", "description", "icon_url", "field_options_url", "fields", "feature_triggers",
          "feature_queries", "feature_actions"
        ],
        "properties": {
          "id": { "type": "string" },
          "title": { "type": "string" },
          "description": { "type": ["string", "null"] },
          "icon_url": { "type": "string", "format": "uri" },
          "field_options_url": { "type": "string", "format": "uri" },
          "fields": { "type": "array", "items": { "$ref": "#/components/schemas/Field" } },
          "feature_triggers": { "type": "array", "items": { "$ref": "#/components/schemas/FeatureTrigger" } },
          "feature_queries": { "type": "array", "items": { "$ref": "#/components/schemas/FeatureQuery" } },
          "feature_actions": { "type": "array", "items": { "$ref": "#/components/schemas/FeatureAction" } }
        }
      },
      \(StepKind.allCases.map(step).joined(separator: ",\n")),
      "Field": {
        "type": "object",
        "required": ["id", "label", "type", "required", "hidden", "default_value"],
        "properties": {
          "id": { "type": "string" },
          "label": { "type": "string" },
          "type": { "$ref": "#/components/schemas/FieldType" },
          "required": { "type": "boolean" },
          "hidden": { "type": "boolean", "description": "Whether the user does not see it" },
          "default_value": { "anyOf": [{ "$ref": "#/components/schemas/Value" }, { "type": "null" }] }
        }
      },
      "FieldType": {
        "type": "string",
        "enum": [\(ComponentText.elements(SandboxFixtures.FieldType.allCases.map(\.rawValue)))]
      },
      "Value": {
        "description": "The value of a field: a text, an option, the options of a checkbox list, or a place",
        "anyOf": [
          { "type": "string" },
          { "$ref": "#/components/schemas/ChosenOption" },
          { "type": "array", "items": { "$ref": "#/components/schemas/CheckedOption" } },
          { "$ref": "#/components/schemas/Location" }
        ]
      },
      "ChosenOption": {
        "type": "object",
        "required": ["group", "label", "value"],
        "properties": {
          "group": { "type": ["string", "null"] },
          "label": { "type": "string" },
          "value": { "type": "string" }
        }
      },
      "CheckedOption": {
        "type": "object",
        "required": ["label", "value"],
        "properties": { "label": { "type": "string" }, "value": { "type": "string" } }
      },
      "Location": {
        "type": "object",
        "required": ["lat", "lng", "address", "description", "zoom"],
        "properties": {
          "lat": { "type": "number", "minimum": -90, "maximum": 90 },
          "lng": { "type": "number", "minimum": -180, "maximum": 180 },
          "radius": { "type": "number", "minimum": 0, "description": "In meters; a point has none" },
          "address": { "type": "string" },
          "description": { "type": "string" },
          "zoom": { "type": ["integer", "null"] }
        }
      },
      "UserConnection": {
        "type": "object",
        "required": ["user_features"],
        "properties": {
          "user_features": { "type": "array", "items": { "$ref": "#/components/schemas/UserFeature" } }
        }
      },
      "UserFeature": {
        "type": "object",
        "required": [
          "id", "feature_id", "enabled", "user_fields", "user_feature_triggers", "user_feature_queries",
          "user_feature_actions"
        ],
        "properties": {
          "id": { "type": "string" },
          "feature_id": { "type": "string" },
          "enabled": { "type": "boolean" },
          "user_fields": { "type": "array", "items": { "$ref": "#/components/schemas/UserField" } },
          "user_feature_triggers": { "type": "array", "items": { "$ref": "#/components/schemas/UserFeatureTrigger" } },
          "user_feature_queries": { "type": "array", "items": { "$ref": "#/components/schemas/UserFeatureQuery" } },
          "user_feature_actions": { "type": "array", "items": { "$ref": "#/components/schemas/UserFeatureAction" } }
        }
      },
      \(StepKind.allCases.map(userStep).joined(separator: ",\n")),
      "UserField": {
        "type": "object",
        "required": ["field_id", "field_type", "value"],
        "properties": {
          "field_id": { "type": "string" },
          "field_type": { "$ref": "#/components/schemas/FieldType" },
          "value": { "$ref": "#/components/schemas/Value" }
        }
      },
      "Applet": {
        "type": "object",
        "required": [
          "type", "id", "name", "description", "published_at", "enabled_count", "user_status", "last_run_at",
          "services", "url", "embedded_url"
        ],
        "properties": {
          "type": { "const": "applet" },
          "id": { "type": "string" },
          "name": { "type": "string" },
          "description": { "type": "string" },
          "published_at": { "$ref": "#/components/schemas/OptionalTime" },
          "enabled_count": { "$ref": "#/components/schemas/EnabledCount" },
          "user_status": { "anyOf": [{ "$ref": "#/components/schemas/UserStatus" }, { "type": "null" }] },
          "last_run_at": { "$ref": "#/components/schemas/OptionalTime" },
          "services": { "type": "array", "minItems": 1, "items": { "$ref": "#/components/schemas/AppletService" } },
          "url": { "type": "string", "format": "uri" },
          "embedded_url": { "type": "string", "format": "uri" }
        }
      },
      "AppletService": {
        "type": "object",
        "required": [
          "service_id", "service_name", "is_primary", "monochrome_icon_url", "color_icon_url", "brand_color", "url"
        ],
        "properties": {
          \(service)
        }
      },
      "AppletList": {
        "type": "object",
        "required": ["type", "data"],
        "properties": {
          "type": { "const": "list" },
          "data": { "type": "array", "items": { "$ref": "#/components/schemas/Applet" } }
        }
      }
    }
    """
  }

  /// The properties of a service in both versions of the API.
  private static let service = """
    "service_id": { "type": "string" },
    "service_name": { "type": "string" },
    "is_primary": { "type": "boolean", "description": "Whether the service owns it" },
    "monochrome_icon_url": { "type": "string", "format": "uri" },
    "color_icon_url": { "type": "string", "format": "uri" },
    "brand_color": { "type": "string", "pattern": "^#[0-9a-fA-F]{6}$" },
    "url": { "type": "string", "format": "uri" }
    """

  private static func step(_ kind: StepKind) -> String {
    """
    "Feature\(kind.title)": {
      "type": "object",
      "required": [
        "id", "\(kind.word)_id", "service_id", "label", "field_options_url", "run_url", "fields"
      ],
      "properties": {
        "id": { "type": "string" },
        "\(kind.word)_id": { "type": "string", "description": "The slug, without the prefix of its service" },
        "service_id": { "type": "string" },
        "label": { "type": "string" },
        "field_options_url": { "type": "string", "format": "uri" },
        "run_url": \(kind == .actions ? #"{ "type": "string", "format": "uri" }"# : #"{ "type": "null" }"#),
        "fields": { "type": "array", "items": { "$ref": "#/components/schemas/Field" } }
      }
    }
    """
  }

  private static func userStep(_ kind: StepKind) -> String {
    """
    "UserFeature\(kind.title)": {
      "type": "object",
      "required": ["id", "feature_\(kind.word)_id", "user_fields"],
      "properties": {
        "id": { "type": "string" },
        "feature_\(kind.word)_id": { "type": "string" },
        "user_fields": { "type": "array", "items": { "$ref": "#/components/schemas/UserField" } }
      }
    }
    """
  }
}
