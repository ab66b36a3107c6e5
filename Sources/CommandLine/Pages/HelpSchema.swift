/// The JSON Schema (2020-12) of the output of ``HelpJSON``.
package enum HelpSchema {
  package static let text = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "A command and its subcommands",
      "$ref": "#/$defs/command",
      "$defs": {
        "strings": { "type": "array", "items": { "type": "string" } },
        "optionalString": { "type": ["string", "null"] },
        "command": {
          "type": "object",
          "properties": {
            "name": { "type": "string" },
            "path": { "$ref": "#/$defs/strings", "minItems": 1 },
            "summary": { "type": "string" },
            "discussion": { "$ref": "#/$defs/strings" },
            "group": { "$ref": "#/$defs/optionalString" },
            "usage": { "$ref": "#/$defs/strings", "minItems": 1 },
            "arguments": { "type": "array", "items": { "$ref": "#/$defs/argument" } },
            "options": { "type": "array", "items": { "$ref": "#/$defs/option" } },
            "examples": { "type": "array", "items": { "$ref": "#/$defs/example" } },
            "subcommands": { "type": "array", "items": { "$ref": "#/$defs/command" } }
          },
          "required": [
            "name", "path", "summary", "discussion", "group", "usage", "arguments", "options", "examples", "subcommands"
          ],
          "additionalProperties": false
        },
        "argument": {
          "type": "object",
          "properties": {
            "help": { "type": "string" },
            "required": { "type": "boolean" },
            "repeatable": { "type": "boolean" },
            "value": { "$ref": "#/$defs/value" }
          },
          "required": ["help", "required", "repeatable", "value"],
          "additionalProperties": false
        },
        "option": {
          "type": "object",
          "properties": {
            "name": { "type": "string" },
            "short": { "type": ["string", "null"], "maxLength": 1 },
            "help": { "type": "string" },
            "repeatable": { "type": "boolean" },
            "negatable": { "type": "boolean" },
            "advanced": { "type": "boolean" },
            "environment": { "$ref": "#/$defs/optionalString" },
            "default": { "$ref": "#/$defs/optionalString" },
            "value": { "anyOf": [{ "$ref": "#/$defs/value" }, { "type": "null" }] }
          },
          "required": [
            "name", "short", "help", "repeatable", "negatable", "advanced", "environment", "default", "value"
          ],
          "additionalProperties": false
        },
        "value": {
          "type": "object",
          "properties": {
            "placeholder": { "type": "string" },
            "completion": { "enum": ["none", "file", "directory", "choices", "dynamic", "dynamic_list"] },
            "source": { "$ref": "#/$defs/optionalString" },
            "choices": { "type": "array", "items": { "$ref": "#/$defs/choice" } }
          },
          "required": ["placeholder", "completion", "source", "choices"],
          "additionalProperties": false
        },
        "choice": {
          "type": "object",
          "properties": { "value": { "type": "string" }, "help": { "$ref": "#/$defs/optionalString" } },
          "required": ["value", "help"],
          "additionalProperties": false
        },
        "example": {
          "type": "object",
          "properties": { "arguments": { "type": "string" }, "purpose": { "type": "string" } },
          "required": ["arguments", "purpose"],
          "additionalProperties": false
        }
      }
    }

    """#
}
