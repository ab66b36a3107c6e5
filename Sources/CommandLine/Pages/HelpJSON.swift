import JSON

/// The command tree as one JSON document, for `ifttt help --json`; ``HelpSchema`` describes it.
package enum HelpJSON {
  /// The command at `path` with all its descendants, as compact JSON in UTF-8. Nil if no command has this path.
  package static func bytes(root: CommandSchema, path: [String] = []) -> [UInt8]? {
    guard let position = CommandPosition(root: root, path: path) else { return nil }
    var writer = JSONWriter()
    writer.command(position)
    return writer.bytes
  }
}

extension JSONWriter {
  fileprivate mutating func command(_ position: CommandPosition) {
    let command = position.command
    beginObject()
    member("name", command.name)
    members("path", position.names) { $1.string($0) }
    members("aliases", position.aliases) { names, writer in
      writer.beginArray()
      for name in names { writer.string(name) }
      writer.endArray()
    }
    member("summary", command.summary)
    members("discussion", command.discussion) { $1.string($0) }
    member("group", command.group)
    members("usage", position.usage) { $1.string($0) }
    members("arguments", command.arguments) { $1.argument($0) }
    members("options", command.options) { $1.option($0) }
    members("examples", command.examples) { example, writer in
      writer.beginObject()
      writer.member("arguments", example.arguments)
      writer.member("purpose", example.purpose)
      writer.endObject()
    }
    members("subcommands", position.subcommands) { $1.command($0) }
    endObject()
  }

  private mutating func argument(_ argument: ArgumentSchema) {
    beginObject()
    member("help", argument.help)
    member("required", argument.isRequired)
    member("repeatable", argument.isRepeatable)
    key("value")
    value(argument.value)
    endObject()
  }

  private mutating func option(_ option: OptionSchema) {
    beginObject()
    member("name", option.name)
    member("short", option.short.map { String($0) })
    member("help", option.help)
    member("repeatable", option.isRepeatable)
    member("negatable", option.isNegatable)
    member("advanced", option.isAdvanced)
    member("group", option.group)
    member("environment", option.environment)
    member("default", option.defaultText)
    key("value")
    if let value = option.value { self.value(value) } else { null() }
    endObject()
  }

  private mutating func value(_ value: ValueSchema) {
    beginObject()
    member("placeholder", value.placeholder)
    member("completion", value.completion.name)
    member("source", value.completion.source)
    members("choices", value.choices) { choice, writer in
      writer.beginObject()
      writer.member("value", choice.value)
      writer.member("help", choice.help)
      writer.endObject()
    }
    endObject()
  }
}

extension CompletionKind {
  fileprivate var name: String {
    switch self {
    case .none: "none"
    case .file: "file"
    case .directory: "directory"
    case .choices: "choices"
    case .dynamic, .commandPath: "dynamic"
    case .dynamicList: "dynamic_list"
    }
  }

  fileprivate var source: String? {
    switch self {
    case .dynamic(let source), .dynamicList(let source): source
    case .commandPath: "command"
    case .none, .file, .directory, .choices: nil
    }
  }
}

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
            "aliases": { "type": "array", "items": { "$ref": "#/$defs/strings", "minItems": 1 } },
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
            "name", "path", "aliases", "summary", "discussion", "group", "usage", "arguments", "options", "examples",
            "subcommands"
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
            "group": { "$ref": "#/$defs/optionalString" },
            "environment": { "$ref": "#/$defs/optionalString" },
            "default": { "$ref": "#/$defs/optionalString" },
            "value": { "anyOf": [{ "$ref": "#/$defs/value" }, { "type": "null" }] }
          },
          "required": [
            "name", "short", "help", "repeatable", "negatable", "advanced", "group", "environment", "default", "value"
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
